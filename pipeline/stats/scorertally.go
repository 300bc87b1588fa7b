package stats

import (
	"math"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// kind says how the figure of a package is computed from a scorer's documents. The zero
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
// whatever the gold (spec scorers, 15.6). Skipped extractions and pages without gold
// are counted, but not part of the means.
type scorerTally struct {
	kind kind
	// main holds the documents' figures: F1, or Value for some scorers. It is strict,
	// which means that failures count as 0. sample holds the same documents.
	main              exact
	sample            sample
	precision, recall exact // strict
	answered, value   exact // F1 and Value without failures

	// Means over the documents with a denominator. The programs that define these means
	// see a failed extraction as an empty text, which has no precision, and recall 0.
	definedPrecision, definedRecall exact

	// Pooled counts. A failed extraction missed all of its gold.
	common, extracted, gold int64
	universe, right         int64
	// The part of these counts that comes from failed extractions.
	missed, missedUniverse, missedRight int64

	methods   map[string]int64 // of the scores
	goldEmpty int64
	resampled resampled // of F1OfDefined

	baseline exact // Baseline of the skipped documents that have one
	passed   int64 // number of skipped documents with gold

	noGold, unscored, bounded, low int64
	gap                            float64
}

// lowCoverage is the share of a gold's words on the page below which the gold probably
// belongs to another page (spec scorers, 2.3).
const lowCoverage = 0.9

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
		m.missed += r.Gold
		if r.Universe > 0 {
			m.universe += r.Universe
			m.missedUniverse += r.Universe
			m.right += r.Universe - r.Gold
			m.missedRight += r.Universe - r.Gold
		}
		if m.kind.mean == algorithms.F1OfDefined {
			m.resampled.add(defined{key: d.key.page, hasRecall: true})
		}
	default:
		m.unscored++
		m.method(r.Method)
		if d.outcome == skipped {
			m.passed++
			addKnown(&m.baseline, r.Baseline)
		}
	}
}

func (m *scorerTally) answer(r *schemas.ScoreRow, d *scored) {
	p, rec, f1 := fixed(r.Precision), fixed(r.Recall), fixed(r.F1)
	m.precision.add(p)
	m.recall.add(rec)
	if !r.PUndefined {
		m.definedPrecision.add(p)
	}
	if !r.RUndefined {
		m.definedRecall.add(rec)
	}
	if m.kind.mean == algorithms.F1OfDefined {
		m.resampled.add(defined{d.key.page, p, rec, !r.PUndefined, !r.RUndefined})
	}
	m.method(r.Method)
	if r.Gold == 0 && !m.kind.isValue() {
		m.goldEmpty++
	}
	m.answered.add(f1)
	m.value.add(fixed(r.Value))
	if m.kind.isValue() {
		m.main.add(fixed(r.Value))
		m.sample.add(d.key, fixed(r.Value/m.top()))
	} else {
		m.main.add(f1)
		m.sample.add(d.key, f1)
	}
	m.common += r.Common
	m.extracted += r.Extracted
	m.gold += r.Gold
	if r.Universe > 0 {
		m.universe += r.Universe
		m.right += r.Universe - r.Extracted - r.Gold + 2*r.Common
	}
	if r.CommonHigh > 0 {
		m.bounded++
		if n := r.Extracted + r.Gold; n > 0 {
			m.gap = max(m.gap, 2*float64(r.CommonHigh)/float64(n)-r.F1)
		}
	}
	if r.Coverage < lowCoverage { // false for NaN
		m.low++
	}
}

// method counts the methods by which scores were computed, for scorers with more than
// one.
func (m *scorerTally) method(name string) {
	if name == "" {
		return
	}
	if _, known := m.methods[name]; !known {
		name = strings.Clone(name)
		if m.methods == nil {
			m.methods = map[string]int64{}
		}
	}
	m.methods[name]++
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
		{&m.main, &o.main}, {&m.precision, &o.precision}, {&m.recall, &o.recall}, {&m.answered, &o.answered}, {&m.value, &o.value},
		{&m.definedPrecision, &o.definedPrecision}, {&m.definedRecall, &o.definedRecall}, {&m.baseline, &o.baseline},
	} {
		pair[0].merge(pair[1])
	}
	m.sample.merge(&o.sample)
	m.common += o.common
	m.extracted += o.extracted
	m.gold += o.gold
	m.universe += o.universe
	m.right += o.right
	m.missed += o.missed
	m.missedUniverse += o.missedUniverse
	m.missedRight += o.missedRight
	m.goldEmpty += o.goldEmpty
	account.AddMap(&m.methods, o.methods)
	m.resampled.merge(&o.resampled)
	m.passed += o.passed
	m.noGold += o.noGold
	m.unscored += o.unscored
	m.bounded += o.bounded
	m.low += o.low
	m.gap = max(m.gap, o.gap)
}

// fill writes the scorer's columns of a row.
func (m *scorerTally) fill(r *schemas.PackageRow, d *draws) {
	r.Mean = string(m.kind.mean)
	r.Scored, r.Unscored, r.Answered = m.main.n, m.unscored, m.answered.n
	r.NoGold += m.noGold // to the documents of pages without any gold
	r.MeanPrecision, r.MeanRecall = m.precision.mean(), m.recall.mean()
	r.AnsweredF1, r.MeanValue = m.answered.mean(), m.value.mean()
	top := m.top()
	r.P05, r.P50, r.P95, r.Percentiles = m.sample.percentiles()
	r.CILow, r.CIHigh, r.CI = m.sample.interval(d)
	for _, v := range []*float64{&r.P05, &r.P50, &r.P95, &r.CILow, &r.CIHigh} {
		*v *= top
	}
	r.Common, r.Extracted, r.Gold, r.Universe = m.common, m.extracted, m.gold, m.universe
	r.PrecisionDefined, r.MeanDefinedPrecision = m.definedPrecision.n, m.definedPrecision.mean()
	r.RecallDefined, r.MeanDefinedRecall = m.definedRecall.n, m.definedRecall.mean()
	r.MicroAccuracy = ratio(float64(m.right), float64(m.universe))
	r.AnsweredMicroPrecision, r.AnsweredMicroRecall = ratio(float64(m.common), float64(m.extracted)), ratio(float64(m.common), float64(m.gold-m.missed))
	r.AnsweredMicroF1 = ratio(2*float64(m.common), float64(m.extracted)+float64(m.gold-m.missed))
	r.AnsweredMicroAccuracy = ratio(float64(m.right-m.missedRight), float64(m.universe-m.missedUniverse))
	r.Methods, r.GoldEmpty = joinReasons(m.methods), m.goldEmpty
	r.Bounded, r.F1Gap, r.LowCoverage = m.bounded, m.gap, m.low
	if m.bounded == 0 {
		r.F1Gap = math.NaN()
	}
	r.MeanSkippedZero, r.MeanSkippedPlain = m.withSkipped()
	r.SkippedGold = m.passed
	derive(r, figure{m.main.mean(), m.main.sd()})
}

// withSkipped returns the means in which skipped documents count as 0, and as their
// baseline.
func (m *scorerTally) withSkipped() (zero, plain float64) {
	all := m.main
	all.n += m.passed
	zero, plain = all.mean(), math.NaN()
	if m.baseline.n == m.passed {
		all = m.main
		all.merge(&m.baseline)
		plain = all.mean()
	}
	return zero, plain
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

// derive sets the columns that are computed from a figure, and from the means and
// pooled counts of a row. The row may describe one package or several joined ones.
func derive(r *schemas.PackageRow, f figure) {
	mean := algorithms.Mean(r.Mean)
	if mean == algorithms.MeanValue {
		r.Headline, r.SDValue = f.mean, f.sd
		for _, v := range []*float64{&r.MeanPrecision, &r.MeanRecall, &r.MeanF1, &r.SDF1, &r.AnsweredF1, &r.F1OfMeans, &r.F1Micro,
			&r.MicroPrecision, &r.MicroRecall, &r.MicroAccuracy, &r.AnsweredMicroPrecision, &r.AnsweredMicroRecall, &r.AnsweredMicroF1,
			&r.AnsweredMicroAccuracy, &r.MeanDefinedPrecision, &r.MeanDefinedRecall} {
			*v = math.NaN()
		}
		return
	}
	r.MeanF1, r.SDF1, r.SDValue = f.mean, f.sd, math.NaN()
	r.F1OfMeans = harmonic(r.MeanPrecision, r.MeanRecall)
	r.F1Micro = ratio(2*float64(r.Common), float64(r.Extracted)+float64(r.Gold))
	r.MicroPrecision = ratio(float64(r.Common), float64(r.Extracted))
	r.MicroRecall = ratio(float64(r.Common), float64(r.Gold))
	switch mean {
	case algorithms.F1OfMeans:
		r.Headline = r.F1OfMeans
	case algorithms.F1OfDefined:
		r.Headline = harmonic(r.MeanDefinedPrecision, r.MeanDefinedRecall)
	case algorithms.MicroF1:
		r.Headline = r.F1Micro
	default:
		r.Headline = r.MeanF1
	}
}
