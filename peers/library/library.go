// Package library calls today's extraction libraries for Go as they are:
//
//	trafilatura            go-trafilatura with its fallbacks (Barbaresi, ACL 2021)
//	trafilatura-fast       without fallbacks
//	trafilatura-precision  with fallbacks, favouring precision
//	trafilatura-recall     with fallbacks, favouring recall
//	readability            go-readability, the port of Mozilla's Readability.js,
//	                       as Readeck maintains it
//	domdistiller           go-domdistiller, the port of Chromium's DOM Distiller
//
// Each library parses the page itself and answers with nodes. The text is rendered here, by
// one rule for all (a newline where a block-level element begins or ends and at br, no link
// targets, no image text), because their own text fields join words across blocks, or cut
// them at inline elements, in different ways. Apart from white space the rendered text is the
// library's own text field. Where a library's nodes and text field differ (trafilatura's text
// field repeats nested nodes, readability's leaves out svg and video, domdistiller's embedded
// posts) the nodes count.
//
// "No article here", which the libraries report as an error or as no node, is the empty
// answer. A page URL that cannot be parsed is replaced by http://invalid.example/.
//
// # Departures
//
// Pagination is off in domdistiller, date search and readers' comments in trafilatura. The
// fallbacks of the Go port of Trafilatura are an older go-readability and go-domdistiller
// where the Python original has readability-lxml and jusText, so its figures differ slightly
// from those published for Python.
//
// This package is internal to Winnow and may change in any release.
package library

import (
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// Library is an extraction library with its settings.
type Library struct {
	Name     string
	Module   string // module of Go
	Doc      string
	Citation string

	find func(doc *html.Node, page *url.URL) (string, error)
}

// Extract returns the text that the library finds on a page.
func (l *Library) Extract(src, address string) (string, error) {
	doc, err := parse(src)
	if err != nil {
		return "", err
	}
	return l.find(doc, pageURL(address))
}

// All are the libraries.
var All = []*Library{
	ofTrafilatura("trafilatura", "with its fallbacks", trafilatura.Balanced, true),
	ofTrafilatura("trafilatura-fast", "without fallbacks", trafilatura.Balanced, false),
	ofTrafilatura("trafilatura-precision", "with fallbacks, favouring precision", trafilatura.FavorPrecision, true),
	ofTrafilatura("trafilatura-recall", "with fallbacks, favouring recall", trafilatura.FavorRecall, true),
	{
		Name: "readability", Module: "codeberg.org/readeck/go-readability/v2",
		Doc:      "go-readability: Mozilla's reader view, which scores paragraphs and their ancestors",
		Citation: "Mozilla; port by R. Fadlillah, Readeck contributors: go-readability, a port of Readability.js 0.6. Software, 2025. https://codeberg.org/readeck/go-readability",
		find:     readable,
	},
	{
		Name: "domdistiller", Module: "github.com/markusmobius/go-domdistiller",
		Doc:      "go-domdistiller: Chromium's reader mode, which adds DOM heuristics to boilerpipe's classifiers",
		Citation: "The Chromium Authors, M. Mobius: go-domdistiller, a port of DOM Distiller. Software, 2024. https://github.com/markusmobius/go-domdistiller",
		find:     distilled,
	},
}

func ofTrafilatura(name, how string, focus trafilatura.ExtractionFocus, fallback bool) *Library {
	return &Library{
		Name: name, Module: "github.com/markusmobius/go-trafilatura",
		Doc:      "go-trafilatura " + how,
		Citation: "Barbaresi; port by M. Mobius: Trafilatura: a web scraping library and command-line tool for text discovery and extraction. ACL demo, 2021. https://doi.org/10.18653/v1/2021.acl-demo.15",
		find:     extractTrafilatura(focus, fallback),
	}
}

func extractTrafilatura(focus trafilatura.ExtractionFocus, fallback bool) func(*html.Node, *url.URL) (string, error) {
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
