package compare

import (
	"math"
	"slices"

	"github.com/winnow/winnow/pipeline/report/paired"
	"github.com/winnow/winnow/pipeline/stats"
)

// set is the documents that pairs of extractors have in common. What is drawn of
// them is drawn once, for all extractors of those pairs.
type set struct {
	places  []int // of the documents
	methods []int // extractors, by their place in the matrix
	pairs   []rivals
}

// rivals are two extractors, and the place of their pair in Comparison.Pairs.
type rivals struct{ a, b, pair int }

// sets are all that the extractors of a matrix need. Most tables have one, or two
// where some extractors skip the largest pages: pairs of different extractors
// meet on the same documents.
type sets struct {
	of    [][]int         // places with a score, by extractor
	first []int           // the first extractor with the same places, by extractor
	met   map[[2]int]*set // of two of the first
	all   []*set
}

func newSets(values [][]float64) *sets {
	s := &sets{of: make([][]int, len(values)), first: make([]int, len(values)), met: map[[2]int]*set{}}
	for m := range values {
		for i, v := range values[m] {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				s.of[m] = append(s.of[m], i)
			}
		}
		s.first[m] = slices.IndexFunc(s.of[:m+1], func(p []int) bool { return slices.Equal(p, s.of[m]) })
	}
	return s
}

// common is the set of the documents that both extractors have a score for, with
// the two among its methods; of an extractor and itself it is all that it has.
func (s *sets) common(a, b int) *set {
	key := [2]int{min(s.first[a], s.first[b]), max(s.first[a], s.first[b])}
	found := s.met[key]
	if found == nil {
		places := s.of[key[0]]
		if key[0] != key[1] {
			places = intersect(places, s.of[key[1]])
		}
		if i := slices.IndexFunc(s.all, func(k *set) bool { return slices.Equal(k.places, places) }); i >= 0 {
			found = s.all[i]
		} else {
			found = &set{places: places}
			s.all = append(s.all, found)
		}
		s.met[key] = found
	}
	for _, m := range []int{a, b} {
		if !slices.Contains(found.methods, m) {
			found.methods = append(found.methods, m)
		}
	}
	return found
}

// test fills in what the documents of s say: intervals of the extractors that have
// no others, and the pairs that meet on them. rank is the place of each extractor
// in the ranking.
//
// All pairs see the same replicates. The specification (scorers 15.4) draws for
// each pair by a seed of its own. What a pair is told is as good either way: its
// replicates are independent resamples of its documents in both, so its interval
// and its p value have the same distribution; Holm's correction holds for p values
// that depend on each other in any way; and the draw is made from the package, the
// scorer and the number of clusters, not from who else is compared. Intervals of a
// ranking even agree better: in every replicate a-c is a-b plus b-c. What differs is
// the cost: 37 extractors on the 1,356 pages of wcxb-dev, 666 pairs by 66,600
// replicates, take 2.8 s of a core; to draw for one pair takes 0.42 s, for all 280.
func (s *set) test(t *gathered, all *sets, sites []string, rank []int, c *Comparison) {
	scores := make([][]float64, len(s.methods))
	at := make([]int, len(t.extractors)) // place in scores
	for i, m := range s.methods {
		scores[i], at[m] = pick(t.values[m], s.places), i
	}
	numbers, _ := clusters(sites, s.places)
	boot := paired.NewBootstrap(scores, numbers, c.Replicates, seedOf(t.pkg, t.scorer))
	for i, m := range s.methods {
		if len(all.of[m]) == len(s.places) { // they are a part of its own
			r := &c.Ranking[rank[m]]
			r.Low, r.High = boot.Interval(i)
		}
	}
	for _, r := range s.pairs {
		c.Pairs[r.pair] = testPair(t, r.a, r.b, s.places, boot, at[r.a], at[r.b])
	}
}

// resample fills in what a bootstrap of the headline says on the documents of s,
// if the scorer has one: of the extractors that have no others, and of the
// differences of the pairs that meet on them, replicate by replicate.
func (s *set) resample(t *gathered, all *sets, ids []string, rank []int, c *Comparison) {
	if !t.ofDefined() {
		return
	}
	figures := make(map[int][]float64, len(s.methods))
	documents := make([]stats.Defined, len(s.places))
	for _, m := range s.methods {
		for i, at := range s.places {
			documents[i] = stats.Defined{DocID: ids[at], Precision: t.precision[m][at], Recall: t.recall[m][at]}
		}
		figures[m] = stats.Resample(t.scorer, t.pkg, documents)
	}
	for _, r := range s.pairs {
		c.Pairs[r.pair].Resampled = spread(less(figures[r.a], figures[r.b]))
	}
	for _, m := range s.methods {
		if len(all.of[m]) == len(s.places) { // they are a part of its own
			c.Ranking[rank[m]].Resampled = spread(figures[m])
		}
	}
}

// less returns a - b, element by element.
func less(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// spread is nil where there are no resamples.
func spread(figures []float64) *Resampled {
	if len(figures) == 0 {
		return nil
	}
	r := new(Resampled)
	r.Mean, r.SD, r.Low, r.High = stats.Spread(figures)
	return r
}
