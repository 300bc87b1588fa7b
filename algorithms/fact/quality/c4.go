package quality

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/page"
)

var (
	loremIpsum = []byte("lorem ipsum")
	javascript = []byte("javascript")
	policies   = []struct {
		word uint64 // with which it begins or, of cookies, which it holds
		text []byte
	}{
		{ofTerms, []byte("terms of use")}, {ofPrivacy, []byte("privacy policy")}, {ofCookie, []byte("cookie policy")},
		{ofCookie, []byte("uses cookies")}, {ofCookie, []byte("use of cookies")}, {ofCookie, []byte("use cookies")},
	}
)

// holds says whether a line holds a text. The line in lower case is only there, and only
// searched, if one of its words has the letters of one in the text.
func (m *Meter) holds(l *line, word uint64, text []byte) bool {
	return l.suspects&word == word && bytes.Contains(m.lower, text)
}

// c4Line measures a line as C4 does, and counts it if C4 would retain it.
func (m *Meter) c4Line(s *Signals, l *line, text []byte, words []span) {
	line := text[words[0].start:words[len(words)-1].end]
	hasJavascript, hasPolicy := m.holds(l, ofJavascript, javascript), false
	if hasJavascript {
		s.JavascriptLines++
	}
	for _, p := range policies {
		hasPolicy = hasPolicy || m.holds(l, p.word, p.text)
	}
	if hasPolicy {
		s.PolicyLines++
	}
	count, tooLong := len(words), false
	for i := 0; l.longest > 1000 && !tooLong && i < len(words); i++ {
		tooLong = page.RuneCount(text[words[i].start:words[i].end]) > 1000
	}
	if l.all&bracket != 0 {
		if m.line = appendWithoutCitations(m.line[:0], line); len(m.line) < len(line) {
			line, count = m.line, countWords(m.line)
		}
	}
	if len(line) == 0 || bytes.HasSuffix(line, dots) {
		return
	}
	switch line[len(line)-1] {
	case '.', '?', '!', '"':
	default:
		return
	}
	s.TerminalLines++
	switch {
	case tooLong || count < 5:
	case m.holds(l, ofLorem, loremIpsum):
		s.discarded = true
	case hasJavascript:
	case s.CurlyBracket && bytes.IndexByte(line, '{') >= 0:
		s.discarded = true
	case hasPolicy:
	default:
		s.RetainedLines++
		s.RetainedSentences += sentences(line)
	}
}

func countWords(text []byte) (n int) {
	l := line{text: text}
	for at := l.skipBlanks(0); at < len(text); n++ {
		at = l.skipBlanks(l.word(at))
	}
	return n
}

// appendWithoutCitations appends line without [3], [], [edit] and [citation needed].
func appendWithoutCitations(dst, line []byte) []byte {
	for {
		i := bytes.IndexByte(line, '[')
		if i < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:i]...)
		if n := citation(line[i:]); n > 0 {
			line = line[i+n:]
		} else {
			dst, line = append(dst, '['), line[i+1:]
		}
	}
}

// citation returns the length of the citation mark that s begins with, 0 if it does not.
func citation(s []byte) int {
	for _, mark := range [...]string{"[edit]", "[citation needed]"} {
		if len(s) >= len(mark) && string(s[:len(mark)]) == mark {
			return len(mark)
		}
	}
	for n := 1; n < len(s); {
		r, size := utf8.DecodeRune(s[n:])
		switch {
		case r == ']':
			return n + 1
		case !unicode.IsDigit(r):
			return 0
		}
		n += size
	}
	return 0
}

// sentences counts the sentences of a line that ends in an end mark. One ends at a word
// that ends in . ? or !, perhaps with quotes or brackets behind it, if the next word
// does not begin with a small letter. A full stop behind a single letter or a common
// abbreviation ends no sentence.
func sentences(line []byte) int64 {
	n := int64(1)
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c != '.' && c != '?' && c != '!' {
			continue
		}
		end := i + 1
		for end < len(line) {
			r, size := utf8.DecodeRune(line[end:])
			if !closes(r) {
				break
			}
			end += size
		}
		next := end
		for next < len(line) {
			r, size := utf8.DecodeRune(line[next:])
			if !isBlank(r) {
				break
			}
			next += size
		}
		if next == end || next == len(line) {
			continue
		}
		if r, _ := utf8.DecodeRune(line[next:]); unicode.IsLower(r) || c == '.' && abbreviated(line[:i]) {
			continue
		}
		n++
	}
	return n
}

func closes(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '”', '’', '»':
		return true
	}
	return false
}

// abbreviated says whether before ends in a single letter or a common abbreviation.
func abbreviated(before []byte) bool {
	start := len(before)
	for start > 0 {
		r, n := utf8.DecodeLastRune(before[:start])
		if !unicode.IsLetter(r) {
			break
		}
		start -= n
	}
	word := before[start:]
	if r, n := utf8.DecodeRune(word); n > 0 && n == len(word) && unicode.IsLetter(r) {
		return true
	}
	switch string(word) {
	case "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Jr", "Sr", "Gen", "Col", "Lt", "Sgt", "Capt", "Rep", "Sen", "Gov",
		"Inc", "Corp", "Co", "Ltd", "vs", "No", "Jan", "Feb", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}
