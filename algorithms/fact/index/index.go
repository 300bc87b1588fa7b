// Package index keeps what an index stated about a page's record before it was fetched: the
// columns of Common Crawl's columnar index, and the fields of the same meaning of its CDXJ.
// What the page says itself is in other facts, and may differ.
//
// This package is internal to Winnow and may change in any release.
package index

import (
	"strconv"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Fact finds what the index states about the page.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "index", Family: "index",
		Doc: "what the index says that led to the page (a table of records or CDXJ): languages, media type, truncation and HTTP status",
		Cite: algorithms.Cite{Authors: "Common Crawl Foundation", Title: "Index to WARC Files and URLs in Columnar Format", Venue: "public specification", Year: 2018,
			URL: "https://commoncrawl.org/blog/index-to-warc-files-and-urls-in-columnar-format"},
		Fidelity: algorithms.Exact, Cost: algorithms.Linear,
	},
	Page: &fact.Finder{Columns: columns, Find: find},
}

const unknown = "the page was not found by an index, or the index does not say"

var columns = []fact.Column{
	{Name: "content_languages", Kind: fact.KindText, Doc: "Languages of the page by ISO 639-3, the most frequent first, comma-separated: `deu,eng`.", Null: unknown},
	{Name: "content_mime_detected", Kind: fact.KindText, Doc: "Media type, as detected from the content: `text/html`.", Null: unknown},
	{Name: "content_truncated", Kind: fact.KindText, Doc: "Why the record has only the beginning of the content: `length`, `time`, `disconnect`.", Null: unknown},
	{Name: "fetch_status", Kind: fact.KindInt, Unit: "HTTP status", Doc: "Status of the response.", Null: unknown},
}

func find(s *fact.Subject) error {
	for _, field := range s.Index {
		for i, c := range columns {
			if c.Name != field.Name {
				continue
			}
			if c.Kind == fact.KindText {
				s.Out[i].SetText(field.Value)
			} else if n, err := strconv.ParseInt(field.Value, 10, 64); err == nil { // a status that is not a number is left out
				s.Out[i].SetInt(n)
			}
		}
	}
	return nil
}
