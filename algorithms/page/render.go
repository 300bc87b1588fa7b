package page

import "bytes"

// AppendText appends the plain text of s, a selection of b, to dst: the spans
// joined by what is between them on the page, a newline if a block boundary
// does, a blank if other white space does, else nothing. White space at the
// edges of a span counts as being between them; the text begins and ends
// with a character.
func (s *Selection) AppendText(dst []byte, b *Body) []byte {
	return s.AppendTextPieces(dst, b, func(int, Span) {})
}

// AppendTextPieces appends what AppendText does, and calls piece for each range of b.All.Text
// in it, with the place in the appended text where the range begins.
func (s *Selection) AppendTextPieces(dst []byte, b *Body, piece func(at int, of Span)) []byte {
	from := len(dst)
	first, end := true, 0
	for _, sp := range s.Spans {
		start := skipSpace(b.All.Text[:sp.End], int(sp.Start))
		stop := start + trimSpaceEnd(b.All.Text[start:sp.End])
		if start == stop {
			continue
		}
		if !first {
			switch gap := b.All.Text[end:start]; {
			case bytes.IndexByte(gap, '\n') >= 0:
				dst = append(dst, '\n')
			case hasSpace(gap):
				dst = append(dst, ' ')
			}
		}
		piece(len(dst)-from, Span{int32(start), int32(stop)})
		dst = append(dst, b.All.Text[start:stop]...)
		first, end = false, stop
	}
	return dst
}

// hasSpace reports whether s contains a white space character.
func hasSpace(s []byte) bool {
	for i := 0; i < len(s); {
		if spaceLen(s[i:]) > 0 {
			return true
		}
		i = wordEnd(s, i, WordsBySpace)
	}
	return false
}
