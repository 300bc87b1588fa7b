package equaltopdown

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// Side is a tree with the hashes of its subtrees, as Tree.Hashes gives them.
type Side struct {
	*labeltree.Tree
	Sub []uint64
	// Group has for each node a value that nodes must share to be compared at all. If
	// it is nil, Tree.Label is used.
	Group []uint64
}

// NewSide hashes the subtrees of t.
func NewSide(t *labeltree.Tree) Side { return Side{Tree: t, Sub: t.Hashes(nil)} }

func (s *Side) group() []uint64 {
	if s.Group != nil {
		return s.Group
	}
	return s.Label
}

// Mapper finds mappings. The zero Mapper is ready. It holds working memory, so it is
// for one goroutine at a time.
type Mapper struct {
	// Like reports whether two nodes of one group are equal. If it is nil, all of them
	// are.
	Like func(a, b int32) bool

	pairs  []pair
	as     []int32 // children of the current pair
	bs     []int32
	paired []bool // for each of bs, whether it has a partner
	alike  []bool // for each of as, whether it is paired with an equal subtree
	lists  buckets
}

type pair struct{ a, b int32 }

// Map sets mapped[n] for every node n of a to whether the mapping from a to b contains
// n. Neither tree may be empty.
func (m *Mapper) Map(a, b Side, mapped []bool) {
	clear(mapped)
	mapped[0] = true
	m.pairs = append(m.pairs[:0], pair{0, 0})
	for len(m.pairs) > 0 {
		p := m.pairs[len(m.pairs)-1]
		m.pairs = m.pairs[:len(m.pairs)-1]
		m.children(a, b, p, mapped)
	}
}

// children pairs the children of a pair.
func (m *Mapper) children(a, b Side, p pair, mapped []bool) {
	if a.Leaf(p.a) || b.Leaf(p.b) {
		return
	}
	m.as, m.bs = a.Kids(m.as[:0], p.a), b.Kids(m.bs[:0], p.b)
	m.alike, m.paired = algorithms.Zeros(m.alike, len(m.as)), algorithms.Zeros(m.paired, len(m.bs))

	// Equal subtrees come first. The children that both sides begin with are mostly
	// equal and need no look-up.
	same := 0
	for same < min(len(m.as), len(m.bs)) && m.equal(a, b, same, same) {
		m.take(a, same, same, mapped)
		same++
	}
	if same == len(m.as) || same == len(m.bs) {
		return
	}
	m.lists.fill(m.bs, b.Sub, m.paired, same)
	for i := same; i < len(m.as); i++ {
		if l := m.lists.find(a.Sub[m.as[i]]); l != nil && l.first >= 0 && m.equal(a, b, i, int(l.first)) {
			m.take(a, i, int(l.first), mapped)
			m.lists.remove(l, l.first)
		}
	}

	// Equal nodes come second.
	group := a.group()
	m.lists.fill(m.bs, b.group(), m.paired, same)
	for i := same; i < len(m.as); i++ {
		if m.alike[i] {
			continue
		}
		l := m.lists.find(group[m.as[i]])
		if l == nil {
			continue
		}
		if j := m.nearest(l, int32(i)); j >= 0 {
			m.lists.remove(l, j)
			mapped[m.as[i]] = true
			m.pairs = append(m.pairs, pair{m.as[i], m.bs[j]})
		}
	}
}

// maxTries bounds how many children of its group a child is compared with, so
// that a mapping stays linear.
const maxTries = 32

// nearest is the nearest equal child in l, -1 if there is none.
func (m *Mapper) nearest(l *slot, i int32) int32 {
	if m.Like == nil {
		return m.lists.nearest(l, i)
	}
	m.lists.seek(l, i)
	behind, front := m.lists.around(l)
	for range maxTries {
		var j int32
		switch {
		case behind < 0 && front < 0:
			return -1
		case front < 0 || behind >= 0 && behind-i < i-front:
			j, behind = behind, m.lists.next[behind]
		default:
			j, front = front, m.lists.prev[front]
		}
		if m.Like(m.as[i], m.bs[j]) {
			return j
		}
	}
	return -1
}

// equal reports whether child i of one side is the same subtree as child j of the
// other.
func (m *Mapper) equal(a, b Side, i, j int) bool {
	x, y := m.as[i], m.bs[j]
	return a.Sub[x] == b.Sub[y] && a.Size(x) == b.Size(y)
}

// take pairs equal subtrees.
func (m *Mapper) take(a Side, i, j int, mapped []bool) {
	m.alike[i], m.paired[j] = true, true
	n := m.as[i]
	all := mapped[n:a.End[n]]
	for k := range all {
		all[k] = true
	}
}
