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
			"The tree is that of the HTML standard, not that of htmlparser2. On the packages cleanportaleval and readability the program, given the same stop lists, prints the same words on 70 of 71 and 111 of 116 pages.",
			"Text that is not page text (in svg, math, select and noscript, and hidden text) is ignored.",
			"An element that was replaced is an end to those who walk over siblings; the program also finds the paragraphs that it once had, which it has elsewhere.",
			"Text that the program parses again by mistake (a < b in code) is text.",
			"The stop lists are Winnow's own; languages without one are read with the English list, as the program does.",
			"A content-language is honoured where html has no lang, as the program means to.",
			"The program's rule for one encyclopedia, and its titles, images and metadata, are left out.",
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
	top := w.election.winner(&w.flat)
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
