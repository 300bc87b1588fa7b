package bevendorff

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// appendLite appends the sentences of text by a simple rule without a model. A sentence
// ends after one of . ! ? … and any closing quotes and brackets, if white space follows
// and then an upper-case letter, a digit or an opening quote.
func appendLite(dst []tokens.Span, text []byte) []tokens.Span {
	start := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		i += n
		if !stops(r) {
			continue
		}
		end := i
		for end < len(text) {
			r, n := utf8.DecodeRune(text[end:])
			if !stops(r) && !closes(r) {
				break
			}
			end += n
		}
		next := end
		for next < len(text) {
			n, blank := tokens.SpaceAt(text, next)
			if !blank {
				break
			}
			next += n
		}
		if r, _ := utf8.DecodeRune(text[next:]); next > end && next < len(text) && opens(r) {
			dst = append(dst, tokens.Span{Start: int32(start), End: int32(end)})
			start = next
		}
		i = end
	}
	if start < len(text) {
		dst = append(dst, tokens.Span{Start: int32(start), End: int32(len(text))})
	}
	return dst
}

func stops(r rune) bool { return r == '.' || r == '!' || r == '?' || r == '…' }

// closes reports whether r is a closing bracket, a closing quote of any language or a
// straight quote.
func closes(r rune) bool {
	return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi)
}

// opens reports whether a sentence may begin with r.
func opens(r rune) bool {
	return r == '"' || r == '\'' || unicode.IsUpper(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Pi, unicode.Pf) || r == '„' || r == '‚'
}
