package lqf

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the filter.
type Params struct {
	Threshold float64 // largest share of link text that a block may have
	Nested    bool    // judge and remove whole subtrees instead of own text
}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("t", &p.Threshold, 0, 1, "largest share of link characters in a block that is kept"),
		setting.Bool("nested", &p.Nested, "judge the whole subtree of a block, and remove it whole"),
	}
}

// The published thresholds.
var (
	LQF25 = New("lqf-25", Params{Threshold: 0.25})
	LQF50 = New("lqf-50", Params{Threshold: 0.50})
	LQF75 = New("lqf-75", Params{Threshold: 0.75})
)

// New returns the filter under the given name.
func New(name string, p Params) *algorithms.Extractor {
	run := p.own
	if p.Nested {
		run = p.subtrees
	}
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   name,
			Family: "lqf",
			Doc:    "removes the text of blocks that consist mostly of links",
			Cite: algorithms.Cite{
				Authors: "Mantratzis, Orgun, Cassidy",
				Title:   "Separating XHTML content from navigation clutter using DOM-structure block analysis",
				Venue:   "Hypertext",
				Year:    2005,
				URL:     "https://doi.org/10.1145/1083356.1083384",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"Text in a nested block counts for that block only, not for the blocks around it (“nested block level elements are not considered”). nested=true is the other reading, the ratio of the whole subtree; on CleanEval it loses about 9 points of recall at 0.25 and 2.5 at 0.50.",
				"A block whose ratio equals the threshold is kept.",
				"Anchors without href count as links: the source says “in a elements”.",
			},
			Cost: algorithms.Linear,
		},
		Run: run,
	}
	return setting.Tune(e, p, (*Params).settings, func(p Params) *algorithms.Extractor { return New(name, p) })
}

// quota holds the characters of a block's own text, in total and in links.
type quota struct{ tot, lnk int32 }

type scratch struct{ quotas []quota }

// own decides about every block by its own text.
func (p Params) own(pass *algorithms.Pass) error {
	b := pass.Body
	n := b.Len()
	s := algorithms.Scratch[scratch](pass)
	if cap(s.quotas) < n {
		s.quotas = make([]quota, n)
	}
	quotas := s.quotas[:n]
	clear(quotas)

	tag, block, c, ca := b.Tag[:n], b.Block[:n], b.Chars[:n+1], b.AnchorChars[:n+1]
	for i, t := range tag {
		if t == html.TagText {
			q := &quotas[block[i]]
			q.tot += c[i+1] - c[i]
			q.lnk += ca[i+1] - ca[i]
		}
	}
	kept := page.Row(0) // rows before it are settled
	for i, t := range tag {
		if t == html.TagText && p.over(quotas[block[i]]) {
			pass.Out.AddTexts(b, page.Rows{Start: kept, End: page.Row(i)})
			kept = page.Row(i + 1)
		}
	}
	pass.Out.AddTexts(b, page.Rows{Start: kept, End: page.Row(n)})
	return nil
}

func (p Params) over(q quota) bool {
	return q.tot > 0 && float64(q.lnk)/float64(q.tot) > p.Threshold
}

// subtrees decides about every block by all text below it and skips what it removes.
func (p Params) subtrees(pass *algorithms.Pass) error {
	b := pass.Body
	n := page.Row(b.Len())
	kept := page.Row(0)
	for i := page.Row(0); i < n; {
		if b.Flags[i]&page.IsBlock != 0 && p.over(quota{int32(b.Sum(b.Chars, i)), int32(b.Sum(b.AnchorChars, i))}) {
			pass.Out.AddTexts(b, page.Rows{Start: kept, End: i})
			kept, i = b.End[i], b.End[i]
		} else {
			i++
		}
	}
	pass.Out.AddTexts(b, page.Rows{Start: kept, End: n})
	return nil
}
