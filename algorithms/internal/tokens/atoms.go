package tokens

// Atoms are the pieces of a text between ASCII white space. No tokeniser and no step of
// normalisation looks beyond them: a blank is part of no word, takes no mark, has no
// case, and ends an invalid character. So what an atom becomes is computed once,
// however often the atom occurs on a page.
type Atoms struct {
	IDs   []int32 // numbers; -1-k for Long[k]
	Long  []Span  // atoms that are too long to be numbered
	Lines []int32 // index of the first atom of every line that has one
}

// longAtom bounds the atoms that are numbered, because longer ones hardly occur twice.
const longAtom = 64

// Cut makes a the atoms of text, with the numbers that d gives them.
func (a *Atoms) Cut(d *Dict, text []byte) {
	a.IDs, a.Long, a.Lines = a.IDs[:0], a.Long[:0], a.Lines[:0]
	begins := true // a line
	for i := 0; i < len(text); {
		if c := text[i]; blankByte[c] {
			begins = begins || c == '\n'
			i++
			continue
		}
		if begins {
			a.Lines = append(a.Lines, int32(len(a.IDs)))
			begins = false
		}
		start, hash := i, hashSeed
		for i < len(text) && !blankByte[text[i]] {
			hash = hashByte(hash, text[i])
			i++
		}
		if i-start > longAtom {
			a.Long = append(a.Long, Span{int32(start), int32(i)})
			a.IDs = append(a.IDs, int32(-len(a.Long)))
			continue
		}
		a.IDs = append(a.IDs, d.id(text[start:i], hashEnd(hash)))
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
