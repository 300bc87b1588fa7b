package aggregate

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// defined is what a document brings to a mean over the documents that define it.
type defined struct {
	key                     uint64 // of the document
	precision, recall       int64  // in units
	hasPrecision, hasRecall bool
}

const (
	// resamples is how often the documents are drawn (spec scorers, 11).
	resamples = 1000
	// resampledMost bounds the documents that are kept, at 32 bytes each: a package
	// with more has no interval of this kind.
	resampledMost = 1 << 16
)

// resampled holds the documents of a measure whose package figure is the harmonic
// mean of mean precision and mean recall, each over the documents that define it.
// The bootstrap is that of the measure's program, but with a seed: documents are
// drawn in the order of their keys, so the same documents are drawn for every
// extractor of a package. The zero value is empty.
type resampled struct {
	documents []defined
	over      bool // there were too many
}

func (s *resampled) add(d defined) {
	if s.over = s.over || len(s.documents) == resampledMost; s.over {
		s.documents = nil
		return
	}
	s.documents = append(s.documents, d)
}

// merge adds the documents of o.
func (s *resampled) merge(o *resampled) {
	s.over = s.over || o.over
	for _, d := range o.documents {
		s.add(d)
	}
	if s.over {
		s.documents = nil
	}
}

// interval is the sample standard deviation of the figure over the resamples, and
// its 2.5th and 97.5th percentile by nearest rank; NaN for fewer than two
// documents.
func (s *resampled) interval(scorer, pkg string) (sd, low, high float64) {
	n := len(s.documents)
	if s.over || n < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slices.SortFunc(s.documents, func(a, b defined) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.precision, b.precision), cmp.Compare(a.recall, b.recall))
	})
	h := fnv.New64a()
	h.Write([]byte(scorer + "|" + pkg))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	figures := make([]float64, resamples)
	var all exact
	for b := range figures {
		var precision, recall, precisions, recalls int64
		for range n {
			d := &s.documents[random.IntN(n)]
			if d.hasPrecision {
				precision += d.precision
				precisions++
			}
			if d.hasRecall {
				recall += d.recall
				recalls++
			}
		}
		figures[b] = harmonic(mean(precision, precisions), mean(recall, recalls))
		all.add(fixed(figures[b]))
	}
	slices.Sort(figures)
	at := func(level float64) float64 { return figures[int(math.Ceil(level*resamples))-1] }
	return all.sd(), at(levelLow), at(levelHigh)
}

// mean of n values with a sum in units; 0 if there are none.
func mean(sum, n int64) float64 {
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n) / unit
}
