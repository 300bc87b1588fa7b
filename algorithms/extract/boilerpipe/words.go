package boilerpipe

import (
	"unicode"
	"unicode/utf8"
)

// Character classes of the tokeniser.
const (
	isOther   uint8 = iota
	isBlank         // separates tokens
	isWord          // letter, digit, underscore
	isGlue          // punctuation at which a token is not cut
	isMark          // non-spacing mark: of the letter or digit before it
	isNumeral = 0x80
)

// asciiClass is the class of each ASCII byte; isNumeral is added for letters
// and numbers, which make a token a word.
var asciiClass = makeASCII()

func makeASCII() (table [utf8.RuneSelf]uint8) {
	for c := range table {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f:
			table[c] = isBlank
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			table[c] = isWord | isNumeral
		case c == '_':
			table[c] = isWord
		}
	}
	for _, c := range `"'.,!@-:;$?()/` {
		table[c] = isGlue
	}
	return table
}

func classify(r rune) uint8 {
	if r < utf8.RuneSelf {
		return asciiClass[r]
	}
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return isWord | isNumeral
	case unicode.IsNumber(r): // "½": a word, but no part of one
		return isOther | isNumeral
	case unicode.Is(unicode.Mn, r):
		return isMark
	case isSpace(r):
		return isBlank
	}
	return isOther
}

// wrapColumn is the line length at which a block is wrapped to measure its density.
const wrapColumn = 80

// count tokenises text, which begins at byte base of the buffer that anchors
// refers to, and fills the word counts of b. It returns the number of tokens.
//
// A token ends at a blank and at every boundary between a word character and another
// one, except beside glue: "well-known" and "e.g." are one token, "a+b" is three. A
// mark belongs to the letter or digit before it, as in the library's language. A token
// with a letter or number is a word.
func count(text []byte, base int, anchors []int, b *block) (tokens int) {
	w := wrapper{line: -1}
	linkedUntil := 0 // anchors[:linkedUntil] lie before the current token
	var (
		begun   bool
		word    bool
		start   int
		length  int // UTF-16 units
		before  uint8
		based   bool // a letter or digit precedes, perhaps followed by marks
		blanked = true
	)
	finish := func() {
		if !begun {
			return
		}
		begun = false
		tokens++
		if !word {
			return
		}
		for linkedUntil < len(anchors) && anchors[linkedUntil] <= base+start {
			linkedUntil++
		}
		if linkedUntil%2 == 1 {
			b.linked++
		}
		b.words++
		w.add(length)
	}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		class := classify(r)
		kind := class &^ isNumeral
		switch {
		case class == isMark && based:
			kind = isWord
		case class == isMark:
			kind = isOther
		default:
			based = class == isWord|isNumeral
		}
		if kind == isBlank {
			finish()
			blanked = true
			i += size
			continue
		}
		if begun && !blanked && (kind == isWord) != (before == isWord) && kind != isGlue && before != isGlue {
			finish()
		}
		if !begun {
			begun, word, start, length = true, false, i, 0
		}
		if class&isNumeral != 0 {
			word = true
		}
		length++
		if r > 0xffff {
			length++
		}
		before, blanked = kind, false
		i += size
	}
	finish()
	if w.lines == 0 {
		b.wrapped, b.lines = b.words, 1
	} else {
		b.wrapped, b.lines = b.words-w.inLine, w.lines
	}
	if b.wrapped == 0 {
		b.wrapped, b.lines = b.words, 1
	}
	return tokens
}

// wrapper breaks words into lines of wrapColumn.
type wrapper struct {
	line   int   // length of the current line; the blank before its first word is not counted
	inLine int32 // words in it
	lines  int32 // finished lines
}

func (w *wrapper) add(length int) {
	w.line += length + 1
	w.inLine++
	if w.line > wrapColumn {
		w.lines++
		w.line, w.inLine = length, 1
	}
}
