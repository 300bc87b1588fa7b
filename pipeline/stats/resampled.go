package stats

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// defined is the contribution of a document to means over the documents that define
// them.
type defined struct {
	key                     uint64 // hash of the document's key
	precision, recall       int64  // in units
	hasPrecision, hasRecall bool
}

const (
	// resamples is the number of resamples (spec scorers, 11).
	resamples = 1000
	// resampledMost bounds the documents that are kept, at 32 bytes each. A package
	// with more documents has no such interval.
	resampledMost = 1 << 16
)

// resampled holds the documents of a scorer whose package figure is the harmonic mean
// of mean precision and mean recall, each over the documents that define it. The
// bootstrap is that of the scorer's own program, but with a seed. Documents are drawn
// in the order of their keys, so the same documents are drawn for every extractor of a
// package. The zero value is empty.
type resampled struct {
	documents []defined
	over      bool // there were too many documents
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

// interval returns the spread of the figure over the resamples, or NaN for fewer than
// two documents.
func (s *resampled) interval(scorer, pkg string) (sd, low, high float64) {
	_, sd, low, high = Spread(s.figures(scorer, pkg))
	return sd, low, high
}

// figures returns the figure of each resample. It returns nil for fewer than two
// documents, and for too many. PCG is seeded by scorer and package, so that extractors
// with the same documents get the same draws.
func (s *resampled) figures(scorer, pkg string) []float64 {
	n := len(s.documents)
	if s.over || n < 2 {
		return nil
	}
	slices.SortFunc(s.documents, func(a, b defined) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.precision, b.precision), cmp.Compare(a.recall, b.recall))
	})
	h := fnv.New64a()
	h.Write([]byte(scorer + "|" + pkg))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	figures := make([]float64, resamples)
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
	}
	return figures
}

// Defined is the contribution of a document to a package figure that is the harmonic
// mean of mean precision and mean recall. A value that it does not define is NaN.
type Defined struct {
	DocID             string
	Precision, Recall float64
}

// Resample returns the figure of one extractor on each of 1000 resamples of documents.
// The draws are those behind headline_sd, headline_low and headline_high in the package
// table. They are the same for all extractors with the same documents, so that the
// difference of two extractors can be computed resample by resample. Resample returns
// nil for fewer than two documents, and for more than 65,536.
func Resample(scorer, pkg string, documents []Defined) []float64 {
	var s resampled
	for _, d := range documents {
		x := defined{key: documentKey(d.DocID), hasPrecision: !math.IsNaN(d.Precision), hasRecall: !math.IsNaN(d.Recall)}
		if x.hasPrecision {
			x.precision = fixed(d.Precision)
		}
		if x.hasRecall {
			x.recall = fixed(d.Recall)
		}
		s.add(x)
	}
	return s.figures(scorer, pkg)
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
