package punkt

import (
	"bytes"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// appendWords appends the words of context, cut as NLTK cuts them: punctuation
// stands alone, except that a full stop stays with its word, and runs of
// hyphens or full stops are one word.
func appendWords(dst []token, context []byte) []token {
	for len(context) > 0 {
		line := context
		if i := bytes.IndexByte(context, '\n'); i >= 0 {
			line, context = context[:i], context[i+1:]
		} else {
			context = nil
		}
		for i := skipSpace(line, 0); i < len(line); i = skipSpace(line, i) {
			n := wordLength(line[i:])
			dst = append(dst, token{text: line[i : i+n]})
			i += n
		}
	}
	return dst
}

// wordLength is the length of the word at the front of s, which does not begin
// with white space.
func wordLength(s []byte) int {
	if n := multi(s); n > 0 {
		return n
	}
	_, i := utf8.DecodeRune(s)
	if bytes.IndexByte([]byte("(\"`{[:;&#*@)}]-,"), s[0]) >= 0 {
		return i
	}
	for i < len(s) && !wordEnds(s[i:]) {
		_, n := utf8.DecodeRune(s[i:])
		i += n
	}
	return i
}

// wordEnds reports whether a word ends before s, which is not empty.
func wordEnds(s []byte) bool {
	if breaksWord(s) {
		return true
	}
	return s[0] == ',' && (len(s) == 1 || breaksWord(s[1:]))
}

func breaksWord(s []byte) bool {
	r, _ := utf8.DecodeRune(s)
	return tokens.IsSpace(r) || nonWord(s[0]) || multi(s) > 0
}

// multi is the length of the run of hyphens or full stops at the front of s
// that is a word of its own; full stops may be spaced (". . .").
func multi(s []byte) int {
	for _, c := range []byte("-.") {
		n := 0
		for n < len(s) && s[n] == c {
			n++
		}
		if n >= 2 {
			return n
		}
	}
	pairs, i := 0, 0 // number of pairs of a full stop and one white space
	for i < len(s) && s[i] == '.' {
		r, n := utf8.DecodeRune(s[i+1:])
		if n == 0 || !tokens.IsSpace(r) {
			break
		}
		i += 1 + n
		pairs++
	}
	for ; pairs >= 2; pairs-- {
		if i < len(s) && s[i] == '.' {
			return i + 1
		}
		// The last pair's full stop may be the one that closes the run.
		_, n := utf8.DecodeLastRune(s[:i])
		i -= 1 + n
	}
	return 0
}

// numeric reports whether word is a number: an optional sign and point, a digit,
// then digits, points, commas and hyphens.
func numeric(word []byte) bool {
	if len(word) > 0 && word[0] == '-' {
		word = word[1:]
	}
	if len(word) > 0 && (word[0] == '.' || word[0] == ',') {
		word = word[1:]
	}
	r, n := utf8.DecodeRune(word)
	if !digit(r) {
		return false
	}
	for word = word[n:]; len(word) > 0; word = word[n:] {
		r, n = utf8.DecodeRune(word)
		if !digit(r) && r != '.' && r != ',' && r != '-' {
			return false
		}
	}
	return true
}
