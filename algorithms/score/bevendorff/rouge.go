package bevendorff

import (
	"encoding/binary"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/punkt"
	"github.com/winnow/winnow/algorithms/score/internal/tokens"
)

// summary is a text as sentences of numbered words.
type summary struct {
	ids       []int32
	sentences []sentence // in order; those without a word are left out

	spans, words []tokens.Span
}

// sentence is a range of a summary's ids. Equal sentences have equal numbers.
type sentence struct{ start, end, number int32 }

// gold is the gold side of rouge-lsum.
type gold struct {
	summary
	dict   tokens.Dict // words of both sides
	same   tokens.Dict // sentences of both sides, as the numbers of their words
	key    []byte
	counts []int32 // by word, of the gold alone

	splitter punkt.Splitter
}

var goldSentences = &algorithms.Prepared[gold]{Name: "sentences", Compute: func(dst *gold, g *algorithms.Gold) {
	dst.dict.Reset()
	dst.same.Reset()
	dst.cut(&dst.summary, forms.Raw.Gold(g))
	dst.counts = zeroed(dst.counts, dst.dict.Len())
	for _, id := range dst.ids {
		dst.counts[id]++
	}
}}

// cut makes s the sentences of text.
func (g *gold) cut(s *summary, text []byte) {
	s.ids, s.sentences = s.ids[:0], s.sentences[:0]
	s.spans = g.splitter.Split(s.spans[:0], text)
	for _, span := range s.spans {
		piece := text[span.Start:span.End]
		s.words = tokens.Fields(s.words[:0], piece)
		if len(s.words) == 0 {
			continue
		}
		start := len(s.ids)
		s.ids = g.dict.AppendIDs(s.ids, piece, s.words)
		g.key = g.key[:0]
		for _, id := range s.ids[start:] {
			g.key = binary.LittleEndian.AppendUint32(g.key, uint32(id))
		}
		s.sentences = append(s.sentences, sentence{int32(start), int32(len(s.ids)), g.same.ID(g.key)})
	}
}

// extraction is the extracted side: its sentences once each, and which of them
// hold a word.
type extraction struct {
	summary
	counts  []int32 // by word, of the extraction
	left    []int32 // of the gold's counts
	has     []bool  // by number of a sentence
	first   []int32 // by word: where its entries in holders begin; one more at the end
	holders []int32 // indexes of sentences
	seen    []int32 // by sentence: the gold sentence it was last compared with, plus one
	union   union
}

func rougeLsum(t *algorithms.Trial, cells int) algorithms.Score {
	g := goldSentences.Of(t.Gold)
	e := algorithms.TrialScratch[extraction](t)
	g.cut(&e.summary, forms.Raw.Trial(t))
	n, m := len(e.ids), len(g.ids)
	if n == 0 || m == 0 {
		return blank(n, m)
	}
	e.index(g)
	hits := 0
	e.union.reset(cells)
	for i, r := range g.sentences {
		ref := g.ids[r.start:r.end]
		e.union.begin(ref, g.dict.Len())
		if e.has[r.number] {
			e.union.all()
		} else {
			e.compare(ref, int32(i+1))
		}
		hits += e.count(ref)
	}
	if e.union.over {
		return algorithms.Score{Method: "skipped-size", Reason: algorithms.ReasonTooLong}
	}
	s := algorithms.FromCounts(int64(hits), int64(n), int64(m))
	s.Method = e.union.method
	return s
}

// blank is the score where a side has no word.
func blank(n, m int) algorithms.Score {
	s := algorithms.Score{Extracted: int64(n), Gold: int64(m), PUndefined: n == 0, RUndefined: m == 0}
	if m == 0 {
		s.Recall = 1
	}
	if m == 0 && n == 0 {
		s.Precision, s.F1 = 1, 1
		s.PUndefined, s.RUndefined = false, false
	}
	return s
}

// index drops repeated sentences and fills what compare and count look up.
func (e *extraction) index(g *gold) {
	words := g.dict.Len()
	e.counts = zeroed(e.counts, words)
	for _, id := range e.ids {
		e.counts[id]++
	}
	e.left = zeroed(e.left, words)
	copy(e.left, g.counts)

	e.has = zeroed(e.has, g.same.Len())
	once := e.sentences[:0]
	for _, s := range e.sentences {
		if !e.has[s.number] {
			e.has[s.number] = true
			once = append(once, s)
		}
	}
	e.sentences = once
	e.seen = zeroed(e.seen, len(once))

	// Lists by word, made by counting.
	e.first = zeroed(e.first, words+1)
	for _, s := range once {
		for _, id := range e.ids[s.start:s.end] {
			e.first[id+1]++
		}
	}
	for w := range words {
		e.first[w+1] += e.first[w]
	}
	e.holders = zeroed(e.holders, int(e.first[words]))
	for i := len(once) - 1; i >= 0; i-- {
		for _, id := range e.ids[once[i].start:once[i].end] {
			e.first[id+1]-- // the end of its list moves down to its start …
			e.holders[e.first[id+1]] = int32(i)
		}
	}
	// … so that the list of w is now [first[w+1], first[w+2]).
	e.first = append(e.first, int32(len(e.holders)))
}

// with lists the sentences that hold word w, some perhaps more than once.
func (e *extraction) with(w int32) []int32 {
	return e.holders[e.first[w+1]:e.first[w+2]]
}

// compare finds the positions of ref that lie on a longest common subsequence
// with some extracted sentence. A sentence can only add positions of words that
// it has, so the sentences to look at are those with the word of a position
// that is not found yet.
func (e *extraction) compare(ref []int32, stamp int32) {
	for i, w := range ref {
		if e.union.found(i) {
			continue
		}
		for _, c := range e.with(w) {
			if e.seen[c] == stamp {
				continue
			}
			e.seen[c] = stamp
			s := e.sentences[c]
			e.union.add(e.ids[s.start:s.end])
			if e.union.found(i) {
				break
			}
		}
	}
}

// count takes the words at the positions found, in order, off both sides.
func (e *extraction) count(ref []int32) int {
	hits := 0
	for i, w := range ref {
		if e.union.found(i) && e.counts[w] > 0 && e.left[w] > 0 {
			hits++
			e.counts[w]--
			e.left[w]--
		}
	}
	return hits
}

// zeroed returns s with n zero items.
func zeroed[T int32 | bool](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
