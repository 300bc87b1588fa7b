package forms

import (
	"bytes"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
)

// Once wraps score so that an extraction with the same text as an earlier one of the
// same page gets the earlier score, because many extractors agree on many pages. It is
// only for scorers that read nothing of a trial but its text.
func Once(score func(*algorithms.Trial) algorithms.Score) func(*algorithms.Trial) algorithms.Score {
	given := &algorithms.GoldFeature[scores]{Name: "scores given", Compute: func(dst *scores, _ *algorithms.Gold) {
		dst.known, dst.of = dst.known[:0], dst.of[:0]
	}}
	return func(t *algorithms.Trial) algorithms.Score {
		n := *number.Of(t)
		if n < 0 {
			return score(t)
		}
		s := given.Of(t.Gold)
		for len(s.of) <= n {
			s.known, s.of = append(s.known, false), append(s.of, algorithms.Score{})
		}
		if !s.known[n] {
			s.of[n] = score(t)
			s.known[n] = true // only now: after a panic there is no score
		}
		return s.of[n]
	}
}

// scores holds the scores of one scorer on one page, by the number of the text.
type scores struct {
	known []bool
	of    []algorithms.Score
}

// seen holds the different texts extracted from one page.
type seen struct {
	hashes []uint64
	ends   []int // end of each text in texts, where the next one starts
	texts  []byte
}

// keepTexts bounds the memory of seen. Texts beyond it are scored each time.
const keepTexts = 8 << 20

var extracted = &algorithms.GoldFeature[seen]{Name: "texts seen", Compute: func(dst *seen, _ *algorithms.Gold) {
	dst.hashes, dst.ends, dst.texts = dst.hashes[:0], dst.ends[:0], dst.texts[:0]
}}

// number is the number of a trial's text among the different ones of its page, or -1 if
// the text was not kept.
var number = &algorithms.TrialFeature[int]{Name: "number of the text", Compute: func(dst *int, t *algorithms.Trial) {
	*dst = extracted.Of(t.Gold).number(t.Text)
}}

func (s *seen) number(text []byte) int {
	hash := xxhash.Sum64(text)
	start := 0
	for i, end := range s.ends { // a few dozen at most
		if s.hashes[i] == hash && bytes.Equal(s.texts[start:end], text) {
			return i
		}
		start = end
	}
	if len(s.texts)+len(text) > keepTexts {
		return -1
	}
	s.texts = append(s.texts, text...)
	s.hashes, s.ends = append(s.hashes, hash), append(s.ends, len(s.texts))
	return len(s.ends) - 1
}
