package stats

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// resamples is the number that the program of shingle-4 draws.
	resamples = 1000
	// maxResampled bounds the documents that are drawn from, and with them the time.
	maxResampled = 1 << 16
)

// Defined is the contribution of a document to a package figure that is the harmonic
// mean of mean precision and mean recall, each over the documents that define it
// (algorithms.F1OfDefined). A value that the document does not define is NaN.
type Defined struct {
	DocID             string
	Precision, Recall float64
}

// Resample returns the figure of one extractor on each of 1000 resamples of documents,
// in a bootstrap like that of the scorer's own program, but with a seed. The seed is made
// of scorer and package, and documents are drawn in the order of hashes of their ids. The
// draws are therefore the same for all extractors with the same documents, so that the
// difference of two extractors can be computed resample by resample. Resample returns nil
// for fewer than two documents, and for more than 65,536.
func Resample(scorer, pkg string, documents []Defined) []float64 {
	n := len(documents)
	if n < 2 || n > maxResampled {
		return nil
	}
	type keyed struct {
		Defined
		key uint64
	}
	sorted := make([]keyed, n)
	for i, d := range documents {
		sorted[i] = keyed{d, documentKey(d.DocID)}
	}
	slices.SortFunc(sorted, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Precision, b.Precision), cmp.Compare(a.Recall, b.Recall))
	})
	h := fnv.New64a()
	h.Write([]byte(scorer + "|" + pkg))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	figures := make([]float64, resamples)
	for b := range figures {
		var precision, recall, precisions, recalls int64
		for range n {
			d := &sorted[random.IntN(n)]
			if !math.IsNaN(d.Precision) {
				precision += fixed(d.Precision)
				precisions++
			}
			if !math.IsNaN(d.Recall) {
				recall += fixed(d.Recall)
				recalls++
			}
		}
		figures[b] = harmonic(mean(precision, precisions), mean(recall, recalls))
	}
	return figures
}

// Spread describes the figures of resamples, or the differences of two such series, by
// their mean, their sample standard deviation, and their 2.5th and 97.5th percentile by
// nearest rank. All are NaN if there are no figures. It sorts figures.
func Spread(figures []float64) (mean, sd, low, high float64) {
	if len(figures) == 0 {
		return math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	var all exact
	for _, f := range figures {
		all.add(fixed(f))
	}
	slices.Sort(figures)
	low, high = interval95(figures)
	return all.mean(), all.sd(), low, high
}

// mean returns the mean of n values whose sum is given in units, or 0 if there are
// none.
func mean(sum, n int64) float64 {
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n) / unit
}
