// Package library holds the code behind the extractors of package wrapped: it calls the
// wrapped libraries.
package library

import (
	"fmt"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/wrapped"
)

// Extractors returns the extractors of package wrapped with their libraries. The slice is
// new, the values are shared.
func Extractors() []*algorithms.Extractor {
	return []*algorithms.Extractor{
		Trafilatura, TrafilaturaFast, TrafilaturaPrecision, TrafilaturaRecall,
		Readability,
		DomDistiller,
	}
}

// These are the extractors of package wrapped that have the same names.
var (
	Trafilatura          = link(wrapped.Trafilatura, extractTrafilatura(trafilatura.Balanced, true), keeps)
	TrafilaturaFast      = link(wrapped.TrafilaturaFast, extractTrafilatura(trafilatura.Balanced, false), keeps)
	TrafilaturaPrecision = link(wrapped.TrafilaturaPrecision, extractTrafilatura(trafilatura.FavorPrecision, true), keeps)
	TrafilaturaRecall    = link(wrapped.TrafilaturaRecall, extractTrafilatura(trafilatura.FavorRecall, true), keeps)
	Readability          = link(wrapped.Readability, readable, changes)
	DomDistiller         = link(wrapped.DomDistiller, distilled, changes)
)

// library reads a tree and returns the text it found.
type library func(doc *html.Node, page *url.URL) (string, error)

// use is what a library does to the tree that it reads.
type use int

const (
	changes use = iota
	keeps       // it works on copies of its own
)

// link returns the described extractor with its library.
func link(described *algorithms.Extractor, l library, u use) *algorithms.Extractor {
	named := func(doc *html.Node, page *url.URL) (string, error) {
		text, err := l(doc, page)
		if err != nil {
			return "", fmt.Errorf("%s: %w", described.Name, err)
		}
		return text, nil
	}
	linked := *described
	linked.Text, linked.Parser, linked.FromParsed = fromSource(named), parser, fromParsed(named, u)
	return &linked
}

func extractTrafilatura(focus trafilatura.ExtractionFocus, fallback bool) library {
	return func(doc *html.Node, page *url.URL) (string, error) {
		result, err := trafilatura.ExtractDocument(doc, trafilatura.Options{
			OriginalURL: page, EnableFallback: fallback, Focus: focus,
			ExcludeComments: true, HtmlDateMode: trafilatura.Disabled,
		})
		switch {
		case err == nil:
			return render(result.ContentNode), nil
		case strings.Contains(err.Error(), "not long enough"):
			return "", nil
		}
		return "", err
	}
}

func readable(doc *html.Node, page *url.URL) (string, error) {
	parser := readability.NewParser()
	article, err := parser.ParseAndMutate(doc, page)
	if err != nil {
		return "", err
	}
	return render(article.Node), nil
}

func distilled(doc *html.Node, page *url.URL) (string, error) {
	result, err := distiller.Apply(doc, &distiller.Options{OriginalURL: page, SkipPagination: true})
	switch {
	case err == nil:
		return render(result.Node), nil
	case strings.Contains(err.Error(), "valid element"):
		return "", nil // a document without any element has no article
	}
	return "", err
}
