package alarte

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/location"
)

// Nodes, NodesElem and Words are the measures of the paper.
var (
	Nodes = scorer("nodes", "nodes of the page that are main content",
		counted(func(n *nodes, _ *page.Body, r page.Rows) int32 { return int32(r.End - r.Start) }))
	NodesElem = scorer("nodes-elem", "elements of the page that are main content",
		counted(func(_ *nodes, b *page.Body, r page.Rows) int32 { return b.Elements[r.End] - b.Elements[r.Start] }))
	Words = scorer("words", "words of the nodes that are main content", words)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Nodes, NodesElem, Words}

func scorer(name, doc string, score func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "alarte-silva",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Alarte, Silva",
				Title:   "Page-level main content extraction from heterogeneous webpages",
				Venue:   "ACM Transactions on Knowledge Discovery from Data 15(6)",
				Year:    2021,
				URL:     "https://doi.org/10.1145/3451168",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The paper does not say which nodes count: they are the elements below body and their texts that are not blank. Gold texts are aligned with the page, and a text node is relevant if more than two thirds of it is.",
				"The paper does not say what a word is: words are separated by white space, and each occurrence on the page counts.",
				"An extraction without locations on the page has no nodes, and its words count as bags (method bag).",
			},
			Cost: algorithms.NLogN,
		},
		Mean:  algorithms.MacroF1,
		Score: score,
	}
}

// nodes is the set of nodes that the gold selects, with the prefix sums by which the
// nodes of both sides are counted.
type nodes struct {
	set         []page.Rows
	wordsBefore []int32 // by row: words of the texts before it
	cover       cover
}

// cover finds the nodes that are relevant for a list of spans.
type cover struct {
	solid    []int32 // by row: covered characters of a text
	texts    []int32 // by row: visible texts before it
	relevant []int32 // by row: relevant ones among them
}

var goldNodes = &algorithms.GoldFeature[nodes]{Name: "nodes", Compute: func(dst *nodes, g *algorithms.Gold) {
	p := location.Of(g)
	b := p.Body
	dst.set = dst.cover.rows(dst.set[:0], p, p.Gold.Spans)
	dst.wordsBefore = append(dst.wordsBefore[:0], 0)
	for r := range b.Tag {
		n := dst.wordsBefore[r]
		if b.Flags[r]&page.IsText != 0 {
			n += int32(tokens.CountFields(b.Text[b.TextStart[r]:b.TextEnd[r]]))
		}
		dst.wordsBefore = append(dst.wordsBefore, n)
	}
}}

// rows appends the largest subtrees below the body that have at least one text and whose
// texts are each covered by spans to more than two thirds. Hidden texts count only if
// something of them is covered.
func (c *cover) rows(dst []page.Rows, p *location.Page, spans []page.Span) []page.Rows {
	b := p.Body
	c.solid = algorithms.Zeros(c.solid, b.Len())
	p.EachText(spans, func(r page.Row, part page.Span) { c.solid[r] += p.Solid(part) })
	c.texts, c.relevant = append(c.texts[:0], 0), append(c.relevant[:0], 0)
	for r := range b.Tag {
		texts, relevant := c.texts[r], c.relevant[r]
		if f := b.Flags[r]; f&page.IsText != 0 && (f&page.Hidden == 0 || c.solid[r] > 0) {
			texts++
			if 3*int64(c.solid[r]) > 2*int64(p.Solid(p.Text(page.Row(r)))) {
				relevant++
			}
		}
		c.texts, c.relevant = append(c.texts, texts), append(c.relevant, relevant)
	}
	for r := page.Row(1); int(r) < b.Len(); {
		end := b.End[r]
		if all := c.texts[end] - c.texts[r]; all > 0 && all == c.relevant[end]-c.relevant[r] {
			dst = appendRows(dst, page.Rows{Start: r, End: end})
			r = end
			continue
		}
		r++
	}
	return dst
}

// appendRows appends r to dst and joins it with the last range where they touch.
func appendRows(dst []page.Rows, r page.Rows) []page.Rows {
	if n := len(dst); n > 0 && dst[n-1].End == r.Start {
		dst[n-1].End = r.End
		return dst
	}
	return append(dst, r)
}

// retrieved is the set of nodes of an extraction.
type retrieved struct {
	set   []page.Rows
	cover cover
}

var trialNodes = &algorithms.TrialFeature[retrieved]{Name: "nodes", Compute: func(dst *retrieved, t *algorithms.Trial) {
	dst.set = dst.set[:0]
	if len(t.Selection.Rows) == 0 {
		dst.set = dst.cover.rows(dst.set, location.Of(t.Gold), t.Selection.Spans)
		return
	}
	for _, r := range t.Selection.Rows {
		if r.Start = max(r.Start, 1); r.Start < r.End { // the body itself is no node
			dst.set = appendRows(dst.set, r)
		}
	}
}}

// counted returns a score function that compares two sets of nodes by the sizes of
// their ranges.
func counted(size func(n *nodes, b *page.Body, r page.Rows) int32) func(*algorithms.Trial) algorithms.Score {
	return func(t *algorithms.Trial) algorithms.Score {
		if !location.Has(t) {
			return algorithms.Score{Reason: algorithms.ReasonNoSpans}
		}
		return compare(t, size)
	}
}

func words(t *algorithms.Trial) algorithms.Score {
	if !location.Has(t) {
		s := forms.Fields.Bag(t)
		s.Method = "bag"
		return s
	}
	return compare(t, func(n *nodes, _ *page.Body, r page.Rows) int32 {
		return n.wordsBefore[r.End] - n.wordsBefore[r.Start]
	})
}

func compare(t *algorithms.Trial, size func(n *nodes, b *page.Body, r page.Rows) int32) algorithms.Score {
	p, gold, trial := location.Of(t.Gold), goldNodes.Of(t.Gold), trialNodes.Of(t)
	total := func(set []page.Rows) (n int64) {
		for _, r := range set {
			n += int64(size(gold, p.Body, r))
		}
		return n
	}
	common := int64(0)
	for i, j := 0, 0; i < len(gold.set) && j < len(trial.set); {
		a, b := gold.set[i], trial.set[j]
		if both := (page.Rows{Start: max(a.Start, b.Start), End: min(a.End, b.End)}); both.Start < both.End {
			common += int64(size(gold, p.Body, both))
		}
		if a.End < b.End {
			i++
		} else {
			j++
		}
	}
	s := algorithms.FromCounts(common, total(trial.set), total(gold.set))
	s.Method, s.Coverage, s.Placed = p.Method, p.Coverage, true
	return s
}
