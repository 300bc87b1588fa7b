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
		r, n := decode(text, i)
		c := classOf(r)
		if start >= 0 && (c&word == 0 || c&lone != 0 || alone && c&mark == 0) {
			dst = append(dst, Span{int32(start), int32(i)})
			start = -1
		}
		if start < 0 && c&word != 0 {
			start, alone = i, c&lone != 0
		}
		i += n
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

// runs appends the maximal runs of characters whose class meets set, or does
// not where flip is set too.
func runs(dst []Span, text []byte, set, flip class) []Span {
	start := -1
	for i := 0; i < len(text); {
		r, n := decode(text, i)
		in := classOf(r)&set != 0
		if in == (flip == 0) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			dst = append(dst, Span{int32(start), int32(i)})
			start = -1
		}
		i += n
	}
	if start >= 0 {
		dst = append(dst, Span{int32(start), int32(len(text))})
	}
	return dst
}

// decode is the rune of text at i and its length.
func decode(text []byte, i int) (rune, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRune(text[i:])
}
