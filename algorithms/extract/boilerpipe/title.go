package boilerpipe

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// titleScratch is the page's title, the title as it is compared, the candidates
// cut out of that, and a buffer for the block under comparison.
type titleScratch struct {
	page       []byte
	text       []byte
	candidates [][2]int // ranges of text
	block      []byte
}

// Sets of characters that a title is split at to find its longest part, one set
// after the other (the library's DocumentTitleMatchClassifier). A set is spelled
// as a string; U+00A0 of the unreleased library's last set cannot occur, because
// it became a blank before.
var (
	separatorSets         = []string{"|»-", "|»:", "|»:()", "|»:()-", "|»,:()-"}
	releasedSeparatorSets = []string{"|»:", "|»:()", "|»:()-", "|»,:()-"}
)

// markTitle labels the first block that says the page's title or a part of it,
// without regard to case, apostrophes and, if need be, other marks.
func (l *list) markTitle(title []byte) {
	t := &l.title
	t.candidates = t.candidates[:0]
	t.text = normalise(t.text[:0], title)
	if len(t.text) == 0 {
		return
	}
	t.cut()
	for i := range l.blocks {
		t.block = normalise(t.block[:0], l.text(&l.blocks[i]))
		if t.matches(t.block) {
			l.blocks[i].labels |= labelTitle
			return
		}
		t.block = trim(withoutMarks(t.block))
		if t.matches(t.block) {
			l.blocks[i].labels |= labelTitle
			return
		}
	}
}

// markExactTitle is what release 1.2.0 does: it labels every block that equals the
// page's title or the longest part of it, letter by letter.
func (l *list) markExactTitle(title []byte) {
	t := &l.title
	t.candidates = t.candidates[:0]
	t.text = append(t.text[:0], trim(title)...)
	if len(t.text) == 0 {
		return
	}
	t.add(0, len(t.text))
	for _, set := range releasedSeparatorSets {
		// The release is meant to count words, but its pattern takes every part for one
		// word.
		t.addLongestPart(set, func([]byte) int { return 1 })
	}
	for i := range l.blocks {
		if t.matches(l.text(&l.blocks[i])) {
			l.blocks[i].labels |= labelTitle
		}
	}
}

// appendTitle appends the text of the last title element before the body, white
// space as blanks.
func appendTitle(dst []byte, p *page.Page) []byte {
	body := p.Body()
	if body.Len() == 0 {
		return dst
	}
	t := &p.Tree
	for n := html.Node(0); n < body.Node[0]; n++ {
		if t.Kind[n] != html.KindElement || t.Tag[n] != html.TagTitle || t.Space[n] != html.SpaceHTML {
			continue
		}
		dst = dst[:0]
		for c := n + 1; c < t.End[n]; c++ {
			if t.Kind[c] == html.KindText {
				dst = appendBlanked(dst, t.Text[t.Data[c].Start:t.Data[c].End])
			}
		}
	}
	return dst
}

// trim leaves out blanks and control characters at both ends, as Java's trim.
func trim(s []byte) []byte {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// normalise appends text in lower case, no-break spaces as blanks, without
// apostrophes, trimmed.
func normalise(dst, text []byte) []byte {
	dst = appendLower(dst, text)
	kept := dst[:0]
	for i := 0; i < len(dst); i++ {
		switch {
		case dst[i] == '\'':
		case dst[i] == 0xc2 && i+1 < len(dst) && dst[i+1] == 0xa0:
			kept = append(kept, ' ')
			i++
		default:
			kept = append(kept, dst[i])
		}
	}
	return trim(kept)
}

// withoutMarks removes ? ! . - : in place.
func withoutMarks(text []byte) []byte {
	kept := text[:0]
	for _, c := range text {
		if bytes.IndexByte([]byte("?!.-:"), c) < 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

func (t *titleScratch) matches(text []byte) bool {
	for _, c := range t.candidates {
		if bytes.Equal(t.text[c[0]:c[1]], text) {
			return true
		}
	}
	return false
}

func (t *titleScratch) add(from, to int) {
	for from < to && t.text[from] == ' ' {
		from++
	}
	for to > from && t.text[to-1] == ' ' {
		to--
	}
	if from < to {
		t.candidates = append(t.candidates, [2]int{from, to})
	}
}

// cut lists the candidates.
func (t *titleScratch) cut() {
	t.add(0, len(t.text))
	for _, set := range separatorSets {
		t.addLongestPart(set, wordCount)
	}
	t.addParts(" | ")
	t.addParts(" - ")
	// Without the last and without the first part, divided by " - ".
	if i := bytes.LastIndex(t.text, []byte(" - ")); i >= 0 && i+3 < len(t.text) && bytes.IndexByte(t.text[i+3:], '-') < 0 {
		t.add(0, i)
	}
	if i := bytes.Index(t.text, []byte(" - ")); i > 0 && bytes.IndexByte(t.text[:i], '-') < 0 {
		t.add(i+3, len(t.text))
	}
}

// addLongestPart adds the part with the most words or characters. It scans from the
// left and replaces the best part whenever a part has more of either.
func (t *titleScratch) addLongestPart(set string, countWords func([]byte) int) {
	best, words, chars := [2]int{}, 0, 0
	parts, filled := 0, 0 // filled: without the empty ones at the end, which the library's split drops
	t.split(set, func(from, to int) {
		if parts++; from < to {
			filled = parts
		}
		if bytes.Contains(t.text[from:to], []byte(".com")) {
			return
		}
		part := t.text[from:to]
		if n, c := countWords(part), utf16Length(part); n > words || c > chars {
			best, words, chars = [2]int{from, to}, n, c
		}
	})
	if filled > 1 {
		t.add(best[0], best[1])
	}
}

// split calls part for the pieces between members of set, without the blanks around the
// members.
func (t *titleScratch) split(set string, part func(from, to int)) {
	from := 0
	for i := 0; i < len(t.text); {
		r, size := utf8.DecodeRune(t.text[i:])
		if !member(set, r) {
			i += size
			continue
		}
		to := i
		for to > from && t.text[to-1] == ' ' {
			to--
		}
		part(from, to)
		i += size
		for i < len(t.text) && t.text[i] == ' ' {
			i++
		}
		from = i
	}
	if from < len(t.text) {
		part(from, len(t.text))
	}
}

func member(set string, r rune) bool {
	for _, s := range set {
		if s == r {
			return true
		}
	}
	return false
}

// addParts adds the parts of at least four words between separators.
func (t *titleScratch) addParts(separator string) {
	const minWords = 4
	if !bytes.Contains(t.text, []byte(separator)) {
		return
	}
	for from := 0; from <= len(t.text); {
		to := len(t.text)
		if i := bytes.Index(t.text[from:], []byte(separator)); i >= 0 {
			to = from + i
		}
		if part := t.text[from:to]; !bytes.Contains(part, []byte(".com")) && wordCount(part) >= minWords {
			t.add(from, to)
		}
		from = to + len(separator)
	}
}

// utf16Length is the length of text as Java counts it.
func utf16Length(text []byte) int {
	n := 0
	for _, r := range string(text) {
		n += utf16.RuneLen(r)
	}
	return n
}

// wordCount is the number of pieces between blanks.
func wordCount(text []byte) int {
	n, inside := 0, false
	for _, c := range text {
		if c == ' ' {
			inside = false
		} else if !inside {
			inside = true
			n++
		}
	}
	return n
}
