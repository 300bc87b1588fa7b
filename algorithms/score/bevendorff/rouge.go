package bevendorff

import (
	"encoding/binary"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/internal/lcs"
	"github.com/winnow/winnow/algorithms/internal/tokens"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
	"github.com/winnow/winnow/algorithms/score/internal/punkt"
	"github.com/winnow/winnow/algorithms/setting"
)

// The values of RougeParams.Sentences, which say how rouge-lsum finds sentences.
const (
	Punkt = "punkt" // as the program does, by NLTK's model of English
	Lite  = "lite"  // by a plain rule
)

// RougeParams are the settings of rouge-lsum.
type RougeParams struct {
	Cells     int    // most cells of the tables of all pairs, plus 4096 a pair; with more there is no score
	Sentences string // Punkt or Lite
}

func (p *RougeParams) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("cells", &p.Cells, 1, 1<<50, "words times words of all pairs of sentences compared, a word with less than 64 counted as 64 and each pair as 4096 more, beyond which there is no score"),
		setting.Choice("sentences", &p.Sentences, "how sentences are found: as the program finds them, or by a plain rule, which is quicker", Punkt, Lite),
	}
}

func newRouge(p RougeParams) *algorithms.Scorer {
	s := scorer("rouge-lsum", "ROUGE-L at summary level: words of the gold's sentences that lie on a longest common subsequence with any extracted sentence")
	sentences := goldSentences
	if p.Sentences == Lite {
		sentences = goldLite
	}
	s.Score = forms.Once(func(t *algorithms.Trial) algorithms.Score { return rougeLsum(t, sentences.Of(t.Gold), p.Cells) })
	return setting.TuneScorer(&s, p, (*RougeParams).settings, newRouge)
}

// summary is a text divided into sentences of numbered words.
type summary struct {
	ids       []int32
	sentences []sentence // in text order, without sentences that have no word

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

	texts tokens.Dict // sentences of both sides, as written
	known []sentence  // by number in texts: where their words are in pool
	pool  []int32
	pairs pairs

	lite     bool
	splitter punkt.Splitter
}

var (
	goldSentences = prepared("sentences", false)
	goldLite      = prepared("sentences by a plain rule", true)
)

func prepared(name string, lite bool) *algorithms.GoldFeature[gold] {
	return &algorithms.GoldFeature[gold]{Name: name, Compute: func(dst *gold, g *algorithms.Gold) {
		dst.lite = lite
		dst.dict.Reset()
		dst.same.Reset()
		dst.texts.Reset()
		dst.known, dst.pool = dst.known[:0], dst.pool[:0]
		dst.pairs.reset()
		dst.splitter.Reset()
		dst.cut(&dst.summary, forms.Raw.Gold(g))
		dst.counts = algorithms.Zeros(dst.counts, dst.dict.Len())
		for _, id := range dst.ids {
			dst.counts[id]++
		}
	}}
}

// cut divides text into the sentences of s.
func (g *gold) cut(s *summary, text []byte) {
	s.ids, s.sentences = s.ids[:0], s.sentences[:0]
	if g.lite {
		s.spans = appendLite(s.spans[:0], text)
	} else {
		s.spans = g.splitter.Split(s.spans[:0], text)
	}
	for _, span := range s.spans {
		var number int32
		start := len(s.ids)
		if piece := text[span.Start:span.End]; g.texts.Size() <= keepTexts {
			k := g.sentence(piece)
			s.ids = append(s.ids, g.pool[k.start:k.end]...)
			number = k.number
		} else {
			s.words = tokens.Fields(s.words[:0], piece)
			s.ids = g.dict.AppendIDs(s.ids, piece, s.words)
			number = g.number(s.ids[start:])
		}
		if len(s.ids) > start {
			s.sentences = append(s.sentences, sentence{int32(start), int32(len(s.ids)), number})
		}
	}
}

// keepTexts is how many bytes of sentences are kept so that they are recognised when
// they occur again. Most sentences of an extraction also occur in other extractions.
const keepTexts = 4 << 20

// sentence returns the words of a sentence as a range of pool.
func (g *gold) sentence(text []byte) sentence {
	id := int(g.texts.LongID(text))
	if id == len(g.known) {
		g.words = tokens.Fields(g.words[:0], text)
		start := len(g.pool)
		g.pool = g.dict.AppendIDs(g.pool, text, g.words)
		g.known = append(g.known, sentence{int32(start), int32(len(g.pool)), g.number(g.pool[start:])})
	}
	return g.known[id]
}

// number returns the number of the sentence with the given words.
func (g *gold) number(words []int32) int32 {
	g.key = g.key[:0]
	for _, id := range words {
		g.key = binary.LittleEndian.AppendUint32(g.key, uint32(id))
	}
	return g.same.LongID(g.key)
}

// extraction is the extracted side: its distinct sentences, and for each word the
// sentences that contain it.
type extraction struct {
	summary
	counts  []int32 // by word, of the extraction
	left    []int32 // remaining counts of the gold
	has     []bool  // by number of a sentence
	first   []int32 // by word: where its entries in holders begin; one more at the end
	holders []int32 // indexes of sentences
	seen    []int32 // by sentence: the gold sentence it was last compared with, plus one
	union   union
}

func rougeLsum(t *algorithms.Trial, g *gold, cells int) algorithms.Score {
	e := algorithms.TrialScratch[extraction](t)
	g.cut(&e.summary, forms.Raw.Trial(t))
	n, m := len(e.ids), len(g.ids)
	if n == 0 || m == 0 {
		return blank(n, m)
	}
	e.index(g)
	e.union.reset(cells)
	hits := e.hits(g)
	if e.union.over {
		return algorithms.Score{Method: "skipped-size", Reason: algorithms.ReasonTooLong}
	}
	s := algorithms.FromCounts(int64(hits), int64(n), int64(m))
	s.Method = string(lcs.Exact)
	return s
}

// hits returns how many words of the gold's sentences count as found.
func (e *extraction) hits(g *gold) int {
	hits := 0
	for i, r := range g.sentences {
		if e.union.over {
			return 0
		}
		ref := g.ids[r.start:r.end]
		e.union.begin(ref, g.dict.Len())
		if e.has[r.number] {
			e.union.all()
		} else {
			e.compare(&g.pairs, r.number, ref, int32(i+1))
		}
		hits += e.count(ref)
	}
	return hits
}

// blank returns the score for a pair of texts of which at least one has no word.
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

// index drops repeated sentences and fills the columns that compare and count read.
func (e *extraction) index(g *gold) {
	words := g.dict.Len()
	e.counts = algorithms.Zeros(e.counts, words)
	for _, id := range e.ids {
		e.counts[id]++
	}
	e.left = algorithms.Zeros(e.left, words)
	copy(e.left, g.counts)

	e.has = algorithms.Zeros(e.has, g.same.Len())
	once := e.sentences[:0]
	for _, s := range e.sentences {
		if !e.has[s.number] {
			e.has[s.number] = true
			once = append(once, s)
		}
	}
	e.sentences = once
	e.seen = algorithms.Zeros(e.seen, len(once))

	// The lists by word are made by a counting sort.
	e.first = algorithms.Zeros(e.first, words+1)
	for _, s := range once {
		for _, id := range e.ids[s.start:s.end] {
			e.first[id+1]++
		}
	}
	for w := range words {
		e.first[w+1] += e.first[w]
	}
	e.holders = algorithms.Zeros(e.holders, int(e.first[words]))
	for i := len(once) - 1; i >= 0; i-- {
		for _, id := range e.ids[once[i].start:once[i].end] {
			e.first[id+1]-- // the end of its list moves down to its start …
			e.holders[e.first[id+1]] = int32(i)
		}
	}
	// … so that the list of w is now [first[w+1], first[w+2]).
	e.first = append(e.first, int32(len(e.holders)))
}

// with returns the sentences that contain word w. A sentence may occur more than once.
func (e *extraction) with(w int32) []int32 {
	return e.holders[e.first[w+1]:e.first[w+2]]
}

// compare finds the positions of ref that lie on a longest common subsequence
// with some extracted sentence. A sentence can only add positions of words that
// it has, so the sentences to look at are those with the word of a position
// that is not found yet.
//
// known holds the pairs that were compared for other extractions. number is the number
// of the gold sentence.
func (e *extraction) compare(known *pairs, number int32, ref []int32, stamp int32) {
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
			if e.union.addKnown(known, pair{number, s.number}, e.ids[s.start:s.end]); e.union.over {
				return
			}
			if e.union.found(i) {
				break
			}
		}
	}
}

// count subtracts the words at the found positions, in order, from the counts of both
// sides, and returns how many it subtracted.
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
