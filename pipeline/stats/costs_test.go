package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas"
)

// The extractor ran on four documents, one of them without an answer, and skipped a
// fifth one.
func TestCosts(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{ExtractNS: 40, ParseNS: 100, FeatureNS: 10, HTMLBytes: 1000, TextChars: 7}, schemas.ScoreRow{})
	c.add(schemas.Document{ExtractNS: 10, ParseNS: 100, FeatureNS: 10, HTMLBytes: 4000, TextChars: 9}, schemas.ScoreRow{})
	c.add(schemas.Document{ExtractNS: 20, ParseNS: 100, FeatureNS: 0, HTMLBytes: 2000, Outcome: "empty"}, schemas.ScoreRow{})
	c.add(schemas.Document{ExtractNS: 99, ParseNS: 0, FeatureNS: 1, HTMLBytes: 3000, Outcome: "failed"}, schemas.ScoreRow{})
	c.add(schemas.Document{ParseNS: 5000, HTMLBytes: 90000, Outcome: "skipped"}, schemas.ScoreRow{})
	r := c.speed()
	got := []schemas.Percentiles{r.ExtractNSAt, r.TotalNSAt, r.HTMLBytesAt, r.TextCharsAt}
	// Sorted: 10 20 40 99; 100 120 120 150; 1000 2000 3000 4000; 0 7 9.
	want := []schemas.Percentiles{{P50: 30, P90: 99, P99: 99}, {P50: 120, P90: 150, P99: 150}, {P50: 2500, P90: 4000, P99: 4000}, {P50: 7, P90: 9, P99: 9}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}

	skipped := newCounting(t, algorithms.MacroF1, 0)
	skipped.add(schemas.Document{Outcome: "skipped"}, schemas.ScoreRow{})
	if r := skipped.speed(); !math.IsNaN(r.ExtractNSAt.P50) || !math.IsNaN(r.HTMLBytesAt.P99) {
		t.Errorf("no documents cost %g ns, %g bytes", r.ExtractNSAt.P50, r.HTMLBytesAt.P99)
	}
}

// γ = 1.01/0.99, ln γ = 0.02000067. 1 is in bucket 0, [1, γ), whose value is
// 1.01; 1000 in bucket floor(6.907755/0.02000067) = 345, from e^6.900230 = 992.503.
func TestSketchByHand(t *testing.T) {
	s := newSketch()
	for _, x := range []int64{1000, 1, 0} {
		s.add(x)
	}
	near(t, "rank 1", s.rank(1), 0, 0)
	near(t, "rank 2", s.rank(2), 1.01, 1e-9)
	near(t, "rank 3", s.rank(3), 1002.428, 5e-3)

	// 1 and 1e18 are 2073 buckets apart: bucket 0 falls into the lowest of the
	// 2048 that end with 2072, which is 25: from γ^25 = 1.648749.
	s.add(1e18)
	near(t, "collapsed", s.rank(2), 1.01*1.648749, 1e-5)
	near(t, "highest", s.rank(4)/1e18, 1, accuracy)
}

// The percentiles do not depend on how documents are divided into tallies and merged,
// or on which tallies keep their values. They are within 1 % of the exact ones.
func TestCostsMergeInAnyOrder(t *testing.T) {
	const n = 6000
	r := rand.New(rand.NewPCG(11, 12))
	documents := make([]schemas.Document, n)
	for i := range documents {
		documents[i] = schemas.Document{Outcome: "ok", ExtractNS: int64(math.Exp(20 * r.Float64())), HTMLBytes: int64(r.IntN(1 << 20)), TextChars: int64(r.IntN(4)) * 100}
	}
	figures := func(kept, deal int) (extract, html, chars schemas.Percentiles) {
		r.Shuffle(n, func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		parts := make([]costs, deal)
		for i := range parts {
			parts[i].kept = kept
		}
		for i := range documents {
			parts[r.IntN(deal)].add(&documents[i])
		}
		for i := range parts[1:] {
			parts[0].merge(&parts[1+i])
		}
		if exact := parts[0].extract.sketch == nil; exact != (kept == n) {
			t.Errorf("%d kept: exact is %t", kept, exact)
		}
		return parts[0].extract.percentiles(), parts[0].html.percentiles(), parts[0].chars.percentiles()
	}
	exactTimes, exactSizes, exactChars := figures(n, 3)
	times, sizes, chars := figures(costsKept, 1)
	for _, deal := range []int{2, 5, 500} {
		for _, kept := range []int{costsKept, costsKeptLarge} {
			if x, y, z := figures(kept, deal); x != times || y != sizes || z != chars {
				t.Errorf("dealt to %d, %d kept: %+v %+v %+v, was %+v %+v %+v", deal, kept, x, y, z, times, sizes, chars)
			}
		}
	}
	for _, pair := range [][2]schemas.Percentiles{{times, exactTimes}, {sizes, exactSizes}, {chars, exactChars}} {
		near(t, "sketch, p50", pair[0].P50, pair[1].P50, accuracy*pair[1].P50)
		near(t, "sketch, p90", pair[0].P90, pair[1].P90, accuracy*pair[1].P90)
		near(t, "sketch, p99", pair[0].P99, pair[1].P99, accuracy*pair[1].P99)
	}
}

// A run of many rows keeps fewer values. The number of rows comes from the committed
// parts.
func TestCostsKeptFollowTheParts(t *testing.T) {
	m := new(schemas.Manifest)
	part := schemas.Part{Counts: schemas.Counts{Rows: map[schemas.Table]int64{schemas.TableDocuments: costsRows/2 + 1}}}
	m.Parts = append(m.Parts, part)
	if got := costsKeptFor(m); got != costsKept {
		t.Errorf("%d are kept of a small run", got)
	}
	m.Parts = append(m.Parts, part)
	if got := costsKeptFor(m); got != costsKeptLarge {
		t.Errorf("%d are kept of a large run", got)
	}
}
