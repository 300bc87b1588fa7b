package density

import (
	"math/rand/v2"
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

// entry is one string of the literal list L, empty ones included.
type entry struct {
	length int
	texts  []*algotest.Node
}

// list makes L as the paper says: one visit of the nodes.
func (p Params) list(root *algotest.Node) []entry {
	l := []entry{{}}
	open := func() {
		if !p.MergeEmpty || len(l[len(l)-1].texts) > 0 {
			l = append(l, entry{})
		}
	}
	var visit func(n *algotest.Node)
	visit = func(n *algotest.Node) {
		if n.IsText() {
			if !n.Hidden {
				last := &l[len(l)-1]
				if len(last.texts) > 0 {
					last.length++
				}
				last.length += n.Chars
				last.texts = append(last.texts, n)
			}
			return
		}
		structural := page.IsBlockTag(n.Tag) || n.Tag == html.TagBr
		if structural {
			open()
		}
		for _, k := range n.Kids {
			visit(k)
		}
		if structural && p.Close {
			open()
		}
	}
	visit(root)
	return l
}

// grow is step 3 as the paper says it: add strings until no more can be added.
func (p Params) grow(lengths []int) (from, to int) {
	m := 0
	for i, n := range lengths {
		if n > lengths[m] {
			m = i
		}
	}
	in := map[int]bool{m: true}
	for changed := true; changed; {
		changed = false
		for i, n := range lengths {
			if in[i] || float64(n) <= p.C1*float64(lengths[m]) {
				continue
			}
			for j := range lengths {
				if in[j] && max(i-j, j-i) < p.C2 {
					in[i], changed = true, true
					break
				}
			}
		}
	}
	from, to = m, m
	for i := range in {
		from, to = min(from, i), max(to, i)
	}
	return from, to
}

func twin(p Params) func(*algorithms.Pass) page.Selection {
	return func(pass *algorithms.Pass) (s page.Selection) {
		root := algotest.Tree(pass.Body)
		if root == nil {
			return s
		}
		l := p.list(root)
		lengths := make([]int, len(l))
		for i := range l {
			lengths[i] = l[i].length
		}
		from, to := p.grow(lengths)
		for _, e := range l[from : to+1] {
			for _, n := range e.texts {
				s.AddTexts(pass.Body, page.Rows{Start: n.Row, End: n.Row + 1})
			}
		}
		return s
	}
}

func TestTwin(t *testing.T) {
	for _, p := range []Params{Default, {C1: 0.333, C2: 4, Close: true}, {C1: 0.1, C2: 2, MergeEmpty: true}, {C1: 0.5, C2: 9, Close: true, MergeEmpty: true}} {
		algotest.Twin(t, New(p), 200, twin(p))
	}
}

// TestRegionIsTheClosure compares the two scans with the growth of the region
// on lists of lengths alone.
func TestRegionIsTheClosure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		p := Params{C1: float64(r.IntN(10)) / 10, C2: 1 + r.IntN(6)}
		lengths := make([]int, 1+r.IntN(40))
		for i := range lengths {
			lengths[i] = max(0, r.IntN(30)-r.IntN(30))
		}
		var list []text
		for i, n := range lengths {
			if n > 0 {
				list = append(list, text{index: int32(i), length: int32(n)})
			}
		}
		if len(list) == 0 {
			continue
		}
		from, to, _ := p.region(list)
		wantFrom, wantTo := p.grow(lengths)
		if int(list[from].index) != wantFrom || int(list[to].index) != wantTo {
			t.Fatalf("%+v of %v: [%d,%d], want [%d,%d]", p, lengths, list[from].index, list[to].index, wantFrom, wantTo)
		}
	}
}

// TestStrings works out the list of a small page:
//
//	0 ""          before body
//	1 ""          body
//	2 "menu"      div
//	3 ""          div, which begins with a p
//	4 "aa bb cc"  p, three pieces joined with blanks
//	5 "dd"        br
//	6 "ee"        p
func TestStrings(t *testing.T) {
	p := algotest.Pass("<body><div>menu</div><div><p>aa <b>bb</b> cc<br>dd</p><p>ee</p></div></body>")
	got := Default.strings(nil, p.Body)
	want := []text{{index: 2, length: 4}, {index: 4, length: 8}, {index: 5, length: 2}, {index: 6, length: 2}}
	if len(got) != len(want) {
		t.Fatalf("%d strings, want %d: %+v", len(got), len(want), got)
	}
	for i := range want {
		if got[i].index != want[i].index || got[i].length != want[i].length {
			t.Errorf("string %d: %+v, want index %d, length %d", i, got[i], want[i].index, want[i].length)
		}
	}
	// The longest is at 4 with 8 characters: the cutoff is 2.664, so "menu" at a
	// distance of 2 joins and the strings of two characters do not.
	if from, to, _ := Default.region(got); from != 0 || to != 1 {
		t.Errorf("region [%d,%d], want [0,1]", from, to)
	}
}
