package page

import "bytes"

// AppendText appends the plain text of s, a selection of b, to dst: the spans
// joined by what stands between them on the page, a newline if a block boundary
// does, a blank if other white space does, else nothing.
func (s *Selection) AppendText(dst []byte, b *Body) []byte {
	end := int32(0)
	for i, sp := range s.Spans {
		if i > 0 {
			switch gap := b.Text[end:sp.Start]; {
			case bytes.IndexByte(gap, '\n') >= 0:
				dst = append(dst, '\n')
			case hasSpace(gap):
				dst = append(dst, ' ')
			}
		}
		dst = append(dst, b.Text[sp.Start:sp.End]...)
		end = sp.End
	}
	return dst
}

// hasSpace says whether s has a white space character.
func hasSpace(s []byte) bool {
	for i := 0; i < len(s); {
		if spaceLen(s[i:]) > 0 {
			return true
		}
		i = wordEnd(s, i, WordsBySpace)
	}
	return false
}
