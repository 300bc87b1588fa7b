package stats

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas"
)

// kind determines how the figure of a package is computed from a scorer's documents. The zero
// kind is the mean of F1, for runs whose recipe does not name the figure.
type kind struct {
	mean algorithms.Mean
	top  float64 // largest value of a scorer that does not compute an F1
}

func kindsOf(r *schemas.Recipe) map[string]kind {
	kinds := make(map[string]kind, len(r.Scorers))
	for _, m := range r.Scorers {
		k := kind{algorithms.Mean(m.Mean), m.Top}
		if k.mean == "" {
			k.mean = algorithms.MacroF1
		}
		kinds[m.Name] = k
	}
	return kinds
}

func (k kind) isValue() bool { return k.mean == algorithms.MeanValue }

// scored holds what is needed to count a score: facts about its document.
type scored struct {
	outcome, pageType string
	key               drawn
}

// scorerTally collects the scores of one scorer. Failed extractions count as 0,
// whatever the gold. Skipped extractions and pages without gold are counted, but not
// part of the means.
type scorerTally struct {
	kind kind
	// main holds the documents' figures: F1, or Value for some scorers. It is strict,
	// which means that failures count as 0. sample holds the same documents.
	main              exact
	sample            sample
	precision, recall exact // strict
	answered          int64 // documents without failures

	// Means over the documents with a denominator. The programs that define these means
	// see a failed extraction as an empty text, which has no precision, and recall 0.
	definedPrecision, definedRecall exact

	common, extracted, gold int64 // pooled counts; a failed extraction missed all of its gold

	baseline exact // Baseline of the skipped documents that have one
	passed   int64 // number of skipped documents with gold

	noGold, unscored int64
}

func (m *scorerTally) add(r *schemas.ScoreRow, d *scored) {
	switch {
	case r.Reason == "":
		m.answer(r, d)
	case r.Reason == noGold:
		m.noGold++
	case d.outcome == failed:
		m.precision.add(0)
		m.recall.add(0)
		m.definedRecall.add(0)
		m.main.add(0)
		m.sample.add(d.key, 0)
		m.gold += r.Gold
	default:
		m.unscored++
		if d.outcome == skipped {
			m.passed++
			addKnown(&m.baseline, r.Baseline)
		}
	}
}

func (m *scorerTally) answer(r *schemas.ScoreRow, d *scored) {
	p, rec := fixed(r.Precision), fixed(r.Recall)
	m.answered++
	m.precision.add(p)
	m.recall.add(rec)
	if !r.PUndefined {
		m.definedPrecision.add(p)
	}
	if !r.RUndefined {
		m.definedRecall.add(rec)
	}
	figure := r.F1
	if m.kind.isValue() {
		figure = r.Value
	}
	m.main.add(fixed(figure))
	m.sample.add(d.key, fixed(figure/m.top()))
	m.common += r.Common
	m.extracted += r.Extracted
	m.gold += r.Gold
}

// top returns the largest figure that a document can have.
func (m *scorerTally) top() float64 {
	if m.kind.isValue() && m.kind.top > 0 {
		return m.kind.top
	}
	return 1
}

func (m *scorerTally) merge(o *scorerTally) {
	for _, pair := range [][2]*exact{
		{&m.main, &o.main}, {&m.precision, &o.precision}, {&m.recall, &o.recall},
		{&m.definedPrecision, &o.definedPrecision}, {&m.definedRecall, &o.definedRecall}, {&m.baseline, &o.baseline},
	} {
		pair[0].merge(pair[1])
	}
	m.sample.merge(&o.sample)
	m.answered += o.answered
	m.common += o.common
	m.extracted += o.extracted
	m.gold += o.gold
	m.passed += o.passed
	m.noGold += o.noGold
	m.unscored += o.unscored
}

// fill writes the scorer's columns of a row.
func (m *scorerTally) fill(r *schemas.PackageRow, d *draws) {
	r.Mean = string(m.kind.mean)
	r.Scored, r.Answered, r.SkippedGold = m.main.n, m.answered, m.passed
	r.MeanPrecision, r.MeanRecall = m.precision.mean(), m.recall.mean()
	switch m.kind.mean {
	case algorithms.MicroF1:
		r.HeadlinePrecision, r.PrecisionN = ratio(float64(m.common), float64(m.extracted)), m.extracted
		r.HeadlineRecall, r.RecallN = ratio(float64(m.common), float64(m.gold)), m.gold
	case algorithms.F1OfDefined:
		r.HeadlinePrecision, r.PrecisionN = m.definedPrecision.mean(), m.definedPrecision.n
		r.HeadlineRecall, r.RecallN = m.definedRecall.mean(), m.definedRecall.n
	default:
		r.HeadlinePrecision, r.PrecisionN = r.MeanPrecision, m.precision.n
		r.HeadlineRecall, r.RecallN = r.MeanRecall, m.recall.n
	}
	r.P05, r.P50, r.P95 = m.sample.percentiles()
	r.CILow, r.CIHigh = m.sample.interval(d)
	for _, v := range []*float64{&r.P05, &r.P50, &r.P95, &r.CILow, &r.CIHigh} {
		*v *= m.top()
	}
	r.MeanSkippedPlain = math.NaN()
	if m.baseline.n == m.passed {
		all := m.main
		all.merge(&m.baseline)
		r.MeanSkippedPlain = all.mean()
	}
	derive(r, figure{m.main.mean(), m.main.sd()})
}

// figure is the mean and the standard deviation of the figure by which a scorer's
// documents are ranked: F1, or Value for a scorer that does not compute an F1.
type figure struct{ mean, sd float64 }

// figureOf returns the figure of a row that derive has completed.
func figureOf(r *schemas.PackageRow) figure {
	if algorithms.Mean(r.Mean) == algorithms.MeanValue {
		return figure{r.Headline, r.SDValue}
	}
	return figure{r.MeanF1, r.SDF1}
}

// AnsweredMean returns the mean of the documents' figures over the answered documents of
// a row, or NaN if there are none. A failed extraction adds nothing to the sum.
func AnsweredMean(r *schemas.PackageRow) float64 {
	return ratio(figureOf(r).mean*float64(r.Scored), float64(r.Answered))
}

// derive sets the columns that are computed from a figure, and from the precision and
// recall of a row. The row may describe one package or several joined ones.
func derive(r *schemas.PackageRow, f figure) {
	mean := algorithms.Mean(r.Mean)
	if mean == algorithms.MeanValue {
		r.Headline, r.SDValue = f.mean, f.sd
		r.PrecisionN, r.RecallN = 0, 0
		for _, v := range []*float64{&r.MeanPrecision, &r.MeanRecall, &r.MeanF1, &r.SDF1, &r.HeadlinePrecision, &r.HeadlineRecall} {
			*v = math.NaN()
		}
		return
	}
	r.MeanF1, r.SDF1, r.SDValue = f.mean, f.sd, math.NaN()
	switch mean {
	case algorithms.F1OfMeans, algorithms.F1OfDefined:
		r.Headline = harmonic(r.HeadlinePrecision, r.HeadlineRecall)
	case algorithms.MicroF1:
		common := 0.0
		if r.PrecisionN > 0 {
			common = math.Round(r.HeadlinePrecision * float64(r.PrecisionN))
		}
		r.Headline = ratio(2*common, float64(r.PrecisionN)+float64(r.RecallN))
	default:
		r.Headline = r.MeanF1
	}
}
