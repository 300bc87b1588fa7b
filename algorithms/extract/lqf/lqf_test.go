package lqf

import (
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, LQF25, LQF50, LQF75) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, LQF50) }

func TestEdges(t *testing.T) {
	for _, e := range []*algorithms.Extractor{LQF25, LQF50, LQF75} {
		algotest.Edges(t, e, map[string]string{
			"empty": "", "no-body": "", "only-images": "", "only-hidden": "", "only-links": "",
			"one-text": "only words here", "one-word": "word", "deep": "bottom of the well",
		})
	}
}

// block is the nearest block-level ancestor of a text.
func block(n *algotest.Node) *algotest.Node {
	for n = n.Parent; n.Parent != nil && !page.IsBlockTag(n.Tag); {
		n = n.Parent
	}
	return n
}

// twin asks for every text how much of its block's own text is links.
func twin(threshold float64) func(*algorithms.Pass) page.Selection {
	return func(p *algorithms.Pass) (s page.Selection) {
		root := algotest.Tree(p.Body)
		if root == nil {
			return s
		}
		texts := root.All()
		for _, n := range texts {
			if !n.IsText() {
				continue
			}
			tot, lnk := 0, 0
			for _, m := range texts {
				if m.IsText() && block(m) == block(n) {
					tot += m.Chars
					if m.Under(html.TagA) {
						lnk += m.Chars
					}
				}
			}
			if tot == 0 || float64(lnk)/float64(tot) <= threshold {
				s.AddTexts(p.Body, page.Rows{Start: n.Row, End: n.Row + 1})
			}
		}
		return s
	}
}

// nestedTwin is the other reading: whole subtrees are judged and removed.
func nestedTwin(threshold float64) func(*algorithms.Pass) page.Selection {
	return func(p *algorithms.Pass) (s page.Selection) {
		var visit func(n *algotest.Node)
		visit = func(n *algotest.Node) {
			if n.IsText() {
				s.AddTexts(p.Body, page.Rows{Start: n.Row, End: n.Row + 1})
				return
			}
			tot := n.Sum(func(m *algotest.Node) int { return m.Chars })
			lnk := n.Sum(func(m *algotest.Node) int {
				if m.Under(html.TagA) {
					return m.Chars
				}
				return 0
			})
			if page.IsBlockTag(n.Tag) && tot > 0 && float64(lnk)/float64(tot) > threshold {
				return
			}
			for _, k := range n.Kids {
				visit(k)
			}
		}
		if root := algotest.Tree(p.Body); root != nil {
			visit(root)
		}
		return s
	}
}

func TestTwin(t *testing.T) {
	algotest.Twin(t, LQF25, 200, twin(0.25))
	algotest.Twin(t, LQF50, 200, twin(0.5))
	algotest.Twin(t, LQF75, 200, twin(0.75))
	nested, err := LQF50.With(map[string]string{"nested": "true"})
	if err != nil {
		t.Fatal(err)
	}
	algotest.Twin(t, nested, 200, nestedTwin(0.5))
}

// TestQuota works out blocks at and around a threshold: 4 of 8 characters, 5
// of 9, and 4 of 4 in a block whose inner block is judged for itself.
func TestQuota(t *testing.T) {
	const html = "<body><p>abcd<a>efgh</a></p><p>abcd<a>efghi</a></p><div><a>wxyz</a><p>own</p></div></body>"
	p := algotest.Pass(html)
	m := Params{Threshold: 0.5}
	if err := m.own(p); err != nil {
		t.Fatal(err)
	}
	if got, want := string(p.Out.AppendText(nil, p.Body)), "abcdefgh\nown"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s := algorithms.Scratch[scratch](p)
	for row, want := range map[page.Row]quota{1: {8, 4}, 5: {9, 5}, 9: {4, 4}, 12: {3, 0}} {
		if s.quotas[row] != want {
			t.Errorf("row %d: %+v, want %+v", row, s.quotas[row], want)
		}
	}
}
