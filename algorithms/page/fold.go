package page

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// folder appends text nodes to the page text and counts them.
type folder struct {
	// text is the page text so far. Beyond last it has only white space of pre or
	// textarea elements, which is kept if text follows on the same line.
	text  []byte
	mode  WordMode
	last  int  // end of the last character that is not white space
	brk   bool // a block boundary or br is between last and what follows
	space bool // white space is between last and what follows
}

// add appends the text node s and returns where it begins in the text, which ends with
// it, and its numbers of characters and words, which are 0 if s is blank. It may read,
// but does not use, the bytes between the end of s and its capacity.
func (f *folder) add(s []byte, pre bool) (start, chars, words int) {
	if pre {
		return f.addPre(s)
	}
	wide := s[:cap(s)]
	i := leadingSpace(s, wide)
	if i > 0 {
		f.space = true
	}
	if i == len(s) {
		return 0, 0, 0
	}
	f.separate()
	text := f.text
	start = len(text)
	var (
		chunk = i // first byte of s that is not yet in text
		extra = 0 // bytes of text that do not begin a character
		// These have the top bit of a byte, so that they fit the masks of eight bytes.
		shut  uint64 = 0x80 // not inside a word
		blank uint64 = 0    // after a blank that is kept as it is
	)
	for i < len(s) {
		for i+8 <= len(wide) {
			x := binary.LittleEndian.Uint64(wide[i:])
			blanks := blankBytes(x)
			before := blanks << 8
			stop := stopBytes(x) | blanks&(before|blank)
			if rest := len(s) - i; rest < 8 {
				stop |= 0x80 << (8 * rest)
			}
			starts := ^blanks & (before | shut) // first bytes of words
			if stop == 0 {
				words += bits.OnesCount64(starts)
				blank = blanks >> 56
				shut = blank
				i += 8
				continue
			}
			if n := bits.TrailingZeros64(stop) &^ 7; n > 0 {
				words += bits.OnesCount64(starts & (1<<n - 1))
				blank = blanks >> (n - 8) & 0x80
				shut = blank
				i += n / 8
			}
			break
		}
		if i == len(s) {
			break
		}
		c := s[i]
		switch {
		case c < utf8.RuneSelf && byteClasses[c] == bytePlain:
			if shut != 0 {
				words++
			}
			shut, blank = 0, 0
			i++
			continue
		case c == ' ' && blank == 0:
			shut, blank = 0x80, 0x80
			i++
			continue
		case c >= utf8.RuneSelf:
			w, open := scanWide(s[i:], shut == 0, f.mode)
			if w.size > 0 {
				words += w.words
				extra += w.size - w.chars
				i += w.size
				shut, blank = 0x80, 0
				if open {
					shut = 0
				}
				continue
			}
			if skipSpace(s, i) == i { // no white space either: a byte that is not UTF-8
				if shut != 0 {
					words++
				}
				shut, blank = 0, 0
				i++
				continue
			}
		}
		// This white space is not kept as it is, or follows a blank that would have been.
		if blank != 0 {
			i--
		}
		text = append(text, s[chunk:i]...)
		chunk = skipSpace(s, i)
		i = chunk
		shut, blank = 0x80, 0
		if i == len(s) {
			f.space = true
			break
		}
		text = append(text, ' ')
	}
	if blank != 0 {
		i--
		f.space = true
	}
	text = append(text, s[chunk:i]...)
	f.text, f.last = text, len(text)
	return start, len(text) - start - extra, words
}

// leadingSpace returns the length of the white space that s begins with. It reads eight
// bytes at a time from wide, which begins with s and continues beyond its end.
func leadingSpace(s, wide []byte) int {
	i := 0
	for i < len(s) && i+8 <= len(wide) {
		k := bits.TrailingZeros64(^spaceBytes(binary.LittleEndian.Uint64(wide[i:]))&highBits) / 8
		if i += k; k < 8 {
			break
		}
	}
	if i >= len(s) {
		return len(s)
	}
	return skipSpace(s, i)
}

// The masks of eight bytes have the top bit of a byte set if the condition holds for it.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// blankBytes returns a mask of the blanks among the bytes of x. It is exact for ASCII,
// but may contain bytes that stopBytes also contains.
func blankBytes(x uint64) uint64 {
	y := x ^ ' '*lowBits
	return ^(y&^highBits + (highBits - lowBits) | y) & highBits
}

// spaceBytes returns a mask of the ASCII white space characters (9 to 13 and 28 to 32)
// among the bytes of x. It is exact.
func spaceBytes(x uint64) uint64 {
	y := x | highBits // no lane borrows from the next
	from9, from14 := y-9*lowBits, y-14*lowBits
	from28, from33 := y-28*lowBits, y-33*lowBits
	return (from9&^from14 | from28&^from33) &^ x & highBits
}

// stopBytes returns a mask of the bytes of x that need a closer look: bytes beyond ASCII,
// and control characters including white space. Only its lowest bit is exact.
func stopBytes(x uint64) uint64 {
	return (x | (x-' '*lowBits)&^x) & highBits
}

// wideScan is the result of scanning a run of characters beyond ASCII.
type wideScan struct{ size, chars, words int }

// scanWide reads the characters beyond ASCII that s begins with, up to the first white
// space. open is true if the character before s is in a word; stillOpen is true
// if the last character is in a word that may continue.
func scanWide(s []byte, open bool, mode WordMode) (w wideScan, stillOpen bool) {
	base := false // the previous characters are a base character and its marks
	i := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		var cls runeClass
		var r rune
		n := 0
		switch c := s[i]; {
		case 0xC3 <= c && c <= 0xDF && i+1 < len(s): // plain: see decode
			r, n = rune(c&0x1F)<<6|rune(s[i+1]&0x3F), 2
		case 0xE5 <= c && c <= 0xE9 && i+2 < len(s): // Han: see decode
			cls, n = runeBase, 3
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

// separate writes the white space between the last character and the next.
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

// breakLine records a block boundary.
func (f *folder) breakLine() {
	f.brk = true
	f.text = f.text[:f.last]
}

// addPre is add for text whose white space is kept as written. Blank lines next to a
// block boundary are dropped, but the indentation of the first line is kept.
func (f *folder) addPre(s []byte) (start, chars, words int) {
	lead := skipSpace(s, 0)
	if f.space && !f.brk && f.last > 0 && len(f.text) == f.last {
		f.text = append(f.text, ' ')
	}
	f.space = false
	f.text = append(f.text, s[:lead]...)
	if lead == len(s) {
		return 0, 0, 0
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
	return start, chars, words
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
