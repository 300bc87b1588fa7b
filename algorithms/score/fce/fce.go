package fce

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/places"
)

// BlockF and WordF are the measures of the paper.
var (
	BlockF = scorer("block-f", "blocks of the page that are mostly gold, found by extractions of most of them", blockF)
	WordF  = scorer("word-f", "words by their place on the page", wordF)
)

// Scorers are the measures of this package.
var Scorers = []*algorithms.Scorer{BlockF, WordF}

func scorer(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
		Name:   name,
		Family: "fce",
		Doc:    doc,
		Cite: algorithms.Cite{
			Authors: "Debnath, Mitra, Pal, Giles",
			Title:   "Automatic Identification of Informative Sections of Web Pages",
			Venue:   "IEEE Transactions on Knowledge and Data Engineering 17(9)",
			Year:    2005,
			URL:     "https://doi.org/10.1109/TKDE.2005.138",
		},
		Fidelity: algorithms.Reconstructed,
		Departures: []string{
			"Blocks were labelled by hand; here the gold is aligned with the page, and two thirds decide.",
			"The paper does not say how words are matched; here by place.",
		},
		Cost:  algorithms.NLogN,
		Mean:  algorithms.MacroF1,
		Score: score,
	}
}

// blocks are the blocks of a page that have text.
type blocks struct {
	rows    []page.Row // of the block elements, 0 for the body
	solid   []int32    // by row: characters of the block
	covered []int32    // by row: those that are gold
	content []bool     // by row
	gold    int        // blocks that are content
}

var goldBlocks = &algorithms.Prepared[blocks]{Name: "blocks", Compute: func(dst *blocks, g *algorithms.Gold) {
	p := places.Of(g)
	b := p.Body
	dst.solid, dst.rows, dst.gold = zeroed(dst.solid, b.Len()), dst.rows[:0], 0
	for _, r := range p.Texts {
		block := b.FBlock[r]
		if dst.solid[block] == 0 {
			dst.rows = append(dst.rows, block)
		}
		dst.solid[block] += p.Solid(p.Text(r))
	}
	dst.covered, dst.content = zeroed(dst.covered, b.Len()), zeroed(dst.content, b.Len())
	p.EachText(p.Gold.Spans, func(r page.Row, part page.Span) { dst.covered[b.FBlock[r]] += p.Solid(part) })
	for _, r := range dst.rows {
		if mostly(dst.covered[r], dst.solid[r]) {
			dst.content[r] = true
			dst.gold++
		}
	}
}}

// mostly: more than two thirds.
func mostly(part, whole int32) bool { return 3*int64(part) > 2*int64(whole) }

// covered is the working memory of a trial.
type covered struct{ solid []int32 }

func blockF(t *algorithms.Trial) algorithms.Score {
	if !places.Has(t) {
		return algorithms.Score{Reason: algorithms.ReasonNoSpans}
	}
	p, blocks := places.Of(t.Gold), goldBlocks.Of(t.Gold)
	c := algorithms.TrialScratch[covered](t)
	c.solid = zeroed(c.solid, p.Body.Len())
	p.EachText(t.Selection.Spans, func(r page.Row, part page.Span) { c.solid[p.Body.FBlock[r]] += p.Solid(part) })
	common, extracted := 0, 0
	for _, r := range blocks.rows {
		if mostly(c.solid[r], blocks.solid[r]) {
			extracted++
			if blocks.content[r] {
				common++
			}
		}
	}
	s := algorithms.FromCounts(int64(common), int64(extracted), int64(blocks.gold))
	s.Universe, s.Method, s.Coverage = int64(len(blocks.rows)), p.Method, p.Coverage
	return s
}

func wordF(t *algorithms.Trial) algorithms.Score {
	if !places.Has(t) {
		s := forms.Words.Bag(t)
		s.Method = "bag"
		return s
	}
	p := places.Of(t.Gold)
	common, extracted := int32(0), 0
	p.EachWords(t.Selection.Spans, func(from, to int) {
		extracted += to - from
		common += p.GoldBefore[to] - p.GoldBefore[from]
	})
	s := algorithms.FromCounts(int64(common), int64(extracted), int64(p.GoldWords))
	s.Method, s.Coverage = p.Method, p.Coverage
	return s
}

// zeroed returns s with n zero items.
func zeroed[T int32 | bool](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
