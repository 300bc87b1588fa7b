package ensemble

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// gramLength is the number of tokens of an n-gram. sentinels is the number of sentinel
// tokens before and after a member's text; the page's text has one less on each side.
const (
	gramLength = 5
	sentinels  = gramLength
)

// gram is a sequence of five tokens, given by their numbers: 0 is the sentinel, tokens
// of the page are numbered from 1, and unknown is any other token.
type gram [gramLength]int32

const unknown = -1

// grams is the working memory of a vote over 5-grams.
type grams struct {
	tokens []page.Span // the page's tokens, divided at white space
	number []int32     // numbers of the page's tokens, with sentinels before and after
	dict   table       // finds tokens: an entry is the location of a token with that text
	index  table       // finds 5-grams: an entry is a location in number
	first  []int32     // by location in number: the first location with the same 5-gram
	marked []int32     // by first location: the latest member whose text has the 5-gram, from 1
	votes  []int
}

// match is the Run function of the vote over 5-grams.
func (p Params) match(pass *algorithms.Pass) error {
	g := algorithms.Scratch[grams](pass)
	note(pass, false)
	g.page(pass.Body)
	n := len(g.tokens)
	g.votes = algorithms.Zeros(g.votes, n)
	for i := range pass.Answers {
		if pass.Answers[i].OK {
			g.member(pass.Body.Text, pass.Answers[i].Text, int32(i+1), p.Members[i].Weight)
		}
	}
	least := max(1, int(math.Floor(p.Share*float64(len(p.Members))+1e-9)))
	for i, votes := range g.votes {
		if votes >= least {
			pass.Out.AddSpan(pass.Body, g.tokens[i])
		}
	}
	return nil
}

// page divides the visible text into tokens, numbers them and indexes their 5-grams.
func (g *grams) page(b *page.Body) {
	g.tokens = g.tokens[:0]
	for _, w := range b.Words().Span {
		if n := len(g.tokens); n > 0 && g.tokens[n-1].End == w.Start { // a tag and no white space divides the two
			g.tokens[n-1].End = w.End
			continue
		}
		g.tokens = append(g.tokens, w)
	}
	n := len(g.tokens)
	g.dict.reset(n)
	g.number = algorithms.Zeros(g.number, n+2*(gramLength-1))
	next := int32(1)
	for i, s := range g.tokens {
		word := b.Text[s.Start:s.End]
		slot, at := g.find(b.Text, word)
		if at < 0 {
			g.dict.slots[slot] = int32(i) + 1
			g.number[i+gramLength-1] = next
			next++
			continue
		}
		g.number[i+gramLength-1] = g.number[int(at)+gramLength-1]
	}
	places := max(0, len(g.number)-gramLength+1)
	g.index.reset(places)
	g.first = algorithms.Zeros(g.first, places)
	g.marked = algorithms.Zeros(g.marked, places)
	for i := range places {
		slot, at := g.lookup(gram(g.number[i : i+gramLength]))
		if at < 0 {
			g.index.slots[slot] = int32(i) + 1
			at = int32(i)
		}
		g.first[i] = at
	}
}

// member adds weight to every token of the page that begins or ends a 5-gram of text.
func (g *grams) member(pageText, text []byte, member int32, weight int) {
	var window gram // five sentinels at first
	push := func(number int32) {
		copy(window[:], window[1:])
		window[gramLength-1] = number
		if _, at := g.lookup(window); at >= 0 {
			g.marked[at] = member
		}
	}
	for word := range fields(text) {
		number := int32(unknown)
		if _, at := g.find(pageText, word); at >= 0 {
			number = g.number[int(at)+gramLength-1]
		}
		push(number)
	}
	for range sentinels {
		push(0)
	}
	for i := range g.votes {
		if g.marked[g.first[i]] == member || g.marked[g.first[i+gramLength-1]] == member {
			g.votes[i] += weight
		}
	}
}

// fields returns an iterator over the parts of text between white space.
func fields(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		start := -1 // start of the current part; -1 between parts
		for i := 0; i < len(text); {
			r, size := rune(text[i]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(text[i:])
			}
			switch divides := space(r); {
			case divides && start >= 0:
				if !yield(text[start:i]) {
					return
				}
				start = -1
			case !divides && start < 0:
				start = i
			}
			i += size
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// space reports whether r divides words: the characters with Unicode's property
// White_Space and the four separators of ASCII, as for the words of the page.
func space(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f
	}
	return unicode.IsSpace(r)
}

// table is a set of locations with open addressing; a slot holds a location plus 1, or
// 0.
type table struct{ slots []int32 }

// reset empties the table and allocates slots for n entries.
func (t *table) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	t.slots = algorithms.Zeros(t.slots, size)
}

// find returns the location of a token of the page with the text word, or -1 if there
// is none, and the slot that holds it or would hold it.
func (g *grams) find(pageText, word []byte) (slot int, at int32) {
	mask := len(g.dict.slots) - 1
	for slot = int(xxhash.Sum64(word)) & mask; ; slot = (slot + 1) & mask {
		at = g.dict.slots[slot] - 1
		if at < 0 || bytes.Equal(word, pageText[g.tokens[at].Start:g.tokens[at].End]) {
			return slot, at
		}
	}
}

// lookup does for a 5-gram what find does for a token.
func (g *grams) lookup(w gram) (slot int, at int32) {
	mask := len(g.index.slots) - 1
	h := uint64(0)
	for _, number := range w {
		h = (h ^ uint64(uint32(number))) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	for slot = int(h) & mask; ; slot = (slot + 1) & mask {
		at = g.index.slots[slot] - 1
		if at < 0 || w == gram(g.number[at:at+gramLength]) {
			return slot, at
		}
	}
}
