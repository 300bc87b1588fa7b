package gold

import "bytes"

// PackOptions say how pages are written.
type PackOptions struct {
	// Unwrap takes off the element that CleanEval put around every page, with the
	// page's address in it: see the function Unwrap.
	Unwrap bool
}

// Unwrap returns a page without the <text id="ADDRESS" …> element that the pages
// of CleanEval and CleanPortalEval are wrapped in. With it no two pages of a site
// are alike from the top, which is what some site-level methods compare, and the
// page's own doctype comes too late to count. Pages without it are returned as
// they are.
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

// tagEnd is where the tag that s begins in ends; -1 if it does not.
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
