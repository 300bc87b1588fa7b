package aggregate

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/schemas"
)

// Outcomes and reasons as they stand in the tables.
const (
	empty   = "empty"
	skipped = "skipped"
	failed  = "failed"
	noGold  = "no_gold"
)

// tally is what the package table is computed from. Tallies of different
// documents can be merged in any order: everything in them is a count, an
// integer sum or a set of values.
type tally struct {
	extractions map[extraction]*extractionTally
	measures    map[measure]*measureTally
}

// extraction is a package and an extractor, measure that and a scorer.
type extraction struct{ pkg, extractor string }

type measure struct {
	extraction
	scorer string
}

// extractionTally counts the documents of an extraction by outcome.
type extractionTally struct {
	documents, failures, empties, skipped int64
	nanos, bytes                          int64 // of documents on which the extractor ran
}

// measureTally collects the scores of a measure. Failed extractions count as 0,
// whatever the gold (spec scorers, 15.6); what was never tried, or has no gold,
// is left out and counted.
type measureTally struct {
	precision, recall, f1 exact // strict: with failures as 0
	answered, value       exact // without them
	sample                sample
	common, extracted     int64 // pooled counts of the answered documents
	gold                  int64
	noGold, unscored      int64
}

func newTally() *tally {
	return &tally{map[extraction]*extractionTally{}, map[measure]*measureTally{}}
}

// document counts a row of the documents table.
func (t *tally) document(r *schemas.Document) {
	key := extraction{r.Package, r.Extractor}
	e := t.extractions[key]
	if e == nil {
		e = new(extractionTally)
		t.extractions[extraction{strings.Clone(r.Package), strings.Clone(r.Extractor)}] = e
	}
	e.documents++
	switch r.Outcome {
	case failed:
		e.failures++
	case empty:
		e.empties++
	case skipped:
		e.skipped++
		return // it cost no time
	}
	e.nanos += r.ExtractNS
	e.bytes += r.HTMLBytes
}

// score counts a row of the scores table, for an extraction with this outcome.
func (t *tally) score(r *schemas.ScoreRow, outcome string) {
	key := measure{extraction{r.Package, r.Extractor}, r.Scorer}
	m := t.measures[key]
	if m == nil {
		m = new(measureTally)
		t.measures[measure{extraction{strings.Clone(r.Package), strings.Clone(r.Extractor)}, strings.Clone(r.Scorer)}] = m
	}
	switch {
	case r.Reason == "":
		f1 := fixed(r.F1)
		m.precision.add(fixed(r.Precision))
		m.recall.add(fixed(r.Recall))
		m.f1.add(f1)
		m.answered.add(f1)
		m.value.add(fixed(r.Value))
		m.sample.add(xxhash.Sum64String(r.DocID), f1)
		m.common += r.Common
		m.extracted += r.Extracted
		m.gold += r.Gold
	case r.Reason == noGold:
		m.noGold++
	case outcome == failed:
		m.precision.add(0)
		m.recall.add(0)
		m.f1.add(0)
		m.sample.add(xxhash.Sum64String(r.DocID), 0)
	default:
		m.unscored++
	}
}

// merge adds the documents of o, which is left unusable.
func (t *tally) merge(o *tally) {
	for key, e := range o.extractions {
		if mine := t.extractions[key]; mine == nil {
			t.extractions[key] = e
		} else {
			mine.documents += e.documents
			mine.failures += e.failures
			mine.empties += e.empties
			mine.skipped += e.skipped
			mine.nanos += e.nanos
			mine.bytes += e.bytes
		}
	}
	for key, m := range o.measures {
		if mine := t.measures[key]; mine == nil {
			t.measures[key] = m
		} else {
			mine.merge(m)
		}
	}
}

func (m *measureTally) merge(o *measureTally) {
	m.precision.merge(&o.precision)
	m.recall.merge(&o.recall)
	m.f1.merge(&o.f1)
	m.answered.merge(&o.answered)
	m.value.merge(&o.value)
	m.sample.merge(&o.sample)
	m.common += o.common
	m.extracted += o.extracted
	m.gold += o.gold
	m.noGold += o.noGold
	m.unscored += o.unscored
}

// check verifies that every document of an extraction is in exactly one place of
// each of its measures.
func (t *tally) check() error {
	for key, m := range t.measures {
		documents := int64(0)
		if e := t.extractions[key.extraction]; e != nil {
			documents = e.documents
		}
		if n := m.f1.n + m.noGold + m.unscored; n != documents {
			return fmt.Errorf("aggregate: package %s, extractor %s: %w: %d documents, but %d scored, %d without gold and %d unscored by %s",
				key.pkg, key.extractor, ErrConservation, documents, m.f1.n, m.noGold, m.unscored, key.scorer)
		}
	}
	return nil
}

// rows are the rows of the package table, in the order of package, extractor and
// scorer. An extraction without scores has one row without scorer.
func (t *tally) rows(run schemas.RunID) []schemas.PackageRow {
	keys := make([]measure, 0, len(t.measures))
	scored := make(map[extraction]bool, len(t.extractions))
	for key := range t.measures {
		keys = append(keys, key)
		scored[key.extraction] = true
	}
	for key := range t.extractions {
		if !scored[key] {
			keys = append(keys, measure{extraction: key})
		}
	}
	slices.SortFunc(keys, func(a, b measure) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.extractor, b.extractor), cmp.Compare(a.scorer, b.scorer))
	})
	rows := make([]schemas.PackageRow, len(keys))
	var g errgroup.Group // the bootstrap is worth all cores
	g.SetLimit(runtime.GOMAXPROCS(0))
	const chunk = 16
	for from := 0; from < len(keys); from += chunk {
		g.Go(func() error {
			for i := from; i < min(from+chunk, len(keys)); i++ {
				rows[i] = t.row(run, keys[i])
			}
			return nil
		})
	}
	g.Wait()
	return rows
}

func (t *tally) row(run schemas.RunID, key measure) schemas.PackageRow {
	r := schemas.PackageRow{Run: string(run), Package: key.pkg, Extractor: key.extractor, Scorer: key.scorer}
	if e := t.extractions[key.extraction]; e != nil {
		r.Documents, r.Failures, r.Empties, r.Skipped = e.documents, e.failures, e.empties, e.skipped
		r.HTMLBytes, r.ExtractNS = e.bytes, e.nanos
		r.SPerKB, r.MBPerS = throughput(e.bytes, e.nanos)
	}
	m := t.measures[key]
	if m == nil {
		m = new(measureTally)
	}
	r.Scored, r.NoGold, r.Unscored, r.Answered = m.f1.n, m.noGold, m.unscored, m.answered.n
	r.MeanPrecision, r.MeanRecall = m.precision.mean(), m.recall.mean()
	r.MeanF1, r.SDF1 = m.f1.mean(), m.f1.sd()
	r.AnsweredF1, r.MeanValue = m.answered.mean(), m.value.mean()
	r.P05, r.P50, r.P95, r.Percentiles = m.sample.percentiles()
	r.CILow, r.CIHigh, r.CI = m.sample.interval()
	r.F1OfMeans = harmonic(r.MeanPrecision, r.MeanRecall)
	r.F1Micro = ratio(2*float64(m.common), float64(m.extracted)+float64(m.gold))
	return r
}

// throughput in the units of the field: 1 kB is 10^3 bytes, 1 MB 10^6 (spec
// scorers, 3.6).
func throughput(bytes, nanos int64) (sPerKB, mbPerS float64) {
	return ratio(float64(nanos)/1e9, float64(bytes)/1e3), ratio(float64(bytes)/1e6, float64(nanos)/1e9)
}

// ratio is a/b, NaN if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}
