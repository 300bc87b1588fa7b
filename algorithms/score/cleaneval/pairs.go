package cleaneval

import (
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// pairs is src as the official scorer reads Chinese.
func pairs(w *forms.Text, src []byte, marked bool) []byte {
	w.Copy = appendPairs(w.Copy[:0], w.Norm.Decode(src), marked)
	return w.Norm.Lower(w.Copy)
}

// appendPairs appends the tokens of text to dst, separated by blanks. Each line is cut,
// white space left out, into tokens of two characters; dropped characters are removed
// from the tokens afterwards. The text after a tag begins a new token, and the last
// token of a line may be one character.
func appendPairs(dst, text []byte, marked bool) []byte {
	start, characters := len(dst), 0 // start and length of the current token
	end := func() {
		if characters > 0 {
			if len(dst) == start {
				dst = append(dst, empty)
			}
			dst = append(dst, ' ')
		}
		start, characters = len(dst), 0
	}
	for i := 0; i < len(text); {
		if tagAt(text[i:]) {
			end()
			if marked {
				dst = append(append(dst, text[i:i+tagLength]...), ' ')
				start = len(dst)
			}
			i += tagLength
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		_, blank := tokens.SpaceAt(text, i)
		switch {
		case text[i] == '\n':
			end()
		case blank:
		default:
			if !isDropped(text[i]) {
				dst = append(dst, text[i:i+n]...)
			}
			if characters++; characters == 2 {
				end()
			}
		}
		i += n
	}
	end()
	return dst
}
