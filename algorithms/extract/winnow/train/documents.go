package main

import (
	"context"

	"github.com/winnow/winnow/algorithms/extract/internal/corpus"
)

// document is one page with its gold: of a package, or made of one.
type document struct {
	corpus.Document
	made made
}

// made says where a document comes from.
type made uint8

const (
	real    made = iota
	grafted      // with sections of other pages
	aged         // without the names and elements of today
)

// documentsOf are all pages of a package.
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

// folds that pages are held out in, and that the pages of a held-out fold are
// divided into for what is learned within the others.
const (
	folds      = 4
	innerFolds = 5
)

func (d *document) fold() int  { return d.Fold(folds) }
func (d *document) inner() int { return d.Inner(innerFolds) }
