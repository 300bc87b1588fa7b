package tokens

import "bytes"

// Atoms are the pieces of a text between ASCII white space. No tokeniser and no step of
// normalisation looks beyond them: a blank is part of no word, takes no mark, has no
// case, and ends an invalid character. So what an atom becomes is computed once,
// however often the atom occurs on a page.
type Atoms struct {
	IDs   []int32 // numbers; -1-k for Long[k]
	Long  []Span  // atoms that are too long to be numbered
	Lines []Line  // those that have an atom
}

// Line is a line of a text, up to the first atom of the next line.
type Line struct {
	First  int32 // index of its first atom
	Number int32 // equal for equal lines of a page, or -1 if the line has none
}

// longAtom bounds the atoms that are numbered, because longer ones hardly occur twice.
const longAtom = 64

// Numbers gives the atoms and lines of the texts of a page their numbers. Texts
// extracted from one page have most of their lines in common, so a line is cut once.
type Numbers struct {
	Atoms Dict
	lines Dict
	of    []Span // by number of a line: its atoms in ids; negative if they cannot be reused
	ids   []int32
}

// keepLines is how many bytes of lines get numbers.
const keepLines = 1 << 19

// Reset forgets all numbers and keeps the memory, up to a bound.
func (n *Numbers) Reset() {
	n.Atoms.Reset()
	n.lines.Reset()
	n.of, n.ids = n.of[:0], n.ids[:0]
}

// Cut makes a the atoms of text, with the numbers that n gives them.
func (a *Atoms) Cut(n *Numbers, text []byte) {
	a.IDs, a.Long, a.Lines = a.IDs[:0], a.Long[:0], a.Lines[:0]
	for start := 0; start < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		first := len(a.IDs)
		number := a.line(n, text, start, end)
		if len(a.IDs) > first {
			a.Lines = append(a.Lines, Line{int32(first), number})
		}
		start = end + 1
	}
}

// line appends the atoms of the line text[start:end] and returns its number, or -1.
func (a *Atoms) line(n *Numbers, text []byte, start, end int) int32 {
	if n.lines.Size()+end-start > keepLines {
		a.cut(&n.Atoms, text, start, end)
		return -1
	}
	number := n.lines.LongID(text[start:end])
	if int(number) < len(n.of) {
		if s := n.of[number]; s.Start >= 0 {
			a.IDs = append(a.IDs, n.ids[s.Start:s.End]...)
			return number
		}
		a.cut(&n.Atoms, text, start, end)
		return -1
	}
	first, long := len(a.IDs), len(a.Long)
	a.cut(&n.Atoms, text, start, end)
	if len(a.Long) > long {
		n.of = append(n.of, Span{-1, -1})
		return -1
	}
	from := int32(len(n.ids))
	n.ids = append(n.ids, a.IDs[first:]...)
	n.of = append(n.of, Span{from, int32(len(n.ids))})
	return number
}

// cut appends the atoms of text[start:end].
func (a *Atoms) cut(d *Dict, text []byte, start, end int) {
	for i := start; i < end; {
		if blankByte[text[i]] {
			i++
			continue
		}
		from, hash := i, hashSeed
		for i < end && !blankByte[text[i]] {
			hash = hashByte(hash, text[i])
			i++
		}
		if i-from > longAtom {
			a.Long = append(a.Long, Span{int32(from), int32(i)})
			a.IDs = append(a.IDs, int32(-len(a.Long)))
			continue
		}
		a.IDs = append(a.IDs, d.id(text[from:i], hashEnd(hash)))
	}
}

// EachAtom calls f for every atom of text; first tells those that begin a line.
func EachAtom(text []byte, f func(atom []byte, first bool)) {
	begins := true
	for i := 0; i < len(text); {
		if c := text[i]; blankByte[c] {
			begins = begins || c == '\n'
			i++
			continue
		}
		start := i
		for i < len(text) && !blankByte[text[i]] {
			i++
		}
		f(text[start:i], begins)
		begins = false
	}
}

// blankByte is white space among the ASCII characters.
var blankByte = func() (t [256]bool) {
	for c := range 0x80 {
		t[c] = basic[c]&space != 0
	}
	return t
}()
