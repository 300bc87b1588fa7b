package tokens

import "unicode/utf8"

// Blanks says how white space is treated when a text is cut into characters.
type Blanks uint8

const (
	Fold Blanks = iota // each run becomes one blank; none at the ends (step W)
	Drop               // it is left out (step X)
)

// Add appends the numbers of the characters of text to dst and gives new
// characters a number.
func (a *Alphabet) Add(dst []int32, text []byte, blanks Blanks) []int32 {
	return a.cut(dst, text, blanks, a.add)
}

// Find appends the numbers of the characters of text to dst, -1 for those that
// have none.
func (a *Alphabet) Find(dst []int32, text []byte, blanks Blanks) []int32 {
	return a.cut(dst, text, blanks, a.find)
}

func (a *Alphabet) cut(dst []int32, text []byte, blanks Blanks, number func(rune) int32) []int32 {
	var ascii [utf8.RuneSelf]int32 // id+2; 0 for not asked yet
	first, pending := true, false
	for i := 0; i < len(text); {
		c := text[i]
		if c > ' ' && c < utf8.RuneSelf && !pending {
			if ascii[c] == 0 {
				ascii[c] = number(rune(c)) + 2
			}
			dst = append(dst, ascii[c]-2)
			first = false
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		i += n
		if classOf(r)&space != 0 {
			pending = true
			continue
		}
		if pending && !first && blanks == Fold {
			dst = append(dst, number(' '))
		}
		first, pending = false, false
		dst = append(dst, number(r))
	}
	return dst
}
