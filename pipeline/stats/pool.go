package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Pool joins packages into the package "(all)", with one row of speed per extractor and
// one row of packages per extractor and scorer. Counts and times are sums. Means and
// standard deviations are those over all documents, by the rule of Chan, Golub and
// LeVeque (1979). Columns that depend on these are computed from the joined values.
// The interval is that of a stratified sample, in which the packages are the strata. Its
// two sides are joined apart, so that it stays between the least and the greatest score.
// Columns that cannot be joined are null: percentiles, reasons and agreement.
// Rows of page types are left out.
func Pool(t Tables) Tables {
	nan := math.NaN()
	null := schemas.Percentiles{P50: nan, P90: nan, P99: nan}
	speed := map[string]*schemas.SpeedRow{}
	for i := range t.Speed {
		switch r := t.Speed[i]; {
		case r.PageType != "":
		case speed[r.Extractor] != nil:
			a := speed[r.Extractor]
			for _, pair := range [][2]*int64{{&a.Documents, &r.Documents}, {&a.Failures, &r.Failures}, {&a.Empties, &r.Empties}, {&a.Skipped, &r.Skipped},
				{&a.HTMLBytes, &r.HTMLBytes}, {&a.ExtractNS, &r.ExtractNS}, {&a.TotalNS, &r.TotalNS}} {
				*pair[0] += *pair[1]
			}
			throughput(a)
		default:
			r.Package, r.Reasons, r.AgreeMean, r.ConsensusF1 = schemas.AllPackages, "", nan, nan
			r.ExtractNSAt, r.TotalNSAt, r.HTMLBytesAt, r.TextCharsAt = null, null, null, null
			throughput(&r)
			speed[r.Extractor] = &r
		}
	}
	type key struct{ extractor, scorer string }
	packages := map[key]*schemas.PackageRow{}
	for i := range t.Packages {
		r := t.Packages[i]
		of := key{r.Extractor, r.Scorer}
		switch {
		case r.PageType != "":
		case packages[of] != nil:
			joinScores(packages[of], &r)
		default:
			r.Package = schemas.AllPackages
			r.P05, r.P50, r.P95 = nan, nan, nan
			derive(&r, figureOf(&r))
			packages[of] = &r
		}
	}
	var all Tables
	for _, extractor := range slices.Sorted(maps.Keys(speed)) {
		all.Speed = append(all.Speed, *speed[extractor])
	}
	for _, of := range slices.SortedFunc(maps.Keys(packages), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.extractor, b.extractor), cmp.Compare(a.scorer, b.scorer))
	}) {
		if s := speed[of.extractor]; s != nil { // the tables of a stranger's folder may lack it
			ofExtraction(packages[of], s)
		}
		all.Packages = append(all.Packages, *packages[of])
	}
	return all
}

// joinScores adds the scores of b to a.
func joinScores(a, b *schemas.PackageRow) {
	fa, fb := figureOf(a), figureOf(b)
	f := fa.join(a.Scored, fb, b.Scored)
	for _, mean := range []struct {
		a  *float64
		na int64
		b  float64
		nb int64
	}{
		{&a.MeanPrecision, a.Scored, b.MeanPrecision, b.Scored},
		{&a.MeanRecall, a.Scored, b.MeanRecall, b.Scored},
		{&a.HeadlinePrecision, a.PrecisionN, b.HeadlinePrecision, b.PrecisionN},
		{&a.HeadlineRecall, a.RecallN, b.HeadlineRecall, b.RecallN},
		{&a.MeanSkippedPlain, a.Scored + a.SkippedGold, b.MeanSkippedPlain, b.Scored + b.SkippedGold},
	} {
		*mean.a = weighted(*mean.a, mean.na, mean.b, mean.nb)
	}
	switch {
	case b.Scored == 0:
	case a.Scored == 0:
		a.CILow, a.CIHigh = b.CILow, b.CIHigh
	default:
		side := func(a, na, b, nb float64) float64 { return math.Hypot(na*a, nb*b) / (na + nb) }
		na, nb := float64(a.Scored), float64(b.Scored)
		a.CILow, a.CIHigh = f.mean-side(fa.mean-a.CILow, na, fb.mean-b.CILow, nb), f.mean+side(a.CIHigh-fa.mean, na, b.CIHigh-fb.mean, nb)
	}
	a.Scored += b.Scored
	a.Answered += b.Answered
	a.SkippedGold += b.SkippedGold
	a.PrecisionN += b.PrecisionN
	a.RecallN += b.RecallN
	a.TrainedOn = a.TrainedOn || b.TrainedOn
	derive(a, f)
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
