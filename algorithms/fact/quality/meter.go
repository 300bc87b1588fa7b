package quality

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/winnow/winnow/algorithms/page"
)

// Meter measures texts. It holds the working memory from one text to the next and is
// not for use by several goroutines at a time. The zero value is ready.
type Meter struct {
	text              []byte    // with padding
	hashes            []uint64  // hashes of the words
	length            []int32   // characters of the words before the word of that number
	classes           []class   // classes of the characters met so far; 0 for others
	secret            [2]uint64 // see mix
	lower             []byte    // a line with A to Z in lower case, if it is suspicious
	line              []byte    // a line without citation marks
	lineMarks         marks     // end marks in line
	marks             marks     // end marks in text
	lines, paragraphs parts
	grams
}

// Measure returns the signals of text, which should be valid UTF-8 and is not changed.
func (m *Meter) Measure(text []byte) Signals {
	if m.secret[0] == 0 {
		seed := maphash.MakeSeed()
		m.secret = [2]uint64{maphash.Comparable(seed, 0) | 1, maphash.Comparable(seed, 1) | 1}
	}
	m.text = append(append(m.text[:0], text...), padding...)
	text = m.text[:len(text)]
	most := len(text)/2 + 1 // words
	m.hashes, m.length = slices.Grow(m.hashes[:0], most), append(slices.Grow(m.length[:0], most+1), 0)
	t := totals{newlines: int64(bytes.Count(text, []byte{'\n'})), javascript: indexJavascript(text, 0), bracket: indexBracket(text, 0)}
	m.marks.find(text)
	m.lines.start(int(t.newlines) + 1)
	m.paragraphs.start(int(t.newlines) + 1)

	s := Signals{CurlyBracket: bytes.IndexByte(text, '{') >= 0}
	for start := 0; start <= len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		m.measureLine(&s, &t, text, start, end)
		start = end + 1
	}
	m.endParagraph(&t)
	m.sumUp(&s, &t, text)
	m.repetition(&s, float64(t.characters+t.newlines))
	return s
}

// totals are sums over the lines of a text.
type totals struct {
	newlines, characters                    int64 // characters without newlines
	withoutLetter, symbols, symbolSize      int64 // words; those that are symbols, and their characters
	stopWords                               int64
	bulleted, ellipsis, punctuated, short   int64
	duplicateLines, duplicateLineCharacters int64
	flaggedWords                            int64

	javascript, bracket int // next positions of the word and of a [; the end of the text if there is none

	paragraph      span   // empty between two
	paragraphKey   uint64 // a hash of its words
	paragraphs     int64
	duplicates     int64 // paragraphs
	duplicatesSize int64 // their characters
}

// addWithoutLetter counts a word that has no letter.
func (t *totals) addWithoutLetter(symbol bool, characters int) {
	t.withoutLetter++
	if symbol {
		t.symbols++
		t.symbolSize += int64(characters)
	}
}

// measureLine measures text[start:end], the text between two newlines.
func (m *Meter) measureLine(s *Signals, t *totals, text []byte, start, end int) {
	l := m.read(t, start, end)
	t.characters += int64(end - start - l.more)
	if l.words == 0 { // a blank line ends a paragraph
		m.endParagraph(t)
		return
	}
	line, size := text[l.from:l.to], l.to-l.from
	if l.more > 0 {
		size = page.RuneCount(line)
	}
	if t.paragraph.to == 0 {
		t.paragraph.from = l.from
	}
	t.paragraph.to = l.to
	t.paragraphKey = m.mix(t.paragraphKey ^ l.key)

	s.Lines++
	if line[0] == '-' || bytes.HasPrefix(line, bullet) {
		t.bulleted++
	}
	switch line[len(line)-1] {
	case '.', '\'', '"', '!', '?':
		t.punctuated++
	}
	if bytes.HasSuffix(line, dots) || bytes.HasSuffix(line, ellipsis) {
		t.ellipsis++
	}
	if size <= 30 {
		t.short++
	}
	if m.repeats(&m.lines, l.key, l.from, l.to) {
		t.duplicateLines++
		t.duplicateLineCharacters += int64(size)
	}
	hasJavascript, hasBracket := t.javascript < end, t.bracket < end
	if hasJavascript {
		t.javascript = indexJavascript(text, end)
	}
	if hasBracket {
		t.bracket = indexBracket(text, end)
	}
	m.lower = m.lower[:0]
	if l.suspicious {
		m.lower = appendLower(m.lower, line)
	}
	s.LoremIpsum = s.LoremIpsum || l.suspicious && bytes.Contains(m.lower, loremIpsum)
	m.c4Line(s, &l, line, hasJavascript, hasBracket)
	if m.flag(s, &l, line) {
		t.flaggedWords += int64(l.words)
	}
}

var (
	bullet   = []byte("•")
	dots     = []byte("...")
	ellipsis = []byte("…")
)

// endParagraph counts the paragraph that a blank line or the text's end closes.
func (m *Meter) endParagraph(t *totals) {
	p := t.paragraph
	if p.to == 0 {
		return
	}
	t.paragraphs++
	if m.repeats(&m.paragraphs, t.paragraphKey, p.from, p.to) {
		t.duplicates++
		t.duplicatesSize += int64(page.RuneCount(m.text[p.from:p.to]))
	}
	t.paragraph, t.paragraphKey = span{}, 0
}

// sumUp divides the sums.
func (m *Meter) sumUp(s *Signals, t *totals, text []byte) {
	s.Words = int64(len(m.hashes))
	s.NonSymbolWords = s.Words - t.symbols
	s.MeanWordLength = ratio(int64(m.length[s.Words])-t.symbolSize, s.NonSymbolWords)
	s.HashToWordRatio = ratio(int64(bytes.Count(text, []byte{'#'})), s.Words)
	s.EllipsisToWordRatio = ratio(m.marks.ellipses()+countEllipses(text), s.Words)
	s.AlphabeticWordRatio = ratio(s.Words-t.withoutLetter, s.Words)
	s.StopWords = t.stopWords
	s.BulletLineRatio = ratio(t.bulleted, s.Lines)
	s.EllipsisLineRatio = ratio(t.ellipsis, s.Lines)
	s.DuplicateLineFraction = ratio(t.duplicateLines, s.Lines)
	s.DuplicateLineCharacterFraction = ratio(t.duplicateLineCharacters, t.characters+t.newlines)
	s.DuplicateParagraphFraction = ratio(t.duplicates, t.paragraphs)
	s.DuplicateParagraphCharacterFraction = ratio(t.duplicatesSize, t.characters+t.newlines)
	s.LinePunctRatio = ratio(t.punctuated, s.Lines)
	s.ShortLineRatio = ratio(t.short, s.Lines)
	s.CharDupRatio = ratio(t.duplicateLineCharacters, t.characters)
	s.NewLineRatio = ratio(t.newlines, s.Words)
	s.FlaggedWordRatio = ratio(t.flaggedWords, s.Words)
}

// indexBracket returns the position of the first [ in text[at:]; the length of text if there is none.
func indexBracket(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '['); i >= 0 {
		return at + i
	}
	return len(text)
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// countEllipses counts the ellipses of a single character. A search for the last of its bytes
// is fast and mostly finds none; the first begins all quotes and dashes.
func countEllipses(text []byte) int64 {
	if bytes.IndexByte(text, ellipsis[len(ellipsis)-1]) < 0 {
		return 0
	}
	return int64(bytes.Count(text, ellipsis))
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
