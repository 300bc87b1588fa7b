package wrapped

import (
	"fmt"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
)

// Trafilatura in its four settings.
var (
	Trafilatura          = newTrafilatura("trafilatura", "with its fallbacks", trafilatura.Balanced, true)
	TrafilaturaFast      = newTrafilatura("trafilatura-fast", "without fallbacks", trafilatura.Balanced, false)
	TrafilaturaPrecision = newTrafilatura("trafilatura-precision", "with fallbacks, favouring precision", trafilatura.FavorPrecision, true)
	TrafilaturaRecall    = newTrafilatura("trafilatura-recall", "with fallbacks, favouring recall", trafilatura.FavorRecall, true)
)

// Readability is Mozilla's reader view.
var Readability = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "readability", Family: "readability",
		Doc: "go-readability: Mozilla's reader view, scoring paragraphs and their ancestors",
		Cite: algorithms.Cite{Authors: "Mozilla; port by R. Fadlillah, Readeck contributors", Title: "go-readability, a port of Readability.js 0.6",
			Venue: "software", Year: 2025, URL: "https://codeberg.org/readeck/go-readability"},
		Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
	},
	Text: text(readable), Parser: parser, FromParsed: fromCopy(readable),
}

func readable(doc *html.Node, page *url.URL) (string, error) {
	parser := readability.NewParser()
	article, err := parser.ParseAndMutate(doc, page)
	if err != nil {
		return "", fmt.Errorf("wrapped: readability: %w", err)
	}
	return render(article.Node), nil
}

// DomDistiller is Chromium's reader mode.
var DomDistiller = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "domdistiller", Family: "domdistiller",
		Doc: "go-domdistiller: Chromium's reader mode, boilerpipe's classifiers with DOM heuristics",
		Cite: algorithms.Cite{Authors: "The Chromium Authors, M. Mobius", Title: "go-domdistiller, a port of DOM Distiller",
			Venue: "software", Year: 2024, URL: "https://github.com/markusmobius/go-domdistiller"},
		Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
	},
	Text: text(distilled), Parser: parser, FromParsed: fromCopy(distilled),
}

func distilled(doc *html.Node, page *url.URL) (string, error) {
	result, err := distiller.Apply(doc, &distiller.Options{OriginalURL: page, SkipPagination: true})
	if err != nil {
		if strings.Contains(err.Error(), "valid element") {
			return "", nil // a document without any element has no article
		}
		return "", fmt.Errorf("wrapped: domdistiller: %w", err)
	}
	return render(result.Node), nil
}

func newTrafilatura(name, how string, focus trafilatura.ExtractionFocus, fallback bool) *algorithms.Extractor {
	extract := func(doc *html.Node, page *url.URL) (string, error) {
		result, err := trafilatura.ExtractDocument(doc, trafilatura.Options{
			OriginalURL: page, EnableFallback: fallback, Focus: focus,
			ExcludeComments: true, HtmlDateMode: trafilatura.Disabled,
		})
		if err != nil {
			if strings.Contains(err.Error(), "not long enough") {
				return "", nil
			}
			return "", fmt.Errorf("wrapped: %s: %w", name, err)
		}
		return render(result.ContentNode), nil
	}
	return &algorithms.Extractor{
		Description: algorithms.Description{
			Name: name, Family: "trafilatura",
			Doc: "go-trafilatura " + how,
			Cite: algorithms.Cite{Authors: "Barbaresi; port by M. Mobius",
				Title: "Trafilatura: a web scraping library and command-line tool for text discovery and extraction",
				Venue: "ACL demo", Year: 2021, URL: "https://doi.org/10.18653/v1/2021.acl-demo.15"},
			Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
		},
		Text: text(extract), Parser: parser, FromParsed: fromCopy(extract),
	}
}
