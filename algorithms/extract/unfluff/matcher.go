package unfluff

// matcher finds any of several words in a text in one pass, letters in any case
// (Aho and Corasick 1975): state s goes to next[s][symbol of the next byte].
type matcher struct {
	symbol [256]uint8 // 0 for bytes of no word
	next   [][]uint16
	final  []bool
}

// badNames finds the parts of names that the program dislikes.
var badNames = newMatcher(badParts)

func newMatcher(words []string) *matcher {
	m := &matcher{}
	symbols := 1
	for _, word := range words {
		for _, c := range []byte(word) {
			if m.symbol[c] == 0 {
				m.symbol[c] = uint8(symbols)
				if c >= 'a' && c <= 'z' {
					m.symbol[c-'a'+'A'] = uint8(symbols)
				}
				symbols++
			}
		}
	}
	add := func() uint16 {
		m.next = append(m.next, make([]uint16, symbols))
		m.final = append(m.final, false)
		return uint16(len(m.next) - 1)
	}
	add()
	for _, word := range words {
		s := uint16(0)
		for _, c := range []byte(word) {
			if m.next[s][m.symbol[c]] == 0 {
				m.next[s][m.symbol[c]] = add()
			}
			s = m.next[s][m.symbol[c]]
		}
		m.final[s] = true
	}
	// The automaton is completed breadth first: missing steps become those of the
	// longest proper suffix.
	suffix := make([]uint16, len(m.next))
	var queue []uint16
	for _, s := range m.next[0] {
		if s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		m.final[s] = m.final[s] || m.final[suffix[s]]
		for c, to := range m.next[s] {
			if back := m.next[suffix[s]][c]; to == 0 {
				m.next[s][c] = back
			} else {
				suffix[to] = back
				queue = append(queue, to)
			}
		}
	}
	return m
}

// in reports whether one of the words is in text.
func (m *matcher) in(text []byte) bool {
	s := uint16(0)
	for _, c := range text {
		if s = m.next[s][m.symbol[c]]; m.final[s] {
			return true
		}
	}
	return false
}
