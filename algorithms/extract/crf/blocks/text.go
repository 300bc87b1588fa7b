package blocks

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// measure holds the counts of the text of one block.
type measure struct {
	chars, alpha, num, punct, white            int
	alphas, nums, mixed, punctuations, symbols int // tokens
	sentences                                  int // tokens that end a sentence
	runs                                       int // runs of adjacent alphabetic tokens
	letters                                    int // letters of the alphabetic tokens
	notStarted, notFinished                    bool
}

// words is the number of tokens with a letter or digit.
func (m *measure) words() int { return m.alphas + m.nums + m.mixed }

// The classes of characters.
const (
	other = iota
	letter
	digit
	punctuation
	white
)

var asciiClass = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			t[c] = letter
		case '0' <= c && c <= '9':
			t[c] = digit
		case bytes.IndexByte([]byte(",:;.?!"), byte(c)) >= 0:
			t[c] = punctuation
		case c == ' ' || '\t' <= c && c <= '\r':
			t[c] = white
		}
	}
	return t
}()

func classOf(r rune) uint8 {
	switch {
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.IsSpace(r):
		return white
	}
	return other
}

// read counts the characters and tokens of s. A token is a run of letters and
// digits, or a run of other characters that are not white.
func (m *measure) read(s []byte) {
	*m = measure{notStarted: true}
	first, ended, inRun := true, false, false // no alphabetic token yet; a sentence end since the last one; the last token was one
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		var class uint8
		if s[i] < utf8.RuneSelf {
			class = asciiClass[s[i]]
		} else {
			r, size = utf8.DecodeRune(s[i:])
			class = classOf(r)
		}
		if class == white {
			m.chars++
			m.white++
			i += size
			continue
		}
		word := class == letter || class == digit
		begin := r
		var count [white + 1]int
		var last rune
		for { // the rest of the token
			count[class]++
			last = r
			i += size
			if i == len(s) {
				break
			}
			r, size = rune(s[i]), 1
			if s[i] < utf8.RuneSelf {
				class = asciiClass[s[i]]
			} else {
				r, size = utf8.DecodeRune(s[i:])
				class = classOf(r)
			}
			if class == white || (class == letter || class == digit) != word {
				break
			}
		}
		m.alpha += count[letter]
		m.num += count[digit]
		m.punct += count[punctuation]
		m.chars += count[letter] + count[digit] + count[punctuation] + count[other]
		run := false
		switch {
		case word && count[digit] == 0:
			run = true
			m.alphas++
			m.letters += count[letter]
			if !inRun {
				m.runs++
			}
			if first {
				first, m.notStarted = false, !unicode.IsUpper(begin)
			}
			ended = false
		case word && count[letter] == 0:
			m.nums++
		case word:
			m.mixed++
		case count[other] == 0:
			m.punctuations++
		default:
			m.symbols++
		}
		inRun = run
		if last == '.' || last == '?' || last == '!' {
			m.sentences++
			ended = true
		}
	}
	m.notFinished = first || !ended
}

// The patterns that are searched for in a text, as bits in the order of features.
const (
	markURL = 1 << iota
	markEmail
	markDate
	markTime
	markCopyright
	markBullet
)

// marks returns the patterns in s: a web or mail address, a date in digits, a time of
// day, a copyright sign, and a list sign at the beginning.
func marks(s []byte) (found uint8) {
	for _, sign := range []string{"•", "·", "*", "-", "–", "»", "▪"} {
		if len(s) >= len(sign) && string(s[:len(sign)]) == sign {
			found |= markBullet
		}
	}
	for i, c := range s {
		switch c {
		case '@':
			if i > 0 && isWord(s[i-1]) && isHost(s[i+1:]) {
				found |= markEmail
			}
		case ':':
			if i > 0 && isDigit(s[i-1]) && digits(s[i+1:]) == 2 {
				found |= markTime
			}
			if i > 0 && isWord(s[i-1]) && bytes.HasPrefix(s[i+1:], []byte("//")) {
				found |= markURL
			}
		case 'w':
			if (i == 0 || !isWord(s[i-1])) && bytes.HasPrefix(s[i:], []byte("www.")) {
				found |= markURL
			}
		case '.', '/', '-':
			if i > 0 && isDigit(s[i-1]) {
				n := digits(s[i+1:])
				rest := s[i+1+n:]
				if (n == 1 || n == 2) && len(rest) > 1 && rest[0] == c && isDigit(rest[1]) {
					found |= markDate
				}
			}
		case '(':
			if i+2 < len(s) && s[i+1]|0x20 == 'c' && s[i+2] == ')' {
				found |= markCopyright
			}
		case 0xA9:
			if i > 0 && s[i-1] == 0xC2 { // ©
				found |= markCopyright
			}
		}
	}
	return found
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// digits returns how many of the first three bytes of s are consecutive digits.
func digits(s []byte) (n int) {
	for n < len(s) && n < 3 && isDigit(s[n]) {
		n++
	}
	return n
}

// isHost reports whether s begins with two names joined by a dot. It reads at most the 255
// bytes of the longest host name, so the cost of a text with many signs stays linear.
func isHost(s []byte) bool {
	for i, c := range s[:min(len(s), 255)] {
		if c == '.' {
			return i > 0 && i+1 < len(s) && isWord(s[i+1])
		}
		if !isWord(c) && c != '-' {
			return false
		}
	}
	return false
}
