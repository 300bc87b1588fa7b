package gold

import "bytes"

// Unwrap returns a page without the <text id="ADDRESS" …> element in which the pages of
// CleanEval and CleanPortalEval are wrapped. Because of that element, no two pages of a
// site begin alike, which some site-level extractors need, and the page's own doctype
// comes too late to have an effect. Pages without the element are returned unchanged.
func Unwrap(html []byte) []byte {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(html, " \t\r\n"), []byte("<text "))
	if !ok {
		return html
	}
	end := tagEnd(rest)
	if end < 0 {
		return html
	}
	rest = bytes.TrimRight(rest[end:], " \t\r\n")
	if inner, ok := bytes.CutSuffix(rest, []byte("</text>")); ok {
		return inner
	}
	return rest
}

// tagEnd returns the offset at which the tag ends in which s begins, or -1 if the tag
// does not end.
func tagEnd(s []byte) int {
	quote := byte(0)
	for i, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}
