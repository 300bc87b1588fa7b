package rtdmtd

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// side is a tree with the hashes of its subtrees.
type side struct {
	*labeltree.Tree
	sub []uint64
}

// mapper finds the restricted top-down mapping of least cost between two trees. The
// zero mapper is ready. It holds working memory, so it is for one goroutine at a time.
type mapper struct {
	a, b side
	left int  // steps that this mapping may still take
	over bool // there were not enough

	costs  costs
	kids   []int32 // children of the pairs that are being looked at, a stack
	row    []int32 // their rows of the matrix, a stack
	steps  []step  // steps of the matrix being traced
	traced []pair  // pairs whose children are still to be traced

	inA, inB []bool // nodes that are paired at no cost
}

// keepSteps bounds the matrix that is kept for the next mapping.
const keepSteps = 1 << 20

type pair struct{ a, b int32 }

// step says how the least cost of a cell was reached.
type step uint8

const (
	replace step = iota // the diagonal
	remove
	insert
)

// run maps a to b, roots to roots, and marks the nodes that are paired at no cost in
// inA and inB. It returns false, and the marks mean nothing, if that takes more than
// budget steps.
func (m *mapper) run(a, b side, budget int) bool {
	m.a, m.b, m.left, m.over = a, b, budget, false
	if cap(m.steps) > keepSteps {
		m.steps = nil
	}
	m.costs.reset()
	m.inA, m.inB = algorithms.Zeros(m.inA, a.Len()), algorithms.Zeros(m.inB, b.Len())
	m.kids, m.row = m.kids[:0], m.row[:0]
	m.inA[0], m.inB[0] = true, true
	m.traced = append(m.traced[:0], pair{})
	for len(m.traced) > 0 && !m.over {
		p := m.traced[len(m.traced)-1]
		m.traced = m.traced[:len(m.traced)-1]
		m.trace(p)
	}
	return !m.over
}

// lists holds the children of a pair, without the equal subtrees at the ends and then
// at the beginnings of both lists. Pairing equal subtrees there is never more
// expensive: if the first of one list were paired with something else, at cost s, the
// sizes of the two would differ by s at most, so leaving the other out would cost no
// less.
type lists struct {
	as, bs []int32
	tail   int // equal subtrees at the end
	head   int // … and, of the rest, at the beginning
}

// open pushes the children of p on the stack; close pops them.
func (m *mapper) open(p pair) (l lists) {
	at := len(m.kids)
	m.kids = m.a.Kids(m.kids, p.a)
	mid := len(m.kids)
	m.kids = m.b.Kids(m.kids, p.b)
	l.as, l.bs = m.kids[at:mid:mid], m.kids[mid:]
	m.spend(len(l.as) + len(l.bs))
	x, y := l.as, l.bs
	for len(x) > 0 && len(y) > 0 && m.equal(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
		l.tail++
	}
	for len(x) > 0 && len(y) > 0 && m.equal(x[0], y[0]) {
		x, y = x[1:], y[1:]
		l.head++
	}
	return l
}

func (m *mapper) close(l lists) { m.kids = m.kids[:len(m.kids)-len(l.as)-len(l.bs)] }

// middle returns what remains of the lists between head and tail.
func (l *lists) middle() (as, bs []int32) {
	return l.as[l.head : len(l.as)-l.tail], l.bs[l.head : len(l.bs)-l.tail]
}

// spend takes steps from the budget.
func (m *mapper) spend(steps int) {
	if m.left -= steps; m.left < 0 {
		m.over = true
	}
}

func (m *mapper) equal(x, y int32) bool {
	return m.a.sub[x] == m.b.sub[y] && m.a.Size(x) == m.b.Size(y)
}

// cost is the least cost of a mapping of the children of p.
func (m *mapper) cost(p pair) int32 {
	a, b := m.a.sub[p.a], m.b.sub[p.b]
	if c, known := m.costs.get(a, b); known {
		return c
	}
	before := m.left
	l := m.open(p)
	as, bs := l.middle()
	c := m.matrix(as, bs, nil)
	m.close(l)
	if !m.over {
		m.costs.put(a, b, c, before-m.left)
	}
	return c
}

// matrix returns the least cost of a mapping of two lists of subtrees. If steps is not
// nil it is filled with the path to it: cell i,j is steps[i*len(bs)+j].
func (m *mapper) matrix(as, bs []int32, steps []step) int32 {
	if m.spend(len(as) * len(bs)); m.over {
		return 0
	}
	base, n := len(m.row), len(bs)
	m.row = append(m.row, 0)
	for j, y := range bs {
		m.row = append(m.row, m.row[base+j]+m.b.Size(y))
	}
	for range bs {
		m.row = append(m.row, 0) // the costs of pairing x with each of bs
	}
	for i, x := range as {
		// Items of a template's list are often all alike. The costs of pairing such an
		// item were computed for the one before.
		if i == 0 || m.a.sub[x] != m.a.sub[as[i-1]] || m.a.Size(x) != m.a.Size(as[i-1]) {
			for j, y := range bs {
				s := m.pair(x, y) // may move m.row
				m.row[base+n+1+j] = s
			}
			if m.over {
				return 0
			}
		}
		row, s := m.row[base:base+n+1], m.row[base+n+1:base+n+1+n]
		size, diagonal := m.a.Size(x), row[0]
		row[0] += size
		for j, y := range bs {
			best, way := diagonal+s[j], replace
			if c := row[j+1] + size; c < best {
				best, way = c, remove
			}
			if c := row[j] + m.b.Size(y); c < best {
				best, way = c, insert
			}
			diagonal, row[j+1] = row[j+1], best
			if steps != nil {
				steps[i*n+j] = way
			}
		}
	}
	c := m.row[base+n]
	m.row = m.row[:base]
	return c
}

// pair is the cost s of pairing the subtrees of x and y.
func (m *mapper) pair(x, y int32) int32 {
	switch {
	case m.equal(x, y):
		return 0
	case m.a.Label[x] != m.b.Label[y]:
		return 1 + m.a.Size(x) - 1 + m.b.Size(y) - 1
	case m.a.Leaf(x) || m.b.Leaf(y):
		return m.a.Size(x) - 1 + m.b.Size(y) - 1
	}
	return m.cost(pair{x, y})
}

// trace marks the pairs of the mapping of least cost among the children of p, and
// pushes the pairs whose children are to be traced as well.
func (m *mapper) trace(p pair) {
	l := m.open(p)
	defer m.close(l)
	for k := range l.head {
		m.same(l.as[k], l.bs[k])
	}
	for k := range l.tail {
		m.same(l.as[len(l.as)-1-k], l.bs[len(l.bs)-1-k])
	}
	as, bs := l.middle()
	if len(as) == 0 || len(bs) == 0 {
		return
	}
	if len(as)*len(bs) > m.left { // nothing is allocated for a matrix that is not finished
		m.over = true
		return
	}
	if need := len(as) * len(bs); cap(m.steps) < need {
		m.steps = make([]step, need)
	}
	steps := m.steps[:len(as)*len(bs)]
	m.matrix(as, bs, steps)
	if m.over {
		return
	}
	for i, j := len(as)-1, len(bs)-1; i >= 0 && j >= 0; {
		switch steps[i*len(bs)+j] {
		case remove:
			i--
		case insert:
			j--
		default:
			m.taken(as[i], bs[j])
			i--
			j--
		}
	}
}

// taken marks a pair on the diagonal.
func (m *mapper) taken(x, y int32) {
	switch {
	case m.equal(x, y):
		m.same(x, y)
	case m.a.Label[x] == m.b.Label[y]:
		m.inA[x], m.inB[y] = true, true
		m.traced = append(m.traced, pair{x, y})
	}
}

// same marks a pair of equal subtrees.
func (m *mapper) same(x, y int32) {
	set(m.inA[x:m.a.End[x]])
	set(m.inB[y:m.b.End[y]])
}

func set(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}
