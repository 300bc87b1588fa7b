package forms

import "bytes"

// head is the longest piece that package bytes finds with vector instructions. It finds
// longer ones by a rolling hash, which takes several times as long.
const head = 63

// Contains reports whether text contains piece. For long pieces it is quicker than
// bytes.Contains.
func Contains(text, piece []byte) bool {
	if len(piece) <= head {
		return bytes.Contains(text, piece)
	}
	// A text may repeat the head without ever having the rest.
	for range 8 {
		at := bytes.Index(text, piece[:head])
		if at < 0 || len(text)-at < len(piece) {
			return false
		}
		if bytes.HasPrefix(text[at:], piece) {
			return true
		}
		text = text[at+1:]
	}
	return bytes.Contains(text, piece)
}
