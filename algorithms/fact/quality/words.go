package quality

import (
	"unicode"
	"unicode/utf8"
)

// line reads the words of one line and sums what they consist of.
type line struct {
	text []byte // up to the end of the line

	has        uint64 // properties of the characters of the word read last
	characters int    // of that word

	all          uint64 // properties of all words
	upper, cased int    // letters of all words: upper case; upper and lower case
	more         int    // bytes of the line that are no characters: the second to fourth bytes of one
	longest      int    // bytes of the longest word
	suspects     uint64 // letters of the words that may belong to a text that C4 asks for
}

// Properties of a character: which letter of ASCII it is (shifted by its place in the
// alphabet) and its class. Their union says what a word holds.
const (
	alphabet uint64 = 1 << 32 // and the 25 bits above it
	letter   uint64 = 1 << 58 // outside ASCII
	digit    uint64 = 1 << 59
	mark     uint64 = 1 << 60 // punctuation and symbols
	bracket  uint64 = 1 << 61 // [
	caseless uint64 = 1 << 62 // letters without case
	other    uint64 = 1 << 63

	letters = letter | (letter - alphabet)
	marks   = mark | bracket
)

// The lower half of a property counts, so that a sum of properties has the number of
// upper-case letters in its lowest 16 bits, and that of letters with case in the next 16.
const (
	oneUpper uint64 = 1
	oneCased uint64 = 1 << 16
	mostSums        = 1<<16 - 1 // characters that can be summed
)

// properties are those of ASCII characters; 0 for white space and for all other bytes.
var properties = func() (of [256]uint64) {
	for c := range utf8.RuneSelf {
		switch r := rune(c); {
		case isBlank(r):
		case unicode.IsLower(r):
			of[c] = alphabet<<(r-'a') | oneCased
		case unicode.IsUpper(r):
			of[c] = alphabet<<(r-'A') | oneCased | oneUpper
		case unicode.IsDigit(r):
			of[c] = digit
		case r == '[':
			of[c] = bracket
		case unicode.IsPunct(r), unicode.IsSymbol(r):
			of[c] = mark
		default:
			of[c] = other
		}
	}
	return of
}()

// of returns the letters of a word as properties.
func of(word string) (letters uint64) {
	for _, c := range word {
		letters |= alphabet << (c - 'a')
	}
	return letters
}

// Every text that C4 asks for holds a word with these letters.
var (
	ofJavascript = of("javascript")
	ofCookie     = of("cookie")
	ofPrivacy    = of("privacy")
	ofTerms      = of("terms")
	ofLorem      = of("lorem")
)

// skipBlanks returns where the word at or after at begins, the end of the line if there
// is none.
func (l *line) skipBlanks(at int) int {
	for at < len(l.text) {
		c := l.text[at]
		if properties[c] != 0 {
			return at
		}
		if c < utf8.RuneSelf {
			at++
			continue
		}
		r, n := utf8.DecodeRune(l.text[at:])
		if !isBlank(r) {
			return at
		}
		l.more += n - 1
		at += n
	}
	return at
}

// word reads the word that begins at start and returns where it ends.
func (l *line) word(start int) int {
	at, has, more := start, uint64(0), l.more
	for {
		sums, stop := uint64(0), min(len(l.text), at+mostSums)
		for at < stop {
			p := properties[l.text[at]]
			if p == 0 {
				break
			}
			has |= p
			sums += p
			at++
		}
		l.upper += int(sums & mostSums)
		l.cased += int(sums >> 16 & mostSums)
		if at == len(l.text) || l.text[at] < utf8.RuneSelf && at < stop {
			break // the end of the line, or white space
		}
		if l.text[at] < utf8.RuneSelf {
			continue
		}
		r, n := utf8.DecodeRune(l.text[at:])
		if isBlank(r) {
			break
		}
		has |= l.property(r)
		l.more += n - 1
		at += n
	}
	has &^= 1<<32 - 1
	l.has, l.all = has, l.all|has
	l.characters = at - start - (l.more - more)
	l.longest = max(l.longest, at-start)
	return at
}

// suspect notes a word that may belong to a text that C4 asks for. Of the letters of
// "terms" many words consist, so the word must end with them.
func (l *line) suspect(word []byte) {
	if n := len(word); word[n-1]|0x20 == 's' && word[n-2]|0x20 == 'm' {
		l.suspects |= ofTerms
	}
	for _, letters := range [...]uint64{ofJavascript, ofCookie, ofPrivacy, ofLorem} {
		if l.has&letters == letters {
			l.suspects |= letters
		}
	}
}

// property returns the property of a character outside ASCII, and counts it if it has case.
func (l *line) property(r rune) uint64 {
	switch {
	case unicode.IsLetter(r):
		switch {
		case unicode.IsUpper(r):
			l.upper++
			l.cased++
		case unicode.IsLower(r):
			l.cased++
		default:
			return letter | caseless
		}
		return letter
	case unicode.IsNumber(r):
		return digit
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return mark
	}
	return other
}
