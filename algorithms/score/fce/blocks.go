package fce

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/internal/location"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of block-f.
type Params struct {
	Blocks []string // the elements that form a block, sorted
}

// Default has the elements of the paper.
var Default = Params{Blocks: []string{"div", "hr", "p", "span", "table", "tr", "ul"}}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Words("blocks", &p.Blocks, "elements that make a block"),
	}
}

// New returns block-f with the given settings.
func New(p Params) *algorithms.Scorer {
	gold := &algorithms.GoldFeature[blocks]{Name: "blocks", Compute: func(dst *blocks, g *algorithms.Gold) { dst.fill(g, p.Blocks) }}
	s := scorer("block-f", "blocks of the page: relevant if they are mostly gold, found if they are mostly extracted",
		func(t *algorithms.Trial) algorithms.Score { return blockF(t, gold) })
	return setting.TuneScorer(s, p, (*Params).settings, New)
}

// blocks holds the blocks of a page that have text.
type blocks struct {
	of      []page.Row // by row: the block that its text belongs to, 0 for the body
	rows    []page.Row // rows of the block elements
	solid   []int32    // by row: characters of the block
	covered []int32    // by row: those that are gold
	content []bool     // by row
	gold    int        // blocks that are content

	nearest []page.Row
}

func (b *blocks) fill(g *algorithms.Gold, elements []string) {
	p := location.Of(g)
	n := p.Body.Len()
	b.of = p.Body.FBlock // the elements of the paper
	if !slices.Equal(elements, Default.Blocks) {
		b.of = b.nearestOf(g.Page, elements)
	}
	b.solid, b.rows, b.gold = algorithms.Zeros(b.solid, n), b.rows[:0], 0
	for _, r := range p.Texts {
		block := b.of[r]
		if b.solid[block] == 0 {
			b.rows = append(b.rows, block)
		}
		b.solid[block] += p.Solid(p.Text(r))
	}
	b.covered, b.content = algorithms.Zeros(b.covered, n), algorithms.Zeros(b.content, n)
	p.EachText(p.Gold.Spans, func(r page.Row, part page.Span) { b.covered[b.of[r]] += p.Solid(part) })
	for _, r := range b.rows {
		if mostly(b.covered[r], b.solid[r]) {
			b.content[r] = true
			b.gold++
		}
	}
}

// nearestOf returns, for each row, the nearest of the elements around it, the row
// itself included.
func (b *blocks) nearestOf(p *page.Page, elements []string) []page.Row {
	var tags []html.Tag
	for _, name := range elements {
		if tag := p.Tag(name); tag != html.TagNone {
			tags = append(tags, tag)
		}
	}
	body := p.Body()
	b.nearest = b.nearest[:0]
	for r, tag := range body.Tag {
		block := page.Row(0)
		switch {
		case r > 0 && body.Flags[r]&page.IsText == 0 && slices.Contains(tags, tag):
			block = page.Row(r)
		case r > 0:
			block = b.nearest[body.Parent[r]]
		}
		b.nearest = append(b.nearest, block)
	}
	return b.nearest
}

// mostly reports whether part is more than two thirds of whole.
func mostly(part, whole int32) bool { return 3*int64(part) > 2*int64(whole) }

// covered is the working memory of a trial.
type covered struct{ solid []int32 }

func blockF(t *algorithms.Trial, gold *algorithms.GoldFeature[blocks]) algorithms.Score {
	if !location.Has(t) {
		return algorithms.Score{Reason: algorithms.ReasonNoSpans}
	}
	p, blocks := location.Of(t.Gold), gold.Of(t.Gold)
	c := algorithms.TrialScratch[covered](t)
	c.solid = algorithms.Zeros(c.solid, p.Body.Len())
	p.EachText(t.Selection.Spans, func(r page.Row, part page.Span) { c.solid[blocks.of[r]] += p.Solid(part) })
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
	s.Universe, s.Method, s.Coverage, s.Placed = int64(len(blocks.rows)), p.Method, p.Coverage, true
	return s
}
