package unfluff

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/feature/stopwords"
)

// wordText counts function words in any slice of a text in constant time: the
// text as the program looks at it (punctuation deleted, lower case), where its
// blanks are, and how many function words precede each.
type wordText struct {
	text   []byte
	blanks []int32 // positions of U+0020
	stops  []int32 // stops[k]: function words among the first k words
	units  int     // UTF-16 units of all that was added
}

// mark is a position in a wordText.
type mark struct {
	at     int32 // position in the text
	blanks int32 // before it
	units  int32
}

func (w *wordText) reset() {
	w.text, w.blanks, w.stops, w.units = w.text[:0], w.blanks[:0], w.stops[:0], 0
}

func (w *wordText) here() mark {
	return mark{int32(len(w.text)), int32(len(w.blanks)), int32(w.units)}
}

// deleted are the characters that the program deletes before it counts.
var deleted = func() (t [utf8.RuneSelf]bool) {
	for _, c := range "|@<>[]\"'.,-/#?!$%^&*+;:{}=_`~()" {
		t[c] = true
	}
	return t
}()

// add appends text.
func (w *wordText) add(text []byte) {
	out := w.text
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			w.units++
			switch {
			case c == ' ':
				w.blanks = append(w.blanks, int32(len(out)))
				out = append(out, c)
			case deleted[c]:
			case c >= 'A' && c <= 'Z':
				out = append(out, c+'a'-'A')
			default:
				out = append(out, c)
			}
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		w.units++
		if r > 0xFFFF {
			w.units++
		}
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	w.text = out
}

// seal counts the function words; nothing is added after it.
func (w *wordText) seal(list *stopwords.List) {
	w.stops = append(w.stops, 0)
	from, n := int32(0), int32(0)
	for _, blank := range w.blanks {
		if list.Has(w.text[from:blank]) {
			n++
		}
		w.stops = append(w.stops, n)
		from = blank + 1
	}
}

// count returns the number of function words between two positions. The first and the
// last word may be parts of words of the whole text, so they are looked up separately.
func (w *wordText) count(a, b mark, list *stopwords.List) int {
	if a.blanks == b.blanks {
		return has(list, w.text[a.at:b.at])
	}
	first := w.text[a.at:w.blanks[a.blanks]]
	last := w.text[w.blanks[b.blanks-1]+1 : b.at]
	return has(list, first) + int(w.stops[b.blanks]-w.stops[a.blanks+1]) + has(list, last)
}

func has(list *stopwords.List, word []byte) int {
	if list.Has(word) {
		return 1
	}
	return 0
}
