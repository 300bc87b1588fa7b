package source

import (
	"context"
	"io"
	"iter"

	"github.com/winnow/winnow/pipeline/source/gold"
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

func (goldPackage) Name() string            { return "gold package" }
func (goldPackage) Alone() bool             { return false }
func (goldPackage) called(name string) bool { return gold.IsArchive(name) }
func (goldPackage) aside() string {
	return "archives of gold packages, which are read from a disk only: pack them (winnow pack)"
}

func (goldPackage) pages(ctx context.Context, _ *Inputs, name string) iter.Seq2[*Page, error] {
	return packagePages(ctx, name, func() (*gold.Package, error) { return gold.Open(name, gold.Limits{}) })
}

// packagePages yields the pages of the package that open opens. name is that of the input.
func packagePages(ctx context.Context, name string, open func() (*gold.Package, error)) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		p, err := open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer p.Close() // for a caller that wants no more
		src := NewPackage(ctx, name, p)
		defer src.Close()
		for page, err := range Pages(ctx, name, src) {
			if !yield(page, err) {
				return
			}
		}
		src.Close()
		if err := p.Close(); err != nil {
			yield(nil, err)
		}
	}
}
