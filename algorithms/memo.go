package algorithms

import "reflect"

// Timer is called when the computation of a feature begins (true) and ends
// (false), outermost features only, so that shared work can be told from a
// method's own. Nil does nothing.
type Timer func(begin bool)

// Memo holds values that are computed at most once per subject (a page, a
// gold text, an extracted text) and whose memory is used again for the next.
// The zero Memo is ready.
type Memo struct {
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
func (m *Memo) next() { m.turn++ }

// recall returns the value of key for the present subject. It is called once
// or twice per method and page, over a dozen cells: a scan beats a map here.
func recall[T any](m *Memo, key any, compute func(*T)) *T {
	i := 0
	for i < len(m.cells) && m.cells[i].key != key {
		i++
	}
	if i == len(m.cells) {
		// turn+1 is never the present turn, so the value counts as not computed.
		m.cells = append(m.cells, cell{key: key, value: new(T), turn: m.turn + 1})
	}
	v := m.cells[i].value.(*T)
	if m.cells[i].turn != m.turn {
		m.enter()
		compute(v)
		m.leave()
		m.cells[i].turn = m.turn // only now: a panic inside leaves the value uncomputed
	}
	return v
}

func (m *Memo) enter() {
	if m.depth == 0 && m.timer != nil {
		m.timer(true)
	}
	m.depth++
}

func (m *Memo) leave() {
	m.depth--
	if m.depth == 0 && m.timer != nil {
		m.timer(false)
	}
}

// keep returns the one T that m holds, made on first use and never reset.
func keep[T any](m *Memo) *T {
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
