package web2text

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/location"
	"github.com/winnow/winnow/algorithms/setting"
)

// Blocks is the measure of the paper.
var Blocks = New(Default)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Blocks}

// Params are the settings of the scorer.
type Params struct {
	// Align says how a text is found on the page: ByWords or BySource.
	Align string
}

// These are the ways to find a text on the page.
const (
	ByWords  = "words" // its words among the words of the page text (package align)
	BySource = "w2t"   // its characters among those of the HTML, as the authors' program does
)

// Default aligns in the same way as all of Winnow's scorers.
var Default = Params{Align: ByWords}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("align", &p.Align, "how texts are found on the page: words of the page text, or characters of the source as in the authors' program", ByWords, BySource),
	}
}

// New returns the scorer with other settings.
func New(p Params) *algorithms.Scorer {
	s := &algorithms.Scorer{
		Description: algorithms.Description{
			Name:   "web2text-blocks",
			Family: "web2text",
			Doc:    "texts of the page: relevant if they are mostly gold, found if they are mostly extracted; counted over the package",
			Cite: algorithms.Cite{
				Authors: "Vogels, Ganea, Eickhoff",
				Title:   "Web2Text: Deep Structured Boilerplate Removal",
				Venue:   "ECIR",
				Year:    2018,
				URL:     "https://doi.org/10.1007/978-3-319-76941-7_13",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"Words are aligned with the page text, not characters with the source, unless align=w2t; punctuation goes with the words it touches.",
				"What the page text does not have (content of objects, selects, drawings, templates) is no block.",
				"A page that an extractor fails on counts as empty, as for every scorer; the authors' program leaves it out.",
			},
			Cost: algorithms.NLogN,
		},
		Mean:  algorithms.MicroF1,
		Score: byWords,
	}
	if p.Align == BySource {
		s.Cost, s.Score = algorithms.Superlinear, forms.Once(bySource)
	}
	return setting.TuneScorer(s, p, (*Params).settings, New)
}

// labels says which blocks of a page are content, in the order of blocks.rows.
type labels struct {
	content  []bool
	count    int
	method   string
	coverage float64
	covered  []int32 // by row of the body
}

// label fills content from the units covered of every row.
func (l *labels) label(b *blocks) {
	l.content, l.count = l.content[:0], 0
	for i, r := range b.rows {
		content := l.covered[r] >= b.need[i]
		if content {
			l.count++
		}
		l.content = append(l.content, content)
	}
}

var goldByWords = &algorithms.GoldFeature[labels]{Name: "block labels", Compute: func(dst *labels, g *algorithms.Gold) {
	p := location.Of(g)
	dst.covered = cover(dst.covered, p, p.Gold.Spans)
	dst.label(blocksOf.Of(g))
	dst.method, dst.coverage = p.Method, p.Coverage
}}

func byWords(t *algorithms.Trial) algorithms.Score {
	if !location.Has(t) {
		return algorithms.Score{Reason: algorithms.ReasonNoSpans}
	}
	l := algorithms.TrialScratch[labels](t)
	l.covered = cover(l.covered, location.Of(t.Gold), t.Selection.Spans)
	l.label(blocksOf.Of(t.Gold))
	return compare(goldByWords.Of(t.Gold), l)
}

// compare counts the blocks that are content by the gold, by the extraction, and
// by both.
func compare(gold, extracted *labels) algorithms.Score {
	common, right := 0, 0
	for i, content := range extracted.content {
		if content && gold.content[i] {
			common++
		}
		if content == gold.content[i] {
			right++
		}
	}
	n := len(gold.content)
	s := algorithms.Score{
		Common: int64(common), Extracted: int64(extracted.count), Gold: int64(gold.count), Universe: int64(n),
		PUndefined: extracted.count == 0, RUndefined: gold.count == 0,
		Method: gold.method, Coverage: gold.coverage, Placed: true,
	}
	if common > 0 {
		counts := algorithms.FromCounts(s.Common, s.Extracted, s.Gold)
		s.Precision, s.Recall, s.F1 = counts.Precision, counts.Recall, counts.F1
	}
	if n > 0 {
		s.Value = float64(right) / float64(n)
	}
	return s
}
