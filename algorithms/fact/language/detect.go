package language

import (
	"unicode/utf8"

	"github.com/RadhiFadlillah/whatlanggo"

	"github.com/winnow/winnow/algorithms"
)

const (
	// leastLetters is what a text must have: shorter ones are guesses.
	leastLetters = 20
	// The library is given this many pieces of this many bytes; docs/facts.md compares
	// other choices.
	pieces     = 12
	pieceBytes = 50
)

// detect returns the language of a text and how sure that is, from 0 to 1; "" if the text
// is too short or two languages are equally near.
func detect(p *algorithms.Pass, text []byte) (code string, confidence float64) {
	buf := algorithms.Scratch[buffer](p)
	return buf.detect(text, pieces, pieceBytes)
}

// buffer holds the pieces of a text.
type buffer struct{ b []byte }

func (b *buffer) detect(text []byte, pieces, size int) (string, float64) {
	s, letters, all := commonest(text)
	if letters < leastLetters {
		return "", 0
	}
	if of[s] != "" {
		return of[s], float64(letters) / float64(all)
	}
	b.sample(text, s, pieces, size)
	info := whatlanggo.Detect(string(b.b))
	if info.Confidence <= 0 || info.Lang < 0 {
		return "", 0 // of languages that are equally near the library returns any
	}
	return codes[info.Lang], info.Confidence
}

// codes are the languages of the library.
var codes = func() map[whatlanggo.Lang]string {
	m := map[whatlanggo.Lang]string{}
	for l := range whatlanggo.Langs {
		m[l] = l.Iso6391()
		switch {
		case l == whatlanggo.Ydd:
			m[l] = "yi"
		case l == whatlanggo.Bho:
			m[l] = "bho" // bh is withdrawn
		case m[l] == "":
			m[l] = l.Iso6393()
		}
	}
	return m
}()

// sample sets the buffer to pieces of the text, which begin at the beginnings of words where
// there are spaces, with a space in place of what is no letter of the script.
func (b *buffer) sample(text []byte, s script, pieces, size int) {
	b.b = b.b[:0]
	if len(text) <= pieces*size {
		pieces, size = 1, len(text)
	}
	var r reader
	for i := range pieces {
		at := 0
		if i > 0 {
			at = word(text, (len(text)-size)/(pieces-1)*i)
		}
		end := len(text)
		if size < end-at {
			end = word(text, at+size)
		}
		for at < end {
			c, n := utf8.DecodeRune(text[at:])
			if r.script(c) == s {
				b.b = append(b.b, text[at:at+n]...)
			} else if len(b.b) > 0 && b.b[len(b.b)-1] != ' ' {
				b.b = append(b.b, ' ')
			}
			at += n
		}
		b.b = append(b.b, ' ')
	}
}

// longestWord bounds the bytes that are looked at for the end of a word.
const longestWord = 40

// word returns the end of the word at a place in a text, or a place between characters
// near it if there are no spaces.
func word(text []byte, at int) int {
	for i := at; i < min(at+longestWord, len(text)); i++ {
		if text[i] <= ' ' {
			return i
		}
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
