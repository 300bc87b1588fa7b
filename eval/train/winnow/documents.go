package main

import (
	"context"

	"github.com/winnow/winnow/eval/corpus"
)

// document is one page with its gold: a page of a package, or one made from such a
// page.
type document struct {
	corpus.Document
	made made
}

// made says how a document was made.
type made uint8

const (
	real       made = iota
	grafted         // with sections of other pages
	aged            // without names and elements that came into use later
	translated      // in another script
)

// documentsOf returns all pages of a package.
func documentsOf(p *corpus.Package) (documents []*document) {
	for _, d := range p.Documents {
		documents = append(documents, &document{Document: *d})
	}
	return documents
}

// read reads all pages of a package.
func read(ctx context.Context, dir, name string) (*corpus.Package, []*document, error) {
	p, err := corpus.ReadAll(ctx, dir, name)
	if err != nil {
		return nil, nil, err
	}
	return p, documentsOf(p), nil
}

// folds is the number of folds for holding out pages. innerFolds is the number of parts
// into which the pages outside of a fold are divided for what is learned among them.
const (
	folds      = 4
	innerFolds = 5
)

func (d *document) fold() int  { return d.Fold(folds) }
func (d *document) inner() int { return d.Inner(innerFolds) }
