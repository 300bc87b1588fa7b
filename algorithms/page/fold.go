package page

import (
	"bytes"
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
// empty if s is blank, with its characters and words.
func (f *folder) add(s []byte, pre bool) (start, end, chars, words int) {
	if pre {
		return f.addPre(s)
	}
	i := 0
	for i < len(s) && byteClasses[s[i]] == byteSpace {
		i++
	}
	if i < len(s) && s[i] >= utf8.RuneSelf {
		i = skipSpace(s, i)
	}
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
		chunk = i     // first byte that is not yet in text
		extra = 0     // bytes of text that begin no character
		open  = false // inside a word
	)
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if byteClasses[c] == bytePlain {
				if !open {
					words++
					open = true
				}
				i++
				continue
			}
			open = false
			if c == ' ' && i+1 < len(s) && spaceLen(s[i+1:]) == 0 {
				i++ // one blank before a word stays as it is
				continue
			}
		} else {
			r, n := utf8.DecodeRune(s[i:])
			cls := classify(r)
			if cls == runeBase && f.mode == WordsByScript {
				words++
				open = false
				j := skipMarks(s, i+n)
				extra += j - i - utf8.RuneCount(s[i:j])
				i = j
				continue
			}
			if cls != runeSpace {
				if !open {
					words++
					open = true
				}
				i += n
				extra += n - 1
				continue
			}
			open = false
		}
		text = append(text, s[chunk:i]...)
		chunk = skipSpace(s, i)
		i = chunk
		if i == len(s) {
			f.space = true
			break
		}
		text = append(text, ' ')
	}
	text = append(text, s[chunk:]...)
	f.text, f.last = text, len(text)
	return start, len(text), len(text) - start - extra, words
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
