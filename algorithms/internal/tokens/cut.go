package tokens

import "unicode/utf8"

// Span is a half-open range of bytes [Start, End) of a text.
type Span struct{ Start, End int32 }

// A Tokeniser appends the words of text to dst, in order.
type Tokeniser func(dst []Span, text []byte) []Span

// Words cuts text into runs of letters, numbers, marks and "_", where a
// character of a script written without blanks is, with the marks that follow
// it, a word of its own.
func Words(dst []Span, text []byte) []Span {
	start, alone := -1, false // start of the open word; whether it takes marks only
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		c := classOf(r)
		if start >= 0 && (c&word == 0 || c&lone != 0 || alone && c&mark == 0) {
			dst = append(dst, Span{int32(start), int32(i)})
			start = -1
		}
		if start < 0 && c&word != 0 {
			start, alone = i, c&lone != 0
		}
		i += n
		if start >= 0 && !alone {
			for i < len(text) && text[i] < utf8.RuneSelf && basic[text[i]]&word != 0 {
				i++
			}
		}
	}
	if start >= 0 {
		dst = append(dst, Span{int32(start), int32(len(text))})
	}
	return dst
}

// Python cuts text into runs of letters, numbers and "_": \w+ of Python 3.
func Python(dst []Span, text []byte) []Span {
	return runs(dst, text, python, 0)
}

// Fields cuts text at white space.
func Fields(dst []Span, text []byte) []Span {
	return runs(dst, text, space, space)
}

// CountFields is the number of words of text that white space separates.
func CountFields(text []byte) int {
	n := 0
	for i := skip(text, 0, space, false); i < len(text); i = skip(text, i, space, false) {
		i = skip(text, i, space, true)
		n++
	}
	return n
}

// CountPython is the number of words that Python finds in text.
func CountPython(text []byte) int {
	n, before := 0, uint8(0) // before is 1 within a word
	for i := 0; i < len(text); {
		within, size := uint8(0), 1
		if c := text[i]; c < utf8.RuneSelf {
			within = pythonByte[c]
		} else {
			var r rune
			if r, size = utf8.DecodeRune(text[i:]); classOf(r)&python != 0 {
				within = 1
			}
		}
		n += int(within &^ before)
		before = within
		i += size
	}
	return n
}

// pythonByte is 1 for the ASCII characters of words.
var pythonByte = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		if basic[c]&python != 0 {
			t[c] = 1
		}
	}
	return t
}()

// runs appends the maximal runs of characters whose class intersects set, where flip is
// 0, or does not, where flip is set.
func runs(dst []Span, text []byte, set, flip class) []Span {
	for i := 0; i < len(text); {
		i = skip(text, i, set, flip == 0)
		start := i
		i = skip(text, i, set, flip != 0)
		if i > start {
			dst = append(dst, Span{int32(start), int32(i)})
		}
	}
	return dst
}

// skip returns the first position from i on where a character's class intersects set
// (until), or does not.
func skip(text []byte, i int, set class, until bool) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if (basic[c]&set != 0) == until {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if (classOf(r)&set != 0) == until {
			return i
		}
		i += n
	}
	return i
}

// SpaceAt is the length of the character of text at i and whether it is white
// space.
func SpaceAt(text []byte, i int) (n int, is bool) {
	if c := text[i]; c < utf8.RuneSelf {
		return 1, basic[c]&space != 0
	}
	r, n := utf8.DecodeRune(text[i:])
	return n, IsSpace(r)
}
