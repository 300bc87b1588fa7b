package quality

import "unicode"

// class is the kind of a character.
type class uint8

const (
	white class = 1 << iota
	letter
	upper // with letter
	lower // with letter
	number
	mark // punctuation and symbols
	rest
)

// classOf returns the class of r. The tables of package unicode are searched once for
// each character that a Meter meets.
func (m *Meter) classOf(r rune) class {
	if int(r) >= len(m.classes) {
		if r >= 1<<16 {
			return classOf(r)
		}
		m.classes = make([]class, 1<<16)
	}
	if m.classes[r] == 0 {
		m.classes[r] = classOf(r)
	}
	return m.classes[r]
}

func classOf(r rune) class {
	switch {
	case isBlank(r):
		return white
	case unicode.IsLetter(r):
		switch {
		case unicode.IsUpper(r):
			return letter | upper
		case unicode.IsLower(r):
			return letter | lower
		}
		return letter
	case unicode.IsNumber(r):
		return number
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return mark
	}
	return rest
}

// isBlank reports whether r is white space for Python's str.split.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// whiteByte and markByte are the white space, and the punctuation and symbols, of ASCII.
var whiteByte, markByte = bytesOf(white), bytesOf(mark)

func bytesOf(c class) (of [256]bool) {
	for r := range rune(0x80) {
		of[r] = classOf(r) == c
	}
	return of
}

// isSymbol reports whether a word of ASCII is of punctuation and symbols alone.
func isSymbol(word []byte) bool {
	for _, c := range word {
		if !markByte[c] {
			return false
		}
	}
	return true
}

// isNumeric reports whether a text is of numbers, punctuation and symbols alone, with at
// least one number.
func (m *Meter) isNumeric(text []byte) bool {
	has := class(0)
	for _, r := range string(text) {
		c := m.classOf(r)
		if c&(letter|rest) != 0 {
			return false
		}
		has |= c
	}
	return has&number != 0
}
