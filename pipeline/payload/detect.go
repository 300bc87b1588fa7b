package payload

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
)

// detector guesses the charset of a document that declares none.
type detector struct{ sample []byte }

const (
	// detected is how many bytes are shown to the statistical detector. It is
	// slow, and its verdict does not change much beyond this.
	detected = 8 << 10
	// confident is the least confidence of it that is believed. Below that,
	// windows-1252 is the better guess for the web as a whole.
	confident = 0.5
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
	// Text in any other charset is hardly ever valid UTF-8. A character may be
	// cut at the end.
	if n := validPrefix(b); n >= len(b)-utf8.UTFMax+1 && badLength(b[min(n, len(b)-1):]) >= len(b)-n {
		return "utf-8"
	}
	t.collect(b)
	guess := chardet.Detect(t.sample)
	if guess.Confidence < confident {
		return ""
	}
	return charsetName(labelOf(guess.Encoding))
}

// labelOf translates the names of the detector that are no WHATWG labels.
func labelOf(encoding string) string {
	switch label := strings.ToLower(encoding); label {
	case "cp932":
		return "shift_jis"
	case "cp949", "johab", "ks_c_5601-1987":
		return "euc-kr"
	case "macroman":
		return "macintosh"
	case "maccyrillic":
		return "x-mac-cyrillic"
	case "tis-620":
		return "windows-874"
	default:
		return label
	}
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

// wideText recognises UTF-16 without a byte order mark by its NUL bytes: markup
// has one in every character, always on the same side.
func wideText(b []byte) string {
	b = b[:min(len(b), 512)&^1]
	if len(b) < 16 {
		return ""
	}
	even, odd := 0, 0
	for i := 0; i < len(b); i += 2 {
		if b[i] == 0 && b[i+1] != 0 {
			even++
		}
		if b[i] != 0 && b[i+1] == 0 {
			odd++
		}
	}
	units := len(b) / 2
	switch {
	case even*10 >= units*8:
		return "utf-16be"
	case odd*10 >= units*8:
		return "utf-16le"
	}
	return ""
}
