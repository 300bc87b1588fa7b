package boilerpipe

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/setting"
)

var cite = algorithms.Cite{
	Authors: "Kohlschütter, Fankhauser, Nejdl",
	Title:   "Boilerplate detection using shallow text features",
	Venue:   "WSDM", Year: 2010, URL: "https://doi.org/10.1145/1718487.1718542",
}

var departures = []string{
	"The tree is that of the HTML standard, not that of NekoHTML.",
	"Text that is not page text (in svg, math and select, and hidden text) is ignored.",
	"Links inside links, which broken tables can have, count as links; the library warns that it loses count of them.",
	"The first proximity fusion of the default pipeline is left out: no block is content yet, so it changes nothing.",
}

// Default is the paper's density classifier over fused blocks.
var Default = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "boilerpipe-default", Family: "boilerpipe",
		Doc:  "selects blocks by a decision tree over text and link density of a block and its neighbours",
		Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	},
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, _ []byte) {
			l.fuseEqualDensity()
			l.classifyByDensity()
		})
	},
}

// ArticleParams are the settings of the unreleased pipeline for news articles.
type ArticleParams struct {
	EndWords    int // words of dense content before the first end phrase that counts
	Gap         int // blocks missing between content that is fused
	ExpandWords int // words of a block around the largest that is kept with it
	LevelWords  int // words of a block anywhere on the largest one's level that is kept
}

// DefaultArticle has the library's values.
var DefaultArticle = ArticleParams{EndWords: 60, Gap: 1, ExpandWords: 150, LevelWords: 100}

// mostWords bounds settings that are numbers of words or blocks.
const mostWords = 1 << 20

func (p *ArticleParams) settings() []setting.Setting {
	return []setting.Setting{
		endWords(&p.EndWords),
		gap(&p.Gap),
		setting.Int("expand_words", &p.ExpandWords, 0, mostWords, "words of a block around the largest, of its level, that is kept"),
		setting.Int("level_words", &p.LevelWords, 0, mostWords, "words of any block of the largest one's level that is kept"),
	}
}

func endWords(n *int) setting.Setting {
	return setting.Int("end_words", n, 0, mostWords, "words of dense content before an end phrase that ends the text")
}

func gap(n *int) setting.Setting {
	return setting.Int("gap", n, 0, mostWords, "blocks missing between content blocks that are fused")
}

// Article is the pipeline for news articles at the head of the library's
// repository, which was not released.
var Article = NewArticle(DefaultArticle)

// NewArticle returns the unreleased pipeline for news articles.
func NewArticle(params ArticleParams) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name: "boilerpipe-article", Family: "boilerpipe",
			Doc:  "selects blocks by a decision tree over word counts, then by title, end-of-text, proximity and largest-block filters for news (unreleased version 2.0)",
			Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
		},
		Run: func(p *algorithms.Pass) error { return run(p, params.pipeline) },
	}
	return setting.Tune(e, params, (*ArticleParams).settings, NewArticle)
}

func (p ArticleParams) pipeline(l *list, title []byte) {
	l.markTerminators()
	l.markCommentLinks()
	l.markTitle(title)
	l.classifyByWords()
	l.ignoreAfterEnd(int32(p.EndWords))
	l.dropTrailingHeadlines()
	l.fuseNear(0, false, false) // no block is missing yet
	l.dropBoilerplate(labelTitle)
	l.fuseNear(int32(p.Gap), true, true)
	l.keepLargest(true, int32(p.ExpandWords))
	l.expandToTitle()
	l.keepLargeOfSameLevel(int32(p.LevelWords))
	l.keepListAtEnd()
}

// ReleasedParams are the settings of the released pipeline for news articles.
type ReleasedParams struct {
	EndWords int // words of dense content before the first end phrase that counts
	Gap      int // blocks missing between content that is fused
}

// DefaultReleased has the library's values.
var DefaultReleased = ReleasedParams{EndWords: 60, Gap: 1}

func (p *ReleasedParams) settings() []setting.Setting {
	return []setting.Setting{endWords(&p.EndWords), gap(&p.Gap)}
}

// ReleasedArticle is the pipeline for news articles of release 1.2.0, which
// BoilerPy3 follows and with it most published figures.
var ReleasedArticle = NewReleasedArticle(DefaultReleased)

// NewReleasedArticle returns the pipeline for news articles of release 1.2.0.
func NewReleasedArticle(params ReleasedParams) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name: "boilerpipe-article-1-2", Family: "boilerpipe",
			Doc:  "selects blocks by the pipeline for news of release 1.2.0, which lacks the filters for blocks on the level of the largest one, lists and trailing headlines",
			Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
		},
		Run: func(p *algorithms.Pass) error { return run(p, params.pipeline) },
	}
	return setting.Tune(e, params, (*ReleasedParams).settings, NewReleasedArticle)
}

func (p ReleasedParams) pipeline(l *list, title []byte) {
	l.markTerminators()
	l.markExactTitle(title)
	l.classifyByWords()
	l.ignoreAfterEnd(int32(p.EndWords))
	l.fuseNear(0, false, false) // no block is missing yet
	l.dropBoilerplate(0)
	l.fuseNear(int32(p.Gap), true, false)
	l.keepLargest(false, 0)
	l.expandToTitle()
}

// Largest is the library's pipeline for pages with one large text.
var Largest = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "boilerpipe-largest", Family: "boilerpipe",
		Doc:  "selects the largest of the blocks that a decision tree over word counts accepts",
		Cite: cite, Fidelity: algorithms.Partial, Departures: departures, Cost: algorithms.Linear,
	},
	Run: func(p *algorithms.Pass) error {
		return run(p, func(l *list, _ []byte) {
			l.classifyByWords()
			l.fuseNear(0, false, false) // no block is missing yet
			l.keepLargest(false, 0)
		})
	},
}

// run copies the page's blocks, lets pipeline decide, and selects the content.
func run(p *algorithms.Pass, pipeline func(l *list, title []byte)) error {
	built := builtBlocks.Of(p)
	l := algorithms.Scratch[list](p)
	l.reset(built)
	l.title.page = appendTitle(l.title.page[:0], p.Page)
	pipeline(l, l.title.page)
	l.selectContent(&p.Out, p.Body)
	return nil
}
