package warc

import "bytes"

// syntax is the format of the records of a file. WARC records have a version line,
// fields and a blank line before their block. ARC records have a single line before it.
// Containers, units, groups and damage are treated in the same way for both.
type syntax uint8

const (
	syntaxWARC syntax = iota
	syntaxARC
)

// firstLine returns the length of the first line of the record that b begins with.
func (s syntax) firstLine(b []byte) (n int, a answer) {
	if s == syntaxARC {
		return arcLine(b)
	}
	return versionLine(b)
}

// maxFirstLine is the longest such line, line end included.
func (s syntax) maxFirstLine() int {
	if s == syntaxARC {
		return maxARCLine
	}
	return maxVersionLine
}

// prefix returns how many bytes of a unit's content decide whether it begins a record.
func (s syntax) prefix() int { return startEOL + s.maxFirstLine() + len(bom) }

// begins reports whether content begins with the first line of a record, after a
// byte order mark and a short run of line ends.
func (s syntax) begins(content []byte) answer {
	content = bytes.TrimPrefix(content, bom)
	n := 0
	for n < len(content) && n <= startEOL && isEOL(content[n]) {
		n++
	}
	if n > startEOL {
		return no
	}
	_, a := s.firstLine(content[n:])
	return a
}

// plausible reports whether b begins with a header. It is strict enough for positions
// at which no record is expected. If length is set, the header must hold a usable
// length of its block.
func (s syntax) plausible(b []byte, length bool) answer {
	if s == syntaxARC {
		return plausibleARC(b, length)
	}
	return plausible(b, length)
}

// mayBegin reports whether a record can begin with this byte.
func (s syntax) mayBegin(c byte) bool {
	if s == syntaxARC {
		return isLetter(c)
	}
	return c|0x20 == 'w'
}

// lineStart finds the next position in b, at or after from, that follows an LF and
// begins like the first line of a record as far as b goes. It returns -1 if there is
// none.
func (s syntax) lineStart(b []byte, from int) int {
	const magic = "warc/"
	for from < len(b) {
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			return -1
		}
		from += i + 1
		if s == syntaxARC {
			if from < len(b) && scheme(b[from:]) != no {
				return from
			}
			continue
		}
		n := min(len(b)-from, len(magic))
		if foldPrefix(b[from:from+n], magic[:n]) {
			return from
		}
	}
	return -1
}

// separators are the ways in which a record is separated from the next one, the
// longest first.
func (s syntax) separators() []string {
	if s == syntaxARC {
		return arcSeparators
	}
	return warcSeparators
}

var (
	warcSeparators = []string{"\r\n\r\n", "\n\n"}
	arcSeparators  = []string{"\n"}
)

// separates reports whether this number of line ends after a block is regular. In ARC
// files the single line end comes after a record or before the next one, which may be
// in another unit.
func (s syntax) separates(lines int) bool {
	if s == syntaxARC {
		return lines <= 1
	}
	return lines == 2
}
