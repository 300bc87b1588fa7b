package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// folder appends text nodes to the page text and counts them.
type folder struct {
	// text is the page text so far. Beyond last it has only white space of pre
	// or textarea, which stays if text follows on the same line.
	text  []byte
	mode  WordMode
	last  int  // end of the last character that is not white space
	brk   bool // a block boundary or br stands between last and what follows
	space bool // white space stands between last and what follows
}

// add appends the text node s and returns the slice of text that it became,
// empty if s is blank, with its characters and words. It may read, but does not
// use, what lies between the end of s and its capacity.
func (f *folder) add(s []byte, pre bool) (start, end, chars, words int) {
	if pre {
		return f.addPre(s)
	}
	i := skipSpace(s, 0)
	if i > 0 {
		f.space = true
	}
	if i == len(s) {
		return 0, 0, 0, 0
	}
	f.separate()
	text := f.text
	start = len(text)
	var (
		wide  = s[:cap(s)]
		chunk = i     // first byte that is not yet in text
		extra = 0     // bytes of text that begin no character
		open  = false // inside a word
		blank = false // after one blank that is taken as it is
	)
	for i < len(s) {
		if i+8 <= len(wide) {
			k, starts, gap := scanPlain(binary.LittleEndian.Uint64(wide[i:]), len(s)-i, open, blank)
			words += starts
			if i += k; k > 0 {
				open, blank = !gap, gap
			}
			if k == 8 || i == len(s) {
				continue
			}
		}
		c := s[i]
		switch {
		case c < utf8.RuneSelf && byteClasses[c] == bytePlain:
			if !open {
				words++
			}
			open, blank = true, false
			i++
			continue
		case c == ' ' && !blank:
			open, blank = false, true
			i++
			continue
		case c >= utf8.RuneSelf:
			var w wideScan
			if w, open = scanWide(s[i:], open, f.mode); w.size > 0 {
				words += w.words
				extra += w.size - w.chars
				i += w.size
				blank = false
				continue
			}
		}
		// White space that does not stay as it is, maybe after one that would have.
		if blank {
			i--
		}
		text = append(text, s[chunk:i]...)
		chunk = skipSpace(s, i)
		i = chunk
		if i == len(s) {
			f.space = true
			blank = false
			break
		}
		text = append(text, ' ')
		open, blank = false, false
	}
	if blank {
		i--
		f.space = true
	}
	text = append(text, s[chunk:i]...)
	f.text, f.last = text, len(text)
	return start, len(text), len(text) - start - extra, words
}

// wideScan is what a run of characters beyond ASCII has.
type wideScan struct{ size, chars, words int }

// scanWide reads the characters beyond ASCII that s begins with, up to the
// first white space. Open says that the character before is in a word; the
// result, that the last one is in a word that may go on.
func scanWide(s []byte, open bool, mode WordMode) (w wideScan, stillOpen bool) {
	base := false // after a base character and its marks, if any
	i := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		var cls runeClass
		var r rune
		n := 0
		switch c := s[i]; {
		case 0xC3 <= c && c <= 0xDF && i+1 < len(s): // plain: see decode
			r, n = rune(c&0x1F)<<6|rune(s[i+1]&0x3F), 2
		default:
			r, n = decodeRune(s[i:])
			cls = classify(r)
		}
		switch {
		case cls == runeSpace:
			w.size = i
			return w, open
		case cls == runeBase && mode == WordsByScript:
			w.words++
			open, base = false, true
		case base && isMark(r):
		default:
			if !open {
				w.words++
			}
			open, base = true, false
		}
		w.chars++
		i += n
	}
	w.size = i
	return w, open
}

// scanPlain reads the first of the eight bytes in x, of which n belong to the
// text: those up to the first that is beyond ASCII, a control character (white
// space or not) or a blank after a blank. It returns their number, the number
// of words that begin in them and whether the last is a blank. Open says that
// the byte before x is in a word, blank that it is a blank.
func scanPlain(x uint64, n int, open, blank bool) (k, starts int, gap bool) {
	const (
		low  = 0x0101010101010101
		high = 0x8080808080808080
	)
	y := x ^ ' '*low
	blanks := ^((y&^high + ^uint64(high)) | y) & high // of plain bytes exactly those that are blanks
	before := blanks << 8
	if blank {
		before |= 0x80
	}
	// The lowest bit of the control term is exact, which is all that counts here.
	stop := x&high | (x-' '*low)&^x&high | blanks&before
	if n < 8 {
		stop |= 0x80 << (8 * n)
	}
	if !open {
		before |= 0x80
	}
	if stop == 0 {
		return 8, bits.OnesCount64(^blanks & before), blanks>>63 != 0
	}
	bit := bits.TrailingZeros64(stop) &^ 7 // of the first byte that is not read
	read := uint64(1)<<bit - 1
	return bit / 8, bits.OnesCount64(^blanks & before & read), bit > 0 && blanks>>(bit-1)&1 != 0
}

// separate writes what stands between the last character and the next.
func (f *folder) separate() {
	switch {
	case f.last == 0:
		f.text = f.text[:0]
	case f.brk:
		f.text = append(f.text[:f.last], '\n')
	case f.space && len(f.text) == f.last:
		f.text = append(f.text, ' ')
	}
	f.brk, f.space = false, false
}

// breakLine notes a block boundary.
func (f *folder) breakLine() {
	f.brk = true
	f.text = f.text[:f.last]
}

// addPre is add for text whose white space is kept as written. Blank lines
// next to a block boundary are not kept, the indentation of the first line is.
func (f *folder) addPre(s []byte) (start, end, chars, words int) {
	lead := skipSpace(s, 0)
	if f.space && !f.brk && f.last > 0 && len(f.text) == f.last {
		f.text = append(f.text, ' ')
	}
	f.space = false
	f.text = append(f.text, s[:lead]...)
	if lead == len(s) {
		return 0, 0, 0, 0
	}
	if f.brk || f.last == 0 {
		f.indent()
	}
	body := s[lead:]
	body, tail := body[:trimSpaceEnd(body)], body[trimSpaceEnd(body):]
	start = len(f.text)
	f.text = append(f.text, body...)
	f.last = len(f.text)
	f.text = append(f.text, tail...)
	for i := 0; i < len(body); {
		if j := skipSpace(body, i); j > i {
			chars++
			i = j
			continue
		}
		j := wordEnd(body, i, f.mode)
		chars += utf8.RuneCount(body[i:j])
		words++
		i = j
	}
	return start, f.last, chars, words
}

// indent replaces the white space beyond last by the line break that is due
// and the last line of that white space.
func (f *folder) indent() {
	tail := f.text[f.last:]
	line := tail[bytes.LastIndexByte(tail, '\n')+1:]
	if f.last == 0 {
		f.text = append(f.text[:0], line...)
	} else {
		f.text = append(f.text, '\n') // room for the line break where tail has none
		tail = f.text[f.last:]
		copy(tail[1:], tail[len(tail)-1-len(line):len(tail)-1])
		tail[0] = '\n'
		f.text = f.text[:f.last+1+len(line)]
	}
	f.brk = false
}
