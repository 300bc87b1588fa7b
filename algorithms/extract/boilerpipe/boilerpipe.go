package boilerpipe

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

var cite = algorithms.Cite{
	Authors: "Kohlschütter, Fankhauser, Nejdl",
	Title:   "Boilerplate detection using shallow text features",
	Venue:   "WSDM", Year: 2010, URL: "https://doi.org/10.1145/1718487.1718542",
}

var departures = []string{
	"the tree is the HTML standard's, not NekoHTML's",
	"text that is not page text (svg, math, select, hidden) makes no block",
}

// Default is the paper's density classifier over fused blocks.
var Default = &algorithms.Extractor{
	Name: "boilerpipe-default", Family: "boilerpipe",
	Doc:  "decision tree over text and link density of a block and its neighbours",
	Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, _ *page.Page) {
			l.fuseEqualDensity()
			l.classifyByDensity()
		})
	},
}

// Article is the library's pipeline for news articles.
var Article = &algorithms.Extractor{
	Name: "boilerpipe-article", Family: "boilerpipe",
	Doc:  "decision tree over word counts, then title, end-of-text, proximity and largest-block filters for news",
	Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, pg *page.Page) {
			l.markTerminators()
			l.markTitle(pg.Title())
			l.classifyByWords()
			l.ignoreAfterEnd(60)
			l.dropTrailingHeadlines()
			l.fuseNear(1, false, false)
			l.dropBoilerplate()
			l.fuseNear(1, true, true)
			l.keepLargest(true, 150)
			l.expandToTitle()
			l.keepLargeOfSameLevel(100)
			l.keepListAtEnd()
		})
	},
}

// Largest is the library's pipeline for pages with one large text.
var Largest = &algorithms.Extractor{
	Name: "boilerpipe-largest", Family: "boilerpipe",
	Doc:  "decision tree over word counts, then the one largest block",
	Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, _ *page.Page) {
			l.classifyByWords()
			l.fuseNear(1, false, false)
			l.keepLargest(false, 0)
		})
	},
}

// Extractors lists the family.
func Extractors() []*algorithms.Extractor {
	return []*algorithms.Extractor{Default, Article, Largest}
}

// run copies the page's blocks, lets pipeline decide, and selects the content.
func run(p *algorithms.Pass, pipeline func(*list, *page.Page)) error {
	built := builtBlocks.Of(p)
	l := algorithms.Scratch[list](p)
	l.reset(built)
	pipeline(l, p.Page)
	l.selectContent(&p.Out, p.Body)
	return nil
}
