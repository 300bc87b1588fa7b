package payload

import (
	"bytes"
	"unicode/utf8"

	"github.com/gogs/chardet"
)

// detector guesses the charset of a document that declares none: UTF-16 by its
// NUL bytes, UTF-8 by being valid, Thai by its range of bytes, and all others by
// the statistics of ICU, in the port of github.com/gogs/chardet. That was chosen
// over the port of Mozilla's detector, wlynxg/chardet, after both were given a
// paragraph each of 19 languages in 30 charsets: it named 27 rightly, the other
// 18, Russian in windows-1251 not among them.
type detector struct{ sample []byte }

const (
	// detected is how many bytes are shown to the statistical detector. It looks
	// at no more itself, and is slow.
	detected = 8 << 10
	// confident is the least confidence, of 100, that is believed. Below that,
	// windows-1252 is the better guess for the web as a whole.
	confident = 15
)

// detect returns the WHATWG name of the likely charset, "" if there is no
// telling: no byte above ASCII, or no confidence.
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
		return "utf-8" // text in any other charset hardly ever is
	}
	t.collect(b)
	if thai(t.sample) {
		return "windows-874"
	}
	return t.statistics()
}

// validToTheEnd reports whether b is UTF-8, except that it may end within a
// character.
func validToTheEnd(b []byte) bool {
	n := validPrefix(b)
	return n == len(b) || len(b)-n < utf8.UTFMax && badLength(b[n:]) == len(b)-n && b[n] >= 0xc2
}

// statistics asks the statistical detector about the sample. It runs its
// recognizers side by side and sorts what they say by confidence alone; among
// equals the first name is taken here, so that the answer is always the same.
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
		return "koi8-u" // differs in box drawings, which are letters there
	case "GB-18030", "GB18030":
		return "gb18030"
	}
	return charsetName(best.Charset)
}

// thai reports whether the sample is Thai, of which the statistics know nothing:
// hardly anything but bytes above ASCII, all within the ranges of windows-874,
// some of them vowels and tones above or below the line.
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

// collect gathers the lines that hold bytes above ASCII, without the tags: markup
// is the same in every charset and drowns the text in it.
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

// wideText recognises UTF-16 without a byte order mark: markup is ASCII, so at
// least a quarter of the units have a zero byte, always on the same side, beside a
// character of text.
func wideText(b []byte) string {
	b = b[:min(len(b), 1024)&^1]
	units := len(b) / 2
	if units < 8 {
		return ""
	}
	var zeros, text [2]int // zero bytes at even and odd places, and text beside them
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
