package rtdmtd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// node is a tree written down.
type node struct {
	label uint64
	kids  []node
}

func n(label uint64, kids ...node) node { return node{label, kids} }

func (v node) append(t *labeltree.Tree) {
	at := t.Len()
	t.Label, t.End = append(t.Label, v.label), append(t.End, 0)
	for _, k := range v.kids {
		k.append(t)
	}
	t.End[at] = int32(t.Len())
}

func (v node) side() side {
	t := new(labeltree.Tree)
	v.append(t)
	return side{t, t.Hashes(nil)}
}

func (v node) size() int {
	s := 1
	for _, k := range v.kids {
		s += k.size()
	}
	return s
}

func (v node) equal(w node) bool {
	return v.label == w.label && slices.EqualFunc(v.kids, w.kids, node.equal)
}

// rtdm is the recurrence as it is written down, with nothing left out.
func rtdm(a, b node) int {
	m := make([][]int, len(a.kids)+1)
	for i := range m {
		m[i] = make([]int, len(b.kids)+1)
	}
	for i := range a.kids {
		m[i+1][0] = m[i][0] + a.kids[i].size()
	}
	for j := range b.kids {
		m[0][j+1] = m[0][j] + b.kids[j].size()
	}
	for i, x := range a.kids {
		for j, y := range b.kids {
			s := 0
			switch {
			case x.equal(y):
			case x.label != y.label:
				s = 1 + x.size() - 1 + y.size() - 1
			case len(x.kids) == 0 || len(y.kids) == 0:
				s = x.size() - 1 + y.size() - 1
			default:
				s = rtdm(x, y)
			}
			m[i+1][j+1] = min(m[i][j]+s, m[i][j+1]+x.size(), m[i+1][j]+y.size())
		}
	}
	return m[len(a.kids)][len(b.kids)]
}

const plenty = 1 << 30

func (m *mapper) total(a, b side) int {
	m.run(a, b, plenty)
	m.costs.reset()
	return int(m.cost(pair{}))
}

// The trees of the vectors: body(h1(A) ul(li(x) li(y)) p(one)) and
// body(h1(A) ul(li(x) li(y)) div(p(two)) p(three)).
const (
	body = iota + 1
	h1
	ul
	li
	p
	div
	textA
	textX
	textY
	one
	two
	three
)

var (
	head   = n(h1, n(textA))
	list   = n(ul, n(li, n(textX)), n(li, n(textY)))
	first  = n(body, head, list, n(p, n(one)))
	second = n(body, head, list, n(div, n(p, n(two))), n(p, n(three)))
)

// TestVector: div(p(two)) is inserted, 3 nodes, and one is replaced by three, 1.
func TestVector(t *testing.T) {
	if got := rtdm(first, second); got != 4 {
		t.Errorf("cost as written down %d, want 4", got)
	}
	var m mapper
	if got := m.total(first.side(), second.side()); got != 4 {
		t.Errorf("cost %d, want 4", got)
	}
	if !m.run(first.side(), second.side(), plenty) {
		t.Fatal("over the budget")
	}
	// body h1 A ul li x li y p, but not one; on the other side not div p two, not three.
	if want := []bool{true, true, true, true, true, true, true, true, true, false}; !slices.Equal(m.inA, want) {
		t.Errorf("of the first tree: %v", m.inA)
	}
	if want := []bool{true, true, true, true, true, true, true, true, false, false, false, true, false}; !slices.Equal(m.inB, want) {
		t.Errorf("of the second tree: %v", m.inB)
	}
}

func TestMapping(t *testing.T) {
	var m mapper
	f := func(rule string, a, b node, cost int, inA ...int) {
		t.Helper()
		if got := m.total(a.side(), b.side()); got != cost {
			t.Errorf("%s: cost %d, want %d", rule, got, cost)
		}
		m.run(a.side(), b.side(), plenty)
		var got []int
		for i, in := range m.inA {
			if in {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, inA) {
			t.Errorf("%s: taken %v, want %v", rule, got, inA)
		}
	}
	f("roots are not compared", n(1, n(2)), n(3, n(2)), 0, 0, 1)
	f("what differs cuts off what is below", n(1, n(2, n(3))), n(1, n(4, n(3))), 3, 0)
	f("equal labels, one a leaf", n(1, n(2)), n(1, n(2, n(3), n(4))), 2, 0, 1)
	f("order is preserved: both are replaced", n(1, n(2), n(3)), n(1, n(3), n(2)), 2, 0)
	f("an item is left out", n(1, n(2, n(5)), n(3), n(4)), n(1, n(2, n(5)), n(4)), 1, 0, 1, 2, 4)
	f("nothing on one side", n(1), n(1, n(2, n(3))), 2, 0)
	f("of three ways to the same cost the diagonal", n(1, n(2, n(7)), n(2, n(8))), n(1, n(2, n(9))), 3, 0, 3)
}

// TestTwin compares costs with those of the recurrence, and counts the nodes of
// the mapping against its cost: every node but those paired at no cost is
// inserted, deleted, or one of two that replace each other.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var m mapper
	for range 3000 {
		a, b := random(r, 3), random(r, 3)
		x, y := a.side(), b.side()
		want := rtdm(a, b)
		if got := m.total(x, y); got != want {
			t.Fatalf("cost %d, want %d, of %v and %v", got, want, a, b)
		}
		if !m.run(x, y, plenty) {
			t.Fatal("over the budget")
		}
		kept := func(marks []bool) (n int) {
			for _, in := range marks {
				if in {
					n++
				}
			}
			return n
		}
		inA, inB := kept(m.inA), kept(m.inB)
		if inA != inB {
			t.Fatalf("%d nodes are paired with %d, of %v and %v", inA, inB, a, b)
		}
		left := x.Len() + y.Len() - inA - inB
		if want > left || 2*want < left {
			t.Fatalf("%d nodes are not paired at a cost of %d, of %v and %v", left, want, a, b)
		}
	}
}

func random(r *rand.Rand, depth int) node {
	v := node{label: uint64(r.IntN(3))}
	if depth > 0 {
		for range r.IntN(5) {
			v.kids = append(v.kids, random(r, depth-1))
		}
	}
	return v
}

func TestBudget(t *testing.T) {
	var m mapper
	if m.run(first.side(), second.side(), 3) {
		t.Error("a mapping in 3 steps")
	}
	if !m.run(first.side(), second.side(), 100) {
		t.Error("a budget that was met is still met")
	}
	wide := func(seed uint64) side {
		v := n(0)
		for i := range uint64(9999) {
			v.kids = append(v.kids, n(1, n(seed<<32+i)))
		}
		return v.side()
	}
	if m.run(wide(1), wide(2), 20_000_000) {
		t.Error("a hundred million cells are within the budget")
	}
	if cap(m.steps) > 20_000_000 {
		t.Errorf("%d cells were allocated before they were refused", cap(m.steps))
	}
}
