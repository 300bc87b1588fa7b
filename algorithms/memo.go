package algorithms

import "reflect"

// Timer is called when the computation of a feature begins (true) and ends
// (false), outermost features only, so that shared work can be told from a
// extractor's own. Nil does nothing.
type Timer func(begin bool)

// memo holds values that are computed at most once per subject (a page, a
// gold text, an extracted text) and whose memory is used again for the next.
// The zero memo is ready.
type memo struct {
	cells []cell
	turn  uint64
	depth int
	timer Timer
}

type cell struct {
	key   any
	value any
	turn  uint64
}

// next forgets all values and keeps their memory.
func (m *memo) next() { m.turn++ }

// recall returns the place of key's value and whether it is there for the
// present subject. If not, the caller computes it between begin and end. It is called
// once or twice for each extractor and page and searches a dozen cells, for which a scan
// is faster than a map. It does not take the computation as a function, because the
// closure would allocate for each feature and page.
func recall[T any](m *memo, key any) (v *T, at int, known bool) {
	for at < len(m.cells) && m.cells[at].key != key {
		at++
	}
	if at == len(m.cells) {
		// turn+1 is never the present turn, so the value counts as not computed.
		m.cells = append(m.cells, cell{key: key, value: new(T), turn: m.turn + 1})
	}
	c := &m.cells[at]
	return c.value.(*T), at, c.turn == m.turn
}

// end marks the value at the given place as computed. It is not called when
// the computation panics, so the value stays uncomputed.
func (m *memo) end(at int) {
	m.leave()
	m.cells[at].turn = m.turn
}

func (m *memo) begin() {
	if m.depth == 0 && m.timer != nil {
		m.timer(true)
	}
	m.depth++
}

func (m *memo) leave() {
	m.depth--
	if m.depth == 0 && m.timer != nil {
		m.timer(false)
	}
}

// keep returns the one T that m holds, made on first use and never reset.
func keep[T any](m *memo) *T {
	key := reflect.TypeFor[T]()
	for i := range m.cells {
		if m.cells[i].key == any(key) {
			return m.cells[i].value.(*T)
		}
	}
	v := new(T)
	m.cells = append(m.cells, cell{key: key, value: v})
	return v
}

// Zeros returns n zero items, in the memory of s if that is large enough. It serves
// slices that an extractor keeps in its Scratch from one page to the next.
func Zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4) // the next page may be a little larger
	}
	s = s[:n]
	clear(s)
	return s
}
