package quality

import (
	"bytes"
	"unicode"

	"github.com/winnow/winnow/algorithms/page"
)

// Meter measures texts. It holds the working memory from one text to the next and is
// not for use by several goroutines at a time. The zero value is ready.
type Meter struct {
	words  []span
	length []int32 // characters of the words before the word of that number
	lower  []byte  // a line with A to Z in lower case
	line   []byte  // a line without citation marks
	interner
	grams
}

// span is a part of the text, by bytes.
type span struct{ start, end int32 }

// Measure returns the signals of text, which should be valid UTF-8 and is not changed.
func (m *Meter) Measure(text []byte) Signals {
	var s Signals
	m.words, m.length = m.words[:0], append(m.length[:0], 0)

	s.CurlyBracket = bytes.IndexByte(text, '{') >= 0
	m.startInterning(2 * (bytes.Count(text, []byte{'\n'}) + 1)) // lines and paragraphs
	t := totals{paragraphStart: -1}
	for start := 0; start <= len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
			t.newlines++
		}
		m.measureLine(&s, &t, text, start, end)
		start = end + 1
	}
	m.ratios(&s, &t, text)
	m.paragraphs(&s, &t, text)
	m.startInterning(len(m.words))
	m.repetition(&s, text, float64(t.characters+t.newlines))
	return s
}

// totals are sums over the lines of a text.
type totals struct {
	newlines, characters                      int64 // characters without newlines
	wordCharacters, alphabetic                int64 // of words that are no symbols; words with a letter
	bulleted, ellipsis, punctuated, short     int64
	duplicateLines, duplicateLineCharacters   int64
	flaggedWords                              int64
	paragraphStart, paragraphEnd              int
	paragraphCount, duplicates, duplicateSize int64
}

// measureLine measures text[start:end], the text between two newlines.
func (m *Meter) measureLine(s *Signals, t *totals, text []byte, start, end int) {
	first := len(m.words)
	l := line{text: text[:end]}
	before, behind := 0, 0 // bytes that are no characters, before the first word and up to the end of the last
	for at := start; ; {
		from := l.skipBlanks(at)
		if from == end {
			break
		}
		if first == len(m.words) {
			before = l.more
		}
		at = l.word(from)
		if l.has&ofCookie == ofCookie || l.has&ofTerms == ofTerms || l.has&ofLorem == ofLorem || l.has&ofPrivacy == ofPrivacy || l.has&ofJavascript == ofJavascript {
			l.suspect(text[from:at])
		}
		behind = l.more
		m.words = append(m.words, span{int32(from), int32(at)})
		m.length = append(m.length, m.length[len(m.length)-1]+int32(l.characters))
		s.Words++
		if l.has&^marks != 0 {
			s.NonSymbolWords++
			t.wordCharacters += int64(l.characters)
		}
		if l.has&letters != 0 {
			t.alphabetic++
		}
	}
	t.characters += int64(end - start - l.more)
	if len(m.words) == first { // a blank line ends a paragraph
		m.endParagraph(t, text)
		return
	}
	words := m.words[first:]
	from, to := int(words[0].start), int(words[len(words)-1].end)
	if t.paragraphStart < 0 {
		t.paragraphStart = from
	}
	t.paragraphEnd = to
	line := text[from:to]
	size := to - from - (behind - before)

	s.Lines++
	if bytes.HasPrefix(line, bullet) || line[0] == '-' {
		t.bulleted++
	}
	if bytes.HasSuffix(line, dots) || bytes.HasSuffix(line, ellipsis) {
		t.ellipsis++
	}
	switch line[len(line)-1] {
	case '.', '\'', '"', '!', '?':
		t.punctuated++
	}
	if size <= 30 {
		t.short++
	}
	if _, known := m.intern(text, span{int32(from), int32(to)}); known {
		t.duplicateLines++
		t.duplicateLineCharacters += int64(size)
	}
	m.lower = m.lower[:0]
	if l.suspects != 0 || len(words) <= 10 {
		m.lower = appendLower(m.lower, line)
	}
	s.LoremIpsum = s.LoremIpsum || m.holds(&l, ofLorem, loremIpsum)
	m.c4Line(s, &l, text, words)
	if m.flag(s, &l, words) {
		t.flaggedWords += int64(len(words))
	}
}

var (
	bullet   = []byte("•")
	dots     = []byte("...")
	ellipsis = []byte("…")
)

// ratios divides the sums.
func (m *Meter) ratios(s *Signals, t *totals, text []byte) {
	s.MeanWordLength = ratio(t.wordCharacters, s.NonSymbolWords)
	s.HashToWordRatio = ratio(int64(bytes.Count(text, []byte{'#'})), s.Words)
	s.EllipsisToWordRatio = ratio(int64(bytes.Count(text, dots)+bytes.Count(text, ellipsis)), s.Words)
	s.AlphabeticWordRatio = ratio(t.alphabetic, s.Words)
	s.BulletLineRatio = ratio(t.bulleted, s.Lines)
	s.EllipsisLineRatio = ratio(t.ellipsis, s.Lines)
	s.DuplicateLineFraction = ratio(t.duplicateLines, s.Lines)
	s.DuplicateLineCharacterFraction = ratio(t.duplicateLineCharacters, t.characters+t.newlines)
	s.LinePunctRatio = ratio(t.punctuated, s.Lines)
	s.ShortLineRatio = ratio(t.short, s.Lines)
	s.CharDupRatio = ratio(t.duplicateLineCharacters, t.characters)
	s.NewLineRatio = ratio(t.newlines, s.Words)
	s.FlaggedWordRatio = ratio(t.flaggedWords, s.Words)
}

// paragraphs ends the last paragraph and divides the sums.
func (m *Meter) paragraphs(s *Signals, t *totals, text []byte) {
	m.endParagraph(t, text)
	s.DuplicateParagraphFraction = ratio(t.duplicates, t.paragraphCount)
	s.DuplicateParagraphCharacterFraction = ratio(t.duplicateSize, t.characters+t.newlines)
}

// endParagraph counts the paragraph that a blank line or the text's end closes. A
// paragraph and a line of the same bytes are one to the interner, so a paragraph of one
// line is known already: paragraphs are told apart by the mark that intern keeps.
func (m *Meter) endParagraph(t *totals, text []byte) {
	if t.paragraphStart < 0 {
		return
	}
	p := span{int32(t.paragraphStart), int32(t.paragraphEnd)}
	t.paragraphStart = -1
	t.paragraphCount++
	id, _ := m.intern(text, p)
	if m.marked[id] {
		t.duplicates++
		t.duplicateSize += int64(page.RuneCount(text[p.start:p.end]))
	}
	m.marked[id] = true
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// isBlank says whether r is white space for Python's str.split.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func isStopWord(w []byte) bool {
	switch string(w) {
	case "the", "be", "to", "of", "and", "that", "have", "with":
		return true
	}
	return false
}

// appendLower appends text to dst with A to Z in lower case.
func appendLower(dst, text []byte) []byte {
	for _, c := range text {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}
