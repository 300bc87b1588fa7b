package quality

import "bytes"

// endMarks are the characters that end sentences.
const endMarks = ".?!"

// marks are the places of a text that have one of endMarks, a list for each, ascending. The
// library searches for one byte so fast that three searches of the whole text cost less than
// one that looks for all three in each eight bytes.
type marks [len(endMarks)]places

// places are where a byte is in a text.
type places struct {
	at   []int32
	next int // index into at, of the first position not given out yet
}

// find replaces m by the marks of text.
func (m *marks) find(text []byte) {
	for i := range m {
		m[i].find(text, endMarks[i])
	}
}

// find replaces p by the places of text that have c.
func (p *places) find(text []byte, c byte) {
	p.at, p.next = p.at[:0], 0
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], c)
		if i < 0 {
			return
		}
		at += i
		p.at = append(p.at, int32(at))
	}
}

// in returns the places in text[from:to]. from may not precede the end of an earlier call's range.
func (p *places) in(from, to int) []int32 {
	for p.next < len(p.at) && int(p.at[p.next]) < from {
		p.next++
	}
	first := p.next
	for p.next < len(p.at) && int(p.at[p.next]) < to {
		p.next++
	}
	return p.at[first:p.next]
}

// ellipses counts the ellipses of three full stops in the text of m.
func (m *marks) ellipses() (n int64) {
	stops := m[0].at
	for i := 0; i+2 < len(stops); i++ {
		if stops[i+2] == stops[i]+2 {
			n++
			i += 2
		}
	}
	return n
}
