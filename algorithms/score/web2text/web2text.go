package web2text

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/internal/places"
)

// Blocks is the measure of the paper.
var Blocks = &algorithms.Scorer{
	Name:   "web2text-blocks",
	Family: "web2text",
	Doc:    "texts of the page that are mostly gold, found by extractions of most of them, counted over the package",
	Cite: algorithms.Cite{
		Authors: "Vogels, Ganea, Eickhoff",
		Title:   "Web2Text: Deep Structured Boilerplate Removal",
		Venue:   "ECIR",
		Year:    2018,
		URL:     "https://doi.org/10.1007/978-3-319-76941-7_13",
	},
	Fidelity:   algorithms.Partial,
	Departures: []string{"Words are aligned with the page text, not characters with the source."},
	Cost:       algorithms.NLogN,
	Mean:       algorithms.MicroF1,
	Score:      score,
}

// Scorers are the measures of this package.
var Scorers = []*algorithms.Scorer{Blocks}

// labels are the blocks of a page, in the order of places.Page.Texts.
type labels struct {
	need    []int32 // units that must be covered, at least
	content []bool
	gold    int
	covered []int32 // by row
}

var goldLabels = &algorithms.Prepared[labels]{Name: "block labels", Compute: func(dst *labels, g *algorithms.Gold) {
	p := places.Of(g)
	dst.need, dst.content, dst.gold = dst.need[:0], dst.content[:0], 0
	dst.covered = cover(dst.covered, p, p.Gold.Spans)
	for _, r := range p.Texts {
		n := need(p.Units(trimmed(p, r)))
		content := dst.covered[r] >= n
		if content {
			dst.gold++
		}
		dst.need, dst.content = append(dst.need, n), append(dst.content, content)
	}
}}

// need is the least number of covered units that makes a block of n content.
func need(n int32) int32 { return 2*max(n, 1)/3 + 1 }

// trimmed is the span of a text without the blanks at its ends.
func trimmed(p *places.Page, r page.Row) page.Span {
	s := p.Text(r)
	for s.Start < s.End && isBlank(p.Body.Text[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isBlank(p.Body.Text[s.End-1]) {
		s.End--
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// cover is the number of units of each text row that spans cover, blanks at its
// ends aside.
func cover(dst []int32, p *places.Page, spans []page.Span) []int32 {
	if cap(dst) < p.Body.Len() {
		dst = make([]int32, p.Body.Len())
	}
	dst = dst[:p.Body.Len()]
	clear(dst)
	p.EachText(spans, func(r page.Row, part page.Span) {
		whole := trimmed(p, r)
		part.Start, part.End = max(part.Start, whole.Start), min(part.End, whole.End)
		if part.Start < part.End {
			dst[r] += p.Units(part)
		}
	})
	return dst
}

type scratch struct{ covered []int32 }

func score(t *algorithms.Trial) algorithms.Score {
	if !places.Has(t) {
		return algorithms.Score{Reason: algorithms.ReasonNoSpans}
	}
	p, gold := places.Of(t.Gold), goldLabels.Of(t.Gold)
	w := algorithms.TrialScratch[scratch](t)
	w.covered = cover(w.covered, p, t.Selection.Spans)
	common, extracted, right := 0, 0, 0
	for i, r := range p.Texts {
		content := w.covered[r] >= gold.need[i]
		if content {
			extracted++
			if gold.content[i] {
				common++
			}
		}
		if content == gold.content[i] {
			right++
		}
	}
	s := algorithms.Score{
		Common: int64(common), Extracted: int64(extracted), Gold: int64(gold.gold), Universe: int64(len(p.Texts)),
		PUndefined: extracted == 0, RUndefined: gold.gold == 0,
		Method: p.Method, Coverage: p.Coverage,
	}
	if common > 0 {
		counts := algorithms.FromCounts(s.Common, s.Extracted, s.Gold)
		s.Precision, s.Recall, s.F1 = counts.Precision, counts.Recall, counts.F1
	}
	if len(p.Texts) > 0 {
		s.Value = float64(right) / float64(len(p.Texts))
	}
	return s
}
