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

// ArticleParams are the settings of the pipeline for news articles.
type ArticleParams struct {
	// SameLevel keeps more than the largest block: blocks of its level, a list
	// that ends it; and drops headings that end it. Without it the chain is the
	// shorter one that older published figures seem to come from
	// (docs/reproduction.md, "CleanEval, Web2Text's blocks").
	SameLevel bool

	EndWords    int // words of dense content before the first end phrase that counts
	Gap         int // blocks missing between content that is fused
	ExpandWords int // of a block around the largest that is kept with it
	LevelWords  int // of a block anywhere on the largest one's level
}

// DefaultArticle has the library's values.
var DefaultArticle = ArticleParams{SameLevel: true, EndWords: 60, Gap: 1, ExpandWords: 150, LevelWords: 100}

// mostWords bounds settings that are numbers of words or blocks.
const mostWords = 1 << 20

func (p *ArticleParams) settings() []algorithms.Setting {
	return []algorithms.Setting{
		algorithms.BoolSetting("same_level", &p.SameLevel, "also keep blocks of the largest block's level and lists at its end; drop headings at its end"),
		algorithms.IntSetting("end_words", &p.EndWords, 0, mostWords, "words of dense content before an end phrase that ends the text"),
		algorithms.IntSetting("gap", &p.Gap, 0, mostWords, "blocks missing between content blocks that are fused"),
		algorithms.IntSetting("expand_words", &p.ExpandWords, 0, mostWords, "words of a block around the largest, of its level, that is kept"),
		algorithms.IntSetting("level_words", &p.LevelWords, 0, mostWords, "words of any block of the largest one's level that is kept"),
	}
}

// Article is the library's pipeline for news articles.
var Article = NewArticle(DefaultArticle)

// NewArticle returns the pipeline for news articles.
func NewArticle(params ArticleParams) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Name: "boilerpipe-article", Family: "boilerpipe",
		Doc:  "decision tree over word counts, then title, end-of-text, proximity and largest-block filters for news",
		Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
		Run: func(p *algorithms.Pass) error { return run(p, params.pipeline) },
	}
	return algorithms.Tune(e, params, (*ArticleParams).settings, NewArticle)
}

func (p ArticleParams) pipeline(l *list, pg *page.Page) {
	l.markTerminators()
	l.markTitle(pg.Title())
	l.classifyByWords()
	l.ignoreAfterEnd(int32(p.EndWords))
	if p.SameLevel {
		l.dropTrailingHeadlines()
	}
	l.fuseNear(0, false, false) // no block is missing yet
	l.dropBoilerplate()
	l.fuseNear(int32(p.Gap), true, p.SameLevel)
	l.keepLargest(p.SameLevel, int32(p.ExpandWords))
	l.expandToTitle()
	if p.SameLevel {
		l.keepLargeOfSameLevel(int32(p.LevelWords))
		l.keepListAtEnd()
	}
}

// Largest is the library's pipeline for pages with one large text.
var Largest = &algorithms.Extractor{
	Name: "boilerpipe-largest", Family: "boilerpipe",
	Doc:  "decision tree over word counts, then the one largest block",
	Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, _ *page.Page) {
			l.classifyByWords()
			l.fuseNear(0, false, false) // no block is missing yet
			l.keepLargest(false, 0)
		})
	},
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
