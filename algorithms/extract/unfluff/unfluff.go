package unfluff

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/page"
)

// Extractor is the extractor, which has no settings.
var Extractor = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "unfluff", Family: "unfluff",
		Doc: "rewrites the page into paragraphs and selects the element whose paragraphs have the most stop words",
		Cite: algorithms.Cite{
			Authors: "Geitgey",
			Title:   "unfluff: an automatic web page content extractor",
			Venue:   "program, after Goose (Gravity Labs 2011)",
			Year:    2014,
			URL:     "https://github.com/ageitgey/node-unfluff",
		},
		Fidelity: algorithms.Partial,
		Departures: []string{
			"The tree is that of the HTML standard, not that of htmlparser2.",
			"Text that is not page text (in svg, math and select, and hidden text) is ignored.",
			"The stop lists are Winnow's own.",
		},
		Cost: algorithms.NLogN,
	},
	Run: run,
}

// working is the extractor's memory, reused for every page.
type working struct {
	document
	flat
	election
	format
	lists []*stopwords.List // loaded on first use
}

// Memory that a page of unusual size needed is not kept for the next one.
const (
	keepNodes = 1 << 18
	keepText  = 8 << 20
)

func run(p *algorithms.Pass) error {
	w := algorithms.Scratch[working](p)
	if cap(w.nodes) > keepNodes || cap(w.text) > keepText {
		*w = working{lists: w.lists}
	}
	if w.lists == nil {
		w.lists, _ = stopwords.LoadAll()
	}
	w.document.read(p)
	w.document.clean()
	if w.root == 0 {
		return nil
	}
	list := w.language(p.Page)
	w.flat.lay(&w.document, list)
	top := w.election.hold(&w.flat)
	if top < 0 {
		return nil
	}
	w.format.begin(&w.document, &w.flat, list)
	w.prune(top)
	w.format.choose(p)
	return nil
}

// language returns the stop list of the page by the first two letters of the declared
// language. English is the default.
func (w *working) language(pg *page.Page) *stopwords.List {
	declared := pg.Lang()
	if len(declared) == 0 {
		declared = pg.Meta("lang")
	}
	if len(declared) >= 2 {
		if l := stopwords.Find(w.lists, declared[:2]); l != nil {
			return l
		}
	}
	return stopwords.Find(w.lists, []byte("en"))
}
