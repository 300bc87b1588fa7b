package quality

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/page"
)

var (
	loremIpsum = []byte("lorem ipsum")
	policies   = [][]byte{
		[]byte("terms of use"), []byte("privacy policy"), []byte("cookie policy"),
		[]byte("uses cookies"), []byte("use of cookies"), []byte("use cookies"),
	}
)

// c4Line measures a line as C4 does, and counts it if C4 would retain it.
func (m *Meter) c4Line(s *Signals, l *line, line []byte, hasJavascript, hasBracket bool) {
	if hasJavascript {
		s.JavascriptLines++
	}
	hasPolicy := l.suspicious && slices.ContainsFunc(policies, func(p []byte) bool { return bytes.Contains(m.lower, p) })
	if hasPolicy {
		s.PolicyLines++
	}
	short, tooLong := l.words < fewWords, l.longest > 1000 && hasLongWord(line)
	edited := false
	if hasBracket {
		if m.line = appendWithoutCitations(m.line[:0], line); len(m.line) < len(line) {
			line, short, edited = m.line, isShort(m.line), true
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
	case tooLong || short:
	case l.suspicious && bytes.Contains(m.lower, loremIpsum):
		s.discarded = true
	case hasJavascript:
	case s.CurlyBracket && bytes.IndexByte(line, '{') >= 0:
		s.discarded = true
	case hasPolicy:
	default:
		s.RetainedLines++
		if edited {
			m.lineMarks.find(line)
			s.RetainedSentences += sentences(line, &m.lineMarks, 0)
		} else {
			s.RetainedSentences += sentences(m.text[:l.to], &m.marks, l.from)
		}
	}
}

// hasLongWord reports whether a word has over 1,000 characters.
func hasLongWord(line []byte) bool {
	for word := range bytes.FieldsFuncSeq(line, isBlank) {
		if page.RuneCount(word) > 1000 {
			return true
		}
	}
	return false
}

// fewWords is the number of words that C4 requires of a line.
const fewWords = 5

// isShort reports whether a line has too few words.
func isShort(line []byte) bool {
	n := 0
	for range bytes.FieldsFuncSeq(line, isBlank) {
		if n++; n == fewWords {
			return false
		}
	}
	return true
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

// sentences counts the sentences of a line that ends in an end mark. The line begins at from
// and is the end of text, which has the marks. A sentence ends at a word that ends in . ? or
// !, perhaps with quotes or brackets after it, if the next word does not begin with a small
// letter. A full stop after a single letter or a common abbreviation ends no sentence.
func sentences(text []byte, marks *marks, from int) int64 {
	n := int64(1)
	for i := range marks {
		for _, mark := range marks[i].in(from, len(text)) {
			if endsSentence(text, int(mark)) {
				n++
			}
		}
	}
	return n
}

// endsSentence reports whether a sentence ends at text[mark] that is not the last of text.
func endsSentence(text []byte, mark int) bool {
	end := mark + 1
	for end < len(text) {
		r, size := utf8.DecodeRune(text[end:])
		if !closes(r) {
			break
		}
		end += size
	}
	next := end
	for next < len(text) {
		r, size := utf8.DecodeRune(text[next:])
		if !isBlank(r) {
			break
		}
		next += size
	}
	if next == end || next == len(text) {
		return false
	}
	r, _ := utf8.DecodeRune(text[next:])
	return !unicode.IsLower(r) && (text[mark] != '.' || !abbreviated(text[:mark]))
}

func closes(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '”', '’', '»':
		return true
	}
	return false
}

// abbreviated reports whether before ends in a single letter or a common abbreviation.
func abbreviated(before []byte) bool {
	start := len(before)
	for start > 0 {
		if len(before)-start > len("Sept") {
			return false // longer than all of them
		}
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
