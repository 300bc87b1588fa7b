package source

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/warc"
)

// Package is a Source of the pages of a gold test package.
type Package struct {
	documents
	stop func()
}

// NewPackage returns a Source of the pages of p. The caller must call Close when the
// reading ends, and must close p itself.
func NewPackage(ctx context.Context, name string, p *gold.Package) *Package {
	next, stop := iter.Pull2(p.Documents(ctx))
	return &Package{documents{name: name, next: func() (document, error) {
		d, err, ok := next()
		if !ok {
			return document{}, io.EOF
		}
		if err != nil {
			return document{}, err
		}
		return document{html: d.HTML, contentType: p.ContentType(d), url: d.Gold.URL, gold: &d.Gold}, nil
	}}, stop}
}

// Close ends the reading.
func (s *Package) Close() { s.stop() }

// goldPackage is the format of gold test packages: folders, and archives of them.
type goldPackage struct{}

var _ folderFormat = goldPackage{}

func (goldPackage) Name() string                    { return "gold package" }
func (goldPackage) Alone() bool                     { return false }
func (goldPackage) called(name string) bool         { return gold.IsArchive(name) }
func (goldPackage) holds(warc.Source) (bool, error) { return false, nil }
func (goldPackage) aside() string {
	return "archives of gold packages: give them to winnow extract, or pack them (winnow pack)"
}

// isFolder implements folderFormat. A folder is a package if it contains pages.
func (goldPackage) isFolder(name string) (bool, error) {
	dir, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".html") {
				return true, nil
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
	}
}

func (goldPackage) pages(ctx context.Context, _ *Inputs, name string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		p, err := gold.Open(name, gold.Limits{})
		if err != nil {
			yield(nil, err)
			return
		}
		src := NewPackage(ctx, name, p)
		more := true
		Pages(ctx, name, src)(func(page *Page, err error) bool {
			more = yield(page, err)
			return more
		})
		src.Close()
		if err := p.Close(); err != nil && more {
			yield(nil, err)
		}
	}
}
