package quality

import "github.com/winnow/winnow/algorithms/internal/eight"

// marks are the places of a text that have a . ? or !, ascending. They are found once for
// all that asks for them: few words end in one, and a search for each costs more.
type marks struct {
	at   []int32
	next int // of at, behind those that were given
}

// find replaces m by the marks of text.
func (m *marks) find(text []byte) {
	m.at, m.next = appendMarks(m.at[:0], text), 0
}

// in returns the marks in text[from:to], which lies behind all that was asked for before.
func (m *marks) in(from, to int) []int32 {
	for m.next < len(m.at) && int(m.at[m.next]) < from {
		m.next++
	}
	first := m.next
	for m.next < len(m.at) && int(m.at[m.next]) < to {
		m.next++
	}
	return m.at[first:m.next]
}

// ellipses counts the ellipses of three full stops in the text of m.
func (m *marks) ellipses(text []byte) (n int64) {
	for i := 0; i+2 < len(m.at); i++ {
		if at := m.at[i]; m.at[i+2] == at+2 && string(text[at:at+3]) == "..." {
			n++
			i += 2
		}
	}
	return n
}

// appendMarks appends the places of text that have a . ? or !.
func appendMarks(dst []int32, text []byte) []int32 {
	at := 0
	for ; at+8 <= len(text); at += 8 {
		x := eight.Load(text[at:])
		low := x & eight.Lowest7
		others := (low ^ '.'*eight.Each + eight.Lowest7) & (low ^ '?'*eight.Each + eight.Lowest7) & (low ^ '!'*eight.Each + eight.Lowest7)
		for found := ^(others | x) & eight.Highest; found != 0; found &= found - 1 {
			dst = append(dst, int32(at+eight.First(found)))
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c == '.' || c == '?' || c == '!' {
			dst = append(dst, int32(at))
		}
	}
	return dst
}
