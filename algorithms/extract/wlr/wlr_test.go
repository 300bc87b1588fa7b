package wlr

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "", "only-links": "",
		"one-text": "", "one-word": "", "deep": "", // nothing is above the ratio of the page
	})
}

func words(n *algotest.Node) int {
	return n.Sum(func(m *algotest.Node) int {
		if m.Under(html.TagA) {
			return 0
		}
		return m.Words
	})
}

func wlr(n *algotest.Node) float64 {
	leaves := n.Sum(func(m *algotest.Node) int {
		if !m.Hidden && len(m.Kids) == 0 {
			return 1
		}
		return 0
	})
	if leaves == 0 {
		return 0
	}
	return float64(words(n)) / float64(leaves)
}

// seeds is S: the words of their own that the seeds of a subtree have, which
// are above the ratio of the page.
func seeds(page float64, n *algotest.Node) int {
	return n.Sum(func(m *algotest.Node) int {
		own := 0
		for _, k := range m.Kids {
			if k.IsText() {
				own += words(k)
			}
		}
		if own == 0 || wlr(m) <= page {
			return 0
		}
		return own
	})
}

func twin(params Params) func(*algorithms.Pass) page.Selection {
	return func(p *algorithms.Pass) (s page.Selection) {
		root := algotest.Tree(p.Body)
		if root == nil {
			return s
		}
		least := wlr(root)
		total := seeds(least, root)
		if total == 0 {
			return s
		}
		container := root
	descend:
		for {
			for _, k := range container.Elements() {
				if float64(seeds(least, k)) >= params.Cover*float64(total) {
					container = k
					continue descend
				}
			}
			break
		}
		for _, k := range container.Kids {
			if k.IsText() || seeds(least, k) > 0 && wlr(k) >= params.Factor*least {
				s.AddRow(p.Body, k.Row)
			}
		}
		return s
	}
}

func TestTwin(t *testing.T) {
	for _, p := range []Params{Default, {Cover: 0.8, Factor: 0.5}, {Cover: 0.2, Factor: 2}} {
		algotest.Twin(t, New(p), 100, twin(p))
	}
}

// TestRatios works out a small page.
//
//	row               words  leaves  ratio  own  S
//	0 body               16       5    3.2    0   12
//	1   ul                0       1    0      0    0
//	5   div              16       4    4      2   12
//	6     #text           2
//	7     p               6       1    6      6    6
//	9     br              0       1
//	10    p               4       1    4      4    4      links do not count as words
//	…
func TestRatios(t *testing.T) {
	p := algotest.Pass("<body><ul><li><a href=/>home page</a></li></ul>" +
		"<div>in short <p>one two three four five six</p><br><p>one two three four</p></div></body>")
	b := p.Body
	var s scratch
	s.resize(b.Len())
	s.sow(b)
	f := func(row page.Row, wlr float64, own int32, sum int) {
		t.Helper()
		if got := ratio(b, row); math.Abs(got-wlr) > 1e-12 {
			t.Errorf("row %d: ratio %v, want %v", row, got, wlr)
		}
		if s.own[row] != own || b.Sum(s.seeds, row) != sum {
			t.Errorf("row %d: own %d, S %d, want %d, %d", row, s.own[row], b.Sum(s.seeds, row), own, sum)
		}
	}
	f(0, 12.0/5, 0, 12)
	f(1, 0, 0, 0)
	f(5, 12.0/4, 2, 12)
	f(7, 6, 6, 6)
	f(10, 4, 4, 4)
	if c := Default.container(b, s.seeds, 6); c != 7 {
		t.Errorf("container %d, want 7: half of the seed words", c)
	}
	if c := Default.container(b, s.seeds, 7); c != 5 {
		t.Errorf("container %d, want 5", c)
	}
}
