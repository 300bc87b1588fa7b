package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Pool joins packages into the package "(all)", with one row per extractor and scorer.
// Counts and times are sums. Means and standard deviations are those over all
// documents, by the rule of Chan, Golub and LeVeque (1979). Columns that depend on
// these are computed from the joined values. Columns that cannot be joined are null:
// intervals, percentiles and agreement. Rows of page types are left out.
func Pool(rows []schemas.PackageRow) []schemas.PackageRow {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r schemas.PackageRow) bool { return r.PageType != "" })
	slices.SortStableFunc(rows, func(a, b schemas.PackageRow) int {
		return cmp.Or(cmp.Compare(a.Extractor, b.Extractor), cmp.Compare(a.Scorer, b.Scorer))
	})
	var out []schemas.PackageRow
	var figures []figure // of the rows of out
	for i := range rows {
		r := &rows[i]
		n := len(out)
		if n == 0 || out[n-1].Extractor != r.Extractor || out[n-1].Scorer != r.Scorer {
			out, figures = append(out, *r), append(figures, figureOf(r))
			blank(&out[n])
			continue
		}
		figures[n-1] = figures[n-1].join(out[n-1].Scored, figureOf(r), r.Scored)
		addDocuments(&out[n-1], r)
	}
	for i := range out {
		speeds(&out[i])
		derive(&out[i], figures[i])
	}
	return out
}

// blank sets the columns of a row that cannot be joined to null.
func blank(r *schemas.PackageRow) {
	r.Package, r.Reasons, r.CI, r.Percentiles, r.CostPercentiles, r.Methods = schemas.AllPackages, "", "", "", "", ""
	for _, v := range []*float64{&r.CILow, &r.CIHigh, &r.P05, &r.P50, &r.P95, &r.AnsweredF1, &r.MeanValue, &r.MeanSPerKB,
		&r.MicroAccuracy, &r.AnsweredMicroPrecision, &r.AnsweredMicroRecall, &r.AnsweredMicroF1, &r.AnsweredMicroAccuracy,
		&r.HeadlineSD, &r.HeadlineLow, &r.HeadlineHigh, &r.ExtractNSP50, &r.ExtractNSP90, &r.ExtractNSP99, &r.TotalNSP50, &r.TotalNSP90,
		&r.TotalNSP99, &r.HTMLBytesP50, &r.HTMLBytesP90, &r.HTMLBytesP99, &r.TextCharsP50, &r.TextCharsP90, &r.TextCharsP99, &r.AgreeMean, &r.ConsensusF1, &r.PageConsensus} {
		*v = math.NaN()
	}
}

// addDocuments adds the documents of b to a, except for the figure that they are ranked
// by.
func addDocuments(a, b *schemas.PackageRow) {
	a.TrainedOn = a.TrainedOn || b.TrainedOn
	a.MeanPrecision = weighted(a.MeanPrecision, a.Scored, b.MeanPrecision, b.Scored)
	a.MeanRecall = weighted(a.MeanRecall, a.Scored, b.MeanRecall, b.Scored)
	a.MeanDefinedPrecision = weighted(a.MeanDefinedPrecision, a.PrecisionDefined, b.MeanDefinedPrecision, b.PrecisionDefined)
	a.MeanDefinedRecall = weighted(a.MeanDefinedRecall, a.RecallDefined, b.MeanDefinedRecall, b.RecallDefined)
	na, nb := a.Scored+a.SkippedGold, b.Scored+b.SkippedGold
	a.MeanSkippedZero = weighted(a.MeanSkippedZero, na, b.MeanSkippedZero, nb)
	a.MeanSkippedPlain = weighted(a.MeanSkippedPlain, na, b.MeanSkippedPlain, nb)
	for _, pair := range [][2]*int64{
		{&a.Documents, &b.Documents}, {&a.Failures, &b.Failures}, {&a.Empties, &b.Empties}, {&a.Skipped, &b.Skipped},
		{&a.Scored, &b.Scored}, {&a.NoGold, &b.NoGold}, {&a.Unscored, &b.Unscored}, {&a.Answered, &b.Answered},
		{&a.HTMLBytes, &b.HTMLBytes}, {&a.ExtractNS, &b.ExtractNS}, {&a.TotalNS, &b.TotalNS},
		{&a.Common, &b.Common}, {&a.Extracted, &b.Extracted}, {&a.Gold, &b.Gold}, {&a.Universe, &b.Universe},
		{&a.PrecisionDefined, &b.PrecisionDefined}, {&a.RecallDefined, &b.RecallDefined}, {&a.Bounded, &b.Bounded}, {&a.SkippedGold, &b.SkippedGold}, {&a.LowCoverage, &b.LowCoverage}, {&a.GoldEmpty, &b.GoldEmpty},
	} {
		*pair[0] += *pair[1]
	}
	if !(a.F1Gap >= b.F1Gap) && !math.IsNaN(b.F1Gap) {
		a.F1Gap = b.F1Gap
	}
}

// weighted returns the mean over na documents with mean a and nb documents with mean b.
func weighted(a float64, na int64, b float64, nb int64) float64 {
	switch {
	case nb == 0:
		return a
	case na == 0:
		return b
	}
	return a + float64((b-a)*float64(nb)/float64(na+nb))
}

// join returns the figure over na documents with figure f and nb documents with figure
// g, by the rule of Chan, Golub and LeVeque (1979).
func (f figure) join(na int64, g figure, nb int64) figure {
	switch {
	case nb == 0:
		return f
	case na == 0:
		return g
	}
	squares := func(sd, n float64) float64 {
		if n < 2 {
			return 0
		}
		return float64(sd*sd) * (n - 1)
	}
	a, b := float64(na), float64(nb)
	n, delta := a+b, g.mean-f.mean
	m2 := squares(f.sd, a) + squares(g.sd, b) + float64(float64(delta*delta)*a*b/n)
	return figure{f.mean + float64(delta*b/n), math.Sqrt(m2 / (n - 1))}
}
