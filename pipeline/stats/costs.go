package stats

import (
	"slices"

	"github.com/DataDog/sketches-go/ddsketch/mapping"
	"github.com/DataDog/sketches-go/ddsketch/store"

	"github.com/winnow/winnow/schemas"
)

const (
	// costsKept is the largest number of documents of an extraction for which every
	// cost is kept, for exact percentiles. It equals the number for scores. Each
	// document takes 32 bytes.
	costsKept = exactSize
	// costsKeptLarge replaces costsKept in a run with more than costsRows rows of
	// documents. If there are millions of packages of a few hundred pages, such as the
	// hosts of a crawl, the values would take more memory than everything else. The
	// committed rows decide which of the two numbers is used, so the table is a
	// function of these rows.
	costsKeptLarge = 128
	costsRows      = 4 << 20

	// accuracy and buckets are parameters of the sketches. The error of a percentile
	// is at most 1 % over 17 decades. Buckets below that range are merged.
	accuracy = 0.01
	buckets  = 2048
)

// costsKeptFor returns the number of documents of an extraction whose costs are kept
// for the tables of a run.
func costsKeptFor(m *schemas.Manifest) int {
	rows := int64(0)
	for i := range m.Parts {
		rows += m.Parts[i].Counts.Rows[schemas.TableDocuments]
	}
	if rows > costsRows {
		return costsKeptLarge
	}
	return costsKept
}

// costs holds the costs of an extraction's documents: times in nanoseconds, bytes and
// characters. Like the rest of a tally, costs can be merged in any order.
type costs struct {
	kept                        int // largest number of documents whose values are kept
	n                           int // documents
	extract, total, html, chars spread
}

// add counts a document on which the extractor ran.
func (c *costs) add(r *schemas.Document) {
	if c.n++; c.n > c.kept {
		c.spill()
	}
	c.extract.add(r.ExtractNS)
	c.total.add(totalNS(r))
	c.html.add(r.HTMLBytes)
	if r.Outcome != failed {
		c.chars.add(r.TextChars)
	}
}

// merge adds the documents of o. o must not be used afterwards.
func (c *costs) merge(o *costs) {
	if c.n += o.n; c.n > c.kept {
		c.spill()
		o.spill()
	}
	mine, others := c.all(), o.all()
	for i := range mine {
		mine[i].merge(others[i])
	}
}

func (c *costs) all() [4]*spread { return [4]*spread{&c.extract, &c.total, &c.html, &c.chars} }

func (c *costs) spill() {
	for _, s := range c.all() {
		s.spill()
	}
}

// spread holds values of at least 0 for percentiles. It keeps the values themselves, or
// their counts in a DDSketch (Masson, Rim and Lee 2019) if there are many. Unlike other
// sketches, a DDSketch does not depend on the order in which values are added and
// sketches are merged. The zero value is empty.
type spread struct {
	values []int64
	sketch *sketch // instead of values, if it is not nil
}

func (s *spread) add(x int64) {
	if s.sketch != nil {
		s.sketch.add(x)
		return
	}
	s.values = append(s.values, x)
}

func (s *spread) spill() {
	if s.sketch != nil {
		return
	}
	s.sketch = newSketch()
	for _, x := range s.values {
		s.sketch.add(x)
	}
	s.values = nil
}

// merge adds the values of o, which must have the same form: values or a sketch.
func (s *spread) merge(o *spread) {
	if s.sketch == nil {
		s.values = append(s.values, o.values...)
		return
	}
	s.sketch.zeros += o.sketch.zeros
	s.sketch.others.MergeWith(o.sketch.others)
}

// percentiles returns the percentiles of a row, or NaN if there are no values. It sorts
// the values that are kept.
func (s *spread) percentiles() schemas.Percentiles {
	slices.Sort(s.values)
	r := ranked{len(s.values), func(rank int) float64 { return float64(s.values[rank-1]) }}
	if s.sketch != nil {
		r = ranked{s.sketch.count(), s.sketch.rank}
	}
	return schemas.Percentiles{P50: r.median(), P90: r.percentile(90), P99: r.percentile(99)}
}

// sketch counts values by buckets whose bounds grow by γ = 1.01/0.99. The store's
// floating-point counts are whole numbers below 2^53, so that their sums are exact and
// do not depend on the order.
type sketch struct {
	zeros  int64 // number of values below 1, whose logarithm does not exist or is negative
	others *store.CollapsingLowestDenseStore
}

// bucketing maps values to buckets, and a bucket to a value that differs by at most 1 %
// from every value of the bucket. Bucket i has the values in [γ^i, γ^(i+1)).
var bucketing = func() *mapping.LogarithmicMapping {
	m, err := mapping.NewLogarithmicMapping(accuracy)
	if err != nil {
		panic("stats: " + err.Error()) // impossible: the accuracy is between 0 and 1
	}
	return m
}()

func newSketch() *sketch { return &sketch{others: store.NewCollapsingLowestDenseStore(buckets)} }

func (s *sketch) add(x int64) {
	if x < 1 {
		s.zeros++
		return
	}
	s.others.Add(bucketing.Index(float64(x)))
}

func (s *sketch) count() int { return int(s.zeros) + int(s.others.TotalCount()) }

// rank returns the value with the given rank, from 1, to the accuracy of the sketch.
func (s *sketch) rank(rank int) float64 {
	others := int64(rank) - s.zeros
	if others <= 0 {
		return 0
	}
	return bucketing.Value(s.others.KeyAtRank(float64(others - 1))) // the store's ranks begin at 0
}
