package charset

import (
	"bytes"
	"unicode/utf8"

	"github.com/gogs/chardet"
)

// detector guesses the charset of a document that declares none. It recognises UTF-16
// by its NUL bytes, UTF-8 by its validity, Thai by its range of bytes, and all other
// charsets by the statistics of ICU, in the port of github.com/gogs/chardet. This port
// was chosen over wlynxg/chardet, a port of Mozilla's detector, after a test with a
// paragraph in each of 19 languages, in 30 charsets: gogs/chardet named 27 of them
// correctly and wlynxg/chardet 18, which did not include Russian in windows-1251.
type detector struct{ sample []byte }

const (
	// detected is how many bytes are given to the statistical detector. The detector
	// is slow and would not use more bytes.
	detected = 8 << 10
	// confident is the least confidence, out of 100, at which a guess is accepted.
	// Below that, windows-1252 is the better guess for the web as a whole.
	confident = 15
)

// detect returns the WHATWG name of the likely charset. It returns "" if there are no
// bytes above ASCII or if the confidence is too low.
func (t *detector) detect(b []byte) string {
	if name := wideText(b); name != "" {
		return name
	}
	if ascii(b) {
		if bytes.Contains(b, []byte("\x1b$B")) || bytes.Contains(b, []byte("\x1b$@")) {
			return "iso-2022-jp"
		}
		return ""
	}
	if validToTheEnd(b) {
		return "utf-8" // text in another charset is hardly ever valid UTF-8
	}
	t.collect(b)
	if thai(t.sample) {
		return "windows-874"
	}
	return t.statistics()
}

// validToTheEnd reports whether b, which is not empty, is valid UTF-8, except that it may end
// within a character.
func validToTheEnd(b []byte) bool {
	n := len(b) - 1 // where the last character begins
	for n > 0 && len(b)-n < utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n--
	}
	if last := b[n:]; utf8.FullRune(last) && (len(last) > 1 || last[0] < 0xc2) {
		n = len(b)
	}
	return utf8.Valid(b[:n])
}

// statistics returns the statistical detector's guess for the sample. The detector runs
// its recognizers concurrently and sorts their results only by confidence. Among equal
// results, statistics takes the first one by name, so that its answer is deterministic.
func (t *detector) statistics() string {
	guesses, err := chardet.NewTextDetector().DetectAll(t.sample)
	if err != nil {
		return ""
	}
	best := chardet.Result{Confidence: confident - 1}
	for _, g := range guesses {
		if g.Confidence > best.Confidence || g.Confidence == best.Confidence && g.Charset < best.Charset {
			best = g
		}
	}
	switch best.Charset {
	case "KOI8-R":
		return "koi8-u" // KOI8-U differs only in that it has letters for some box drawings
	case "GB-18030", "GB18030":
		return "gb18030"
	}
	return charsetName(best.Charset)
}

// thai reports whether the sample is Thai, which the statistical detector does not
// know. A Thai sample has hardly any bytes except those above ASCII, all of them are
// within the ranges of windows-874, and some of them are vowels and tones above or
// below the line.
func thai(b []byte) bool {
	high, letters, marks, low := 0, 0, 0, 0
	for _, c := range b {
		switch {
		case c >= 0x80 && c < 0xa1, c >= 0xdb && c <= 0xde, c >= 0xfc:
			return false
		case c == 0xd1, c >= 0xd4 && c <= 0xda, c >= 0xe7 && c <= 0xee:
			marks++
			high++
		case c >= 0xa1 && c <= 0xc0: // a third of the consonants; Hebrew and Arabic have none here
			low++
			high++
		case c >= 0xa1:
			high++
		case isLetter(c):
			letters++
		}
	}
	return high >= 40 && letters < high/2 && low*5 >= high && marks*20 >= high && marks*2 <= high
}

// collect gathers the lines that hold bytes above ASCII into the sample. It omits the
// tags, because markup is the same in every charset and outweighs the text.
func (t *detector) collect(b []byte) {
	t.sample = t.sample[:0]
	for len(b) > 0 && len(t.sample) < detected {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		for len(line) > 0 && len(t.sample) < detected {
			text := line
			if i := bytes.IndexByte(line, '<'); i >= 0 {
				text, line = line[:i], line[i:]
				if j := bytes.IndexByte(line, '>'); j >= 0 {
					line = line[j+1:]
				} else {
					line = nil
				}
			} else {
				line = nil
			}
			if !ascii(text) {
				t.sample = append(append(t.sample, text[:min(len(text), detected)]...), ' ')
			}
		}
	}
}

// wideText recognises UTF-16 without a byte order mark. Markup is ASCII, so in UTF-16 at
// least a quarter of the units have a zero byte, always on the same side, next to a
// character of text.
func wideText(b []byte) string {
	b = b[:min(len(b), 1024)&^1]
	units := len(b) / 2
	if units < 8 {
		return ""
	}
	var zeros, text [2]int // zero bytes at even and odd offsets, and text next to them
	for i, c := range b {
		if c != 0 {
			continue
		}
		zeros[i&1]++
		if beside := b[i^1]; beside >= ' ' && beside < 0x7f || beside >= 0xa0 || isSpace(beside) {
			text[i&1]++
		}
	}
	for side, name := range [...]string{"utf-16be", "utf-16le"} {
		if zeros[side]*4 >= units && zeros[1-side]*20 <= zeros[side] && text[side]*20 >= zeros[side]*19 {
			return name
		}
	}
	return ""
}
