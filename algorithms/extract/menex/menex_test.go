package menex

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
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
		"one-text": "only words here", "one-word": "word", "deep": "bottom of the well",
	})
}

// count is the number of visible nodes of a subtree with a property.
func count(n *algotest.Node, is func(*algotest.Node) bool) float64 {
	return float64(n.Sum(func(m *algotest.Node) int {
		if !m.Hidden && is(m) {
			return 1
		}
		return 0
	}))
}

func chars(n *algotest.Node) float64 {
	return float64(n.Sum(func(m *algotest.Node) int { return m.Chars }))
}

// score is the weighted sum, read from the definition; −1 for what is no menu.
func score(root, n *algotest.Node) float64 {
	links := count(n, func(m *algotest.Node) bool { return m.Tag == html.TagA })
	linked := float64(n.Sum(func(m *algotest.Node) int {
		if m.Under(html.TagA) {
			return m.Chars
		}
		return 0
	}))
	if n == root || n.IsText() || n.Tag == html.TagA || links < 2 || chars(n) == 0 || linked < 0.75*chars(n) {
		return -1
	}
	amp, ul, nav := 0.0, 0.0, 0.0
	if k := len(n.Elements()); k > 0 {
		amp = 1 - 1/float64(k)
	}
	if count(n, func(m *algotest.Node) bool {
		return m.Tag == html.TagUl || m.Tag == html.TagOl || m.Tag == html.TagLi
	}) > 0 {
		ul = 1
	}
	if n.Tag == html.TagNav {
		nav = 1
	}
	leaves := count(n, func(m *algotest.Node) bool { return len(m.Kids) == 0 })
	return 0.2*amp + 0.3*min(1, links/leaves) + 0.2*(1-chars(n)/chars(root)) + 0.1*ul + 0.1*nav +
		0.1*(1-float64(n.Row)/float64(len(root.All())))
}

func twin(p *algorithms.Pass) (s page.Selection) {
	root := algotest.Tree(p.Body)
	var visit func(n *algotest.Node)
	visit = func(n *algotest.Node) {
		if score(root, n) >= 0.5 {
			return
		}
		s.AddRows(p.Body, page.Rows{Start: n.Row, End: n.Row + 1})
		for _, k := range n.Kids {
			visit(k)
		}
	}
	if root != nil {
		visit(root)
	}
	return s
}

func TestTwin(t *testing.T) { algotest.Twin(t, Extractor, 200, twin) }

// TestScore works out the score of a navigation list:
//
//	amp 1 − 1/3, link 3/3, text 1 − 9/29, ul 1, nav 0, pos 1 − 1/13
func TestScore(t *testing.T) {
	p := algotest.Pass("<body><ul><li><a href=/1>one</a></li><li><a href=/2>two</a></li><li><a href=/3>six</a></li></ul>" +
		"<p>twenty letters of it</p></body>")
	if p.Body.Len() != 13 {
		t.Fatalf("%d rows, want 13", p.Body.Len())
	}
	want := 0.2*2/3 + 0.3 + 0.2*20/29 + 0.1 + 0.1*12/13
	if got := Default.score(p.Body, 1); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	if got := algotest.Text(t, Extractor, "<body><ul><li><a href=/1>one</a></li></ul><p>text</p></body>"); got != "one\ntext" {
		t.Errorf("a single link is a menu: %q", got)
	}
}
