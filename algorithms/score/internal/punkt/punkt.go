// Package punkt cuts English text into sentences as NLTK's sent_tokenize does:
// the decision procedure of Kiss and Strunk, "Unsupervised Multilingual
// Sentence Boundary Detection" (Computational Linguistics 32, 2006) over the
// model that NLTK ships, which comes with github.com/neurosnap/sentences.
//
// The module's own tokeniser is not used: it cuts words by other rules than NLTK, does
// not move closing quotes to the sentence they close, and allocates several times a
// word. The scorers reproduce NLTK.
//
// Only the surroundings of a full stop, question mark or exclamation mark are examined:
// the word that ends there, and the mark or the word that follows.
package punkt

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/neurosnap/sentences"
	"github.com/neurosnap/sentences/data"

	"github.com/winnow/winnow/algorithms/internal/tokens"
)

// Splitter finds sentences. The zero Splitter is ready. It is not safe for
// concurrent use.
type Splitter struct {
	model   *sentences.Storage // nil until the first mark is to be decided about
	words   []token
	starter []byte // a word's type, then the next one's
	cuts    []tokens.Span

	contexts tokens.Dict // those that were decided before
	stops    []bool      // by number of a context
}

// Reset forgets the contexts of an earlier page; the texts of one page have most
// of them in common.
func (s *Splitter) Reset() {
	s.contexts.Reset()
	s.stops = s.stops[:0]
}

// load reads the English model, some 20,000 words, in ten milliseconds. The model is
// part of the program, so an error is a bug.
func (s *Splitter) load() {
	packed, err := data.Asset("data/english.json")
	if err == nil {
		s.model, err = sentences.LoadTraining(packed)
	}
	if err != nil {
		panic(fmt.Sprintf("punkt: english model: %v", err))
	}
}

// Split appends the sentences of text, which is valid UTF-8, to dst. A sentence
// begins after the white space that follows the previous one; white space at the
// end of the text belongs to none.
func (s *Splitter) Split(dst []tokens.Span, text []byte) []tokens.Span {
	s.cuts = s.cut(s.cuts[:0], text)
	return realign(dst, text, s.cuts)
}

// mark is a full stop, question or exclamation mark that may end a sentence.
type mark struct {
	from int // start of the preceding words that influence the decision
	at   int
	next int // start of the next word; 0 if punctuation follows at once
	to   int // end of the next word, or of that punctuation
}

// cut finds the sentences before closing quotes and brackets are moved. Of
// several marks without white space between them the last one counts for all.
func (s *Splitter) cut(dst []tokens.Span, text []byte) []tokens.Span {
	last := 0
	decide := func(m mark) {
		if !s.stopped(text[m.from:m.to]) {
			return
		}
		dst = append(dst, tokens.Span{Start: int32(last), End: int32(m.at + 1)})
		last = m.at + 1
		if m.next > 0 {
			last = m.next
		}
	}
	var before mark
	known := false
	for i, c := range text {
		if !ends(c) {
			continue
		}
		m, ok := candidate(text, i)
		if !ok {
			continue
		}
		// NLTK searches for ASCII white space here, and takes the first position for
		// none.
		m.from = before.from
		if space := bytes.LastIndexAny(text[before.at:i], " \t\n\r\v\f"); space > 0 {
			m.from = before.at + space + 1
		}
		if known && before.at <= m.from { // the words of the two do not overlap
			decide(before)
		}
		before, known = m, true
	}
	if known {
		decide(before)
	}
	trimmed := len(bytes.TrimRightFunc(text, tokens.IsSpace))
	return append(dst, tokens.Span{Start: int32(last), End: int32(max(trimmed, last))})
}

// candidate reports whether punctuation, or white space and a word, follows the
// mark at i.
func candidate(text []byte, i int) (mark, bool) {
	rest := i + 1
	if rest == len(text) {
		return mark{}, false
	}
	if nonWord(text[rest]) {
		return mark{at: i, to: rest + 1}, true
	}
	next := skipSpace(text, rest)
	if next == rest || next == len(text) {
		return mark{}, false
	}
	return mark{at: i, next: next, to: skipWord(text, next)}, true
}

func ends(c byte) bool { return c == '.' || c == '?' || c == '!' }

// nonWord is the punctuation that ends a word wherever it is.
func nonWord(c byte) bool { return bytes.IndexByte([]byte(`)";}]*:@'({[!?`), c) >= 0 }

// realign moves closing quotes and brackets from the front of a sentence to the
// one before.
func realign(dst []tokens.Span, text []byte, cuts []tokens.Span) []tokens.Span {
	shift := int32(0)
	for i, c := range cuts {
		c.Start += shift
		shift = 0
		if i+1 < len(cuts) {
			next := cuts[i+1]
			closers, behind := closing(text[next.Start:next.End])
			if closers > 0 {
				c.End, shift = next.Start+int32(closers), int32(behind)
				dst = append(dst, c)
				continue
			}
		}
		if c.Start < c.End {
			dst = append(dst, c)
		}
	}
	return dst
}

// closing returns the length of the closing quotes and brackets at the front of s if
// white space, a dash or the end follows, and the position after that white space. Both
// are 0 if there are none.
func closing(s []byte) (closers, behind int) {
	for closers < len(s) && bytes.IndexByte([]byte(`"')]}`), s[closers]) >= 0 {
		closers++
	}
	behind = skipSpace(s, closers)
	if closers < len(s) && behind == closers && !bytes.HasPrefix(s[closers:], []byte("--")) {
		return 0, 0
	}
	return closers, behind
}

func skipSpace(s []byte, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRune(s[i:])
		if !tokens.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}

func skipWord(s []byte, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRune(s[i:])
		if tokens.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}
