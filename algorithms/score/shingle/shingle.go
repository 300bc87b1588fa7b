package shingle

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// Shingle4 is the measure of the benchmark.
var Shingle4 = &algorithms.Scorer{
	Description: algorithms.Description{
		Name:   "shingle-4",
		Family: "shingle",
		Doc:    "sequences of four words, as a bag; the package figure is computed from mean precision and mean recall",
		Cite: algorithms.Cite{
			Authors: "Scrapinghub",
			Title:   "Article Extraction Benchmark",
			Venue:   "github.com/scrapinghub/article-extraction-benchmark",
			Year:    2020,
			URL:     "https://github.com/scrapinghub/article-extraction-benchmark",
		},
		Fidelity: algorithms.Exact,
		Cost:     algorithms.Linear,
	},
	Mean:  algorithms.F1OfDefined,
	Score: forms.Once(score),
}

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Shingle4}

// width is the number of words in a shingle.
const width = 4

type shingle [width]int32

// none fills the shingle of a text with fewer than four words.
const none = -1

// each calls f for every shingle of ids and returns their number.
func each(ids []int32, f func(shingle)) int {
	switch {
	case len(ids) == 0:
		return 0
	case len(ids) < width:
		s := shingle{none, none, none, none}
		copy(s[:], ids)
		f(s)
		return 1
	}
	for i := range len(ids) - width + 1 {
		f(shingle(ids[i : i+width]))
	}
	return len(ids) - width + 1
}

// bag counts the shingles of a gold in an open hash table.
type bag struct {
	slots []slot // a power of two, at most half full
	total int
	taken []*slot // with less left than their count
}

type slot struct {
	key         shingle
	count, left int32 // count is 0 in free slots
}

var goldBag = &algorithms.GoldFeature[bag]{Name: "shingles", Compute: func(dst *bag, g *algorithms.Gold) {
	ids := forms.RawPython.Gold(g).IDs
	size := 16
	for size < 2*len(ids) {
		size *= 2
	}
	if cap(dst.slots) < size {
		dst.slots = make([]slot, size)
	}
	dst.slots = dst.slots[:size]
	clear(dst.slots)
	dst.total = each(ids, func(s shingle) {
		at := dst.find(s)
		at.key = s
		at.count++
		at.left++
	})
}}

// find returns the slot of s, or the free one where it belongs.
func (b *bag) find(s shingle) *slot {
	mask := uint64(len(b.slots) - 1)
	h := uint64(uint32(s[0]))
	for _, id := range s[1:] {
		h = h*0x9E3779B97F4A7C15 + uint64(uint32(id))
	}
	h = (h ^ h>>32) * 0xD6E8FEB86659FD93
	for i := h >> 20 & mask; ; i = (i + 1) & mask {
		if at := &b.slots[i]; at.count == 0 || at.key == s {
			return at
		}
	}
}

// common returns the sum of the smaller counts of b and the shingles of ids, and the
// number of those shingles.
func (b *bag) common(ids []int32) (common, total int) {
	b.taken = b.taken[:0]
	total = each(ids, func(s shingle) {
		if at := b.find(s); at.left > 0 {
			at.left--
			b.taken = append(b.taken, at)
		}
	})
	for _, at := range b.taken {
		at.left = at.count
	}
	return len(b.taken), total
}

func score(t *algorithms.Trial) algorithms.Score {
	gold, ids := goldBag.Of(t.Gold), forms.RawPython.Trial(t)
	common, total := gold.common(ids)
	s := algorithms.FromCounts(int64(common), int64(total), int64(gold.total))
	s.PUndefined, s.RUndefined = total == 0, gold.total == 0
	if slices.Equal(ids, forms.RawPython.Gold(t.Gold).IDs) {
		s.Value = 1
	}
	return s
}
