package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/schemas"
)

// counting returns a tally of one package, extractor and scorer with the given mean.
type counting struct {
	t *testing.T
	*Tally
	n int
}

func newCounting(t *testing.T, mean algorithms.Mean, top float64) *counting {
	r := &schemas.Recipe{Scorers: []schemas.Method{{Name: "s", Mean: string(mean), Top: top}}}
	return &counting{t: t, Tally: newTally(r)}
}

// add counts a document. Its score says how the extraction ended.
func (c *counting) add(d schemas.Document, s schemas.ScoreRow) {
	c.n++
	d.Package, d.Extractor, d.DocID = "p", "e", fmt.Sprint(c.n)
	d.Consensus, d.ConsensusF1 = math.NaN(), math.NaN()
	if d.Outcome == "" {
		d.Outcome = "ok"
	}
	if s.Coverage == 0 {
		s.Coverage = math.NaN()
	}
	if s.Reason = map[string]string{"failed": "no_answer", "skipped": "no_answer"}[d.Outcome]; s.Reason != "" && d.Reason == "" {
		d.Reason = "timeout"
	}
	s.Package, s.Extractor, s.DocID, s.Scorer = "p", "e", d.DocID, "s"
	d.HasGold = true
	known := c.document(&d, pageOf(&d))
	c.score(&s, &known)
}

func (c *counting) rows() Tables {
	c.t.Helper()
	if err := c.check(); err != nil {
		c.t.Fatal(err)
	}
	return c.Tally.rows("r", nil)
}

func (c *counting) row() schemas.PackageRow {
	c.t.Helper()
	rows := c.rows()
	if len(rows.Packages) != 1 || len(rows.Speed) != 1 {
		c.t.Fatalf("%d rows of packages, %d of speed", len(rows.Packages), len(rows.Speed))
	}
	return rows.Packages[0]
}

func (c *counting) speed() schemas.SpeedRow { return c.rows().Speed[0] }

// Each scorer has the package figure that its source publishes. There are three
// documents. The first has P, R and F1 of 1, 0.5 and 2/3, with 1 common item of 1
// extracted and 2 gold. The second has 0.5, 1 and 2/3, with 4 of 8 and 4. The third
// failed and missed 4 items.
func TestHeadlineIsThePublishedFigure(t *testing.T) {
	for mean, want := range map[algorithms.Mean]float64{
		algorithms.MacroF1:     (2./3 + 2./3 + 0) / 3,
		algorithms.F1OfMeans:   0.5,                                         // computed from the means 1.5/3 and 1.5/3
		algorithms.F1OfDefined: 2 * (1.5 / 2) * (1.5 / 3) / (1.5/2 + 1.5/3), // the failure has no precision
		algorithms.MicroF1:     2 * 5. / (1 + 8 + 2 + 4 + 4),
		"":                     4. / 9, // a recipe that does not name the figure
	} {
		c := newCounting(t, mean, 0)
		c.add(schemas.Document{}, schemas.ScoreRow{Precision: 1, Recall: 0.5, F1: 2. / 3, Common: 1, Extracted: 1, Gold: 2, Universe: 5})
		c.add(schemas.Document{}, schemas.ScoreRow{Precision: 0.5, Recall: 1, F1: 2. / 3, Common: 4, Extracted: 8, Gold: 4, Universe: 10})
		c.add(schemas.Document{Outcome: "failed"}, schemas.ScoreRow{Gold: 4, Universe: 5})
		r := c.row()
		near(t, string(mean), r.Headline, want, 1e-9)
		near(t, "mean F1", r.MeanF1, 4./9, 1e-9)
		near(t, "answered F1", AnsweredMean(&r), 2./3, 1e-9)
		precision, recall, n, m := 1.5/3, 1.5/3, int64(3), int64(3)
		switch mean {
		case algorithms.F1OfDefined: // the failure has no precision
			precision, n = 1.5/2, 2
		case algorithms.MicroF1:
			precision, recall, n, m = 5./9, 0.5, 9, 10
		}
		near(t, "its precision", r.HeadlinePrecision, precision, 1e-9)
		near(t, "its recall", r.HeadlineRecall, recall, 1e-9)
		if r.PrecisionN != n || r.RecallN != m {
			t.Errorf("%s: of %d and %d, want %d and %d", mean, r.PrecisionN, r.RecallN, n, m)
		}
		if mean != "" && r.Mean != string(mean) {
			t.Errorf("mean %q, want %q", r.Mean, mean)
		}
	}
}

// This is the worked example of shingle-4: a document with P = R = 2/3, a perfect one,
// and two without shingles on one side.
func TestDefinedMeans(t *testing.T) {
	c := newCounting(t, algorithms.F1OfDefined, 0)
	c.add(schemas.Document{}, schemas.ScoreRow{Precision: 2. / 3, Recall: 2. / 3, F1: 2. / 3, Common: 2, Extracted: 3, Gold: 3})
	c.add(schemas.Document{}, schemas.ScoreRow{Precision: 1, Recall: 1, F1: 1, Common: 5, Extracted: 5, Gold: 5})
	near(t, "headline", c.row().Headline, 0.833333, 5e-7)
	c.add(schemas.Document{Outcome: "empty"}, schemas.ScoreRow{PUndefined: true, Gold: 7})
	c.add(schemas.Document{}, schemas.ScoreRow{Precision: 1, Recall: 1, F1: 1, PUndefined: true, RUndefined: true})
	r := c.row()
	p, rec := (2./3+1)/2, (2./3+1)/3
	near(t, "headline", r.Headline, 2*p*rec/(p+rec), 1e-9)
	if r.PrecisionN != 2 || r.RecallN != 3 {
		t.Errorf("%d precisions and %d recalls are defined, want 2 and 3", r.PrecisionN, r.RecallN)
	}
}

// The bootstrap of that figure has the standard deviation of a mean. It is the same for
// any order of documents, and it draws the same documents for every extractor.
func TestHeadlineInterval(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(3, 4))
	documents := make([]Defined, n)
	var values exact
	for i := range documents {
		x := r.Float64()
		documents[i] = Defined{fmt.Sprint(i), x, x}
		values.add(fixed(x))
	}
	mean, sd, low, high := Spread(Resample("s", "p", documents))
	want := values.sd() / math.Sqrt(n)
	near(t, "mean", mean, values.mean(), want/4)
	near(t, "SD", sd, want, want/10)
	near(t, "low", low, values.mean()-1.96*want, want/4)
	near(t, "high", high, values.mean()+1.96*want, want/4)

	r.Shuffle(n, func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
	if mean2, sd2, low2, high2 := Spread(Resample("s", "p", documents)); mean2 != mean || sd2 != sd || low2 != low || high2 != high {
		t.Errorf("in another order %v [%v, %v], was %v [%v, %v]", sd2, low2, high2, sd, low, high)
	}
	// A second extractor is worse by the same amount on every page. The difference of
	// the two is then the same in every resample.
	for i := range documents {
		documents[i].Precision /= 2
		documents[i].Recall /= 2
	}
	if _, sd2, _, _ := Spread(Resample("s", "p", documents)); math.Abs(sd2-sd/2) > 2e-9 {
		t.Errorf("half of every value has SD %v, want half of %v", sd2, sd)
	}
	if _, sd, low, high := Spread(Resample("s", "p", []Defined{{"1", 1, 1}, {"2", 1, 1}})); sd != 0 || low != 1 || high != 1 {
		t.Errorf("perfect documents: %v [%v, %v]", sd, low, high)
	}
	for _, n := range []int{0, 1, maxResampled + 1} {
		if Resample("s", "p", make([]Defined, n)) != nil {
			t.Errorf("%d documents have resamples", n)
		}
	}
}

// A scorer that does not compute an F1 has NaN as its F1 and not 0. Its spread is that
// of its value.
func TestValueMeasures(t *testing.T) {
	c := newCounting(t, algorithms.MeanValue, 100)
	for _, v := range []float64{80, 90, 100, 50} {
		c.add(schemas.Document{}, schemas.ScoreRow{Value: v, Universe: 5})
	}
	r := c.row()
	near(t, "headline", r.Headline, 80, 1e-9)
	near(t, "answered value", AnsweredMean(&r), 80, 1e-9)
	near(t, "SD", r.SDValue, 21.6025, 5e-5)
	near(t, "p05", r.P05, 50, 1e-6)
	near(t, "p50", r.P50, 85, 1e-6)
	near(t, "p95", r.P95, 100, 1e-6)
	if !(50 <= r.CILow && r.CILow < 80 && 80 < r.CIHigh && r.CIHigh <= 100) {
		t.Errorf("interval from %g to %g", r.CILow, r.CIHigh)
	}
	for name, v := range map[string]float64{"precision": r.MeanPrecision, "recall": r.MeanRecall, "F1": r.MeanF1, "SD of F1": r.SDF1,
		"precision of the headline": r.HeadlinePrecision, "recall of the headline": r.HeadlineRecall} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %g", name, v)
		}
	}
	c.add(schemas.Document{Outcome: "failed"}, schemas.ScoreRow{})
	r = c.row()
	near(t, "headline with a failure", r.Headline, 64, 1e-9)
	near(t, "mean value without it", AnsweredMean(&r), 80, 1e-9)
}

// The means are over extracted rows, with skipped rows as 0, and with skipped rows as
// plain.
func TestSkippedDocuments(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{}, schemas.ScoreRow{F1: 0.9})
	c.add(schemas.Document{}, schemas.ScoreRow{F1: 0.7})
	r := c.row()
	near(t, "none skipped, as plain", r.MeanSkippedPlain, 0.8, 1e-9)
	c.add(schemas.Document{Outcome: "skipped", Reason: "no_template"}, schemas.ScoreRow{Baseline: 0.5})
	c.add(schemas.Document{Outcome: "skipped", Reason: "no_template"}, schemas.ScoreRow{Baseline: 0.3})
	c.add(schemas.Document{Outcome: "failed"}, schemas.ScoreRow{})
	r = c.row()
	near(t, "mean", r.MeanF1, 1.6/3, 1e-9)
	near(t, "skipped as 0", RankedFigure(r.Headline, r.Scored, r.SkippedGold, false), 1.6/5, 1e-9)
	near(t, "skipped as plain", r.MeanSkippedPlain, 2.4/5, 1e-9)
	if s := c.speed(); s.Reasons != "no_template:2,timeout:1" || s.Failures != 1 || s.Skipped != 2 {
		t.Errorf("reasons %q of %d failures and %d skipped", s.Reasons, s.Failures, s.Skipped)
	}
	c.add(schemas.Document{Outcome: "skipped"}, schemas.ScoreRow{Baseline: math.NaN()})
	if r = c.row(); !math.IsNaN(r.MeanSkippedPlain) {
		t.Errorf("skipped as plain is %g though plain is not known everywhere", r.MeanSkippedPlain)
	}
}

func TestPageTypesHaveRowsOfTheirOwn(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{PageType: "forum", HTMLBytes: 1000}, schemas.ScoreRow{F1: 0.2})
	c.add(schemas.Document{PageType: "article", HTMLBytes: 1000}, schemas.ScoreRow{F1: 0.8})
	c.add(schemas.Document{PageType: "article", HTMLBytes: 1000}, schemas.ScoreRow{F1: 1})
	c.add(schemas.Document{HTMLBytes: 1000}, schemas.ScoreRow{F1: 0.4})
	var got []string
	rows := c.rows()
	for i, r := range rows.Packages {
		got = append(got, fmt.Sprintf("%s:%d:%.1f:%d", r.PageType, r.Documents, r.MeanF1, rows.Speed[i].HTMLBytes))
	}
	if want := ":4:0.6:4000 article:2:0.9:2000 forum:1:0.2:1000"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if s := NewSummary(new(schemas.Manifest), rows); len(s.Packages) != 1 || len(s.Packages[0].Extractors) != 1 || s.Packages[0].Extractors[0].Documents != 4 {
		t.Errorf("types count twice: %+v", s.Packages)
	}
	if p := Pool(rows); len(p.Packages) != 1 || p.Packages[0].Documents != 4 || len(p.Speed) != 1 || p.Speed[0].HTMLBytes != 4000 {
		t.Errorf("types count twice: %+v", p)
	}
}

// Pages of a site are drawn together if there are several sites. They are drawn one by
// one if there is one site or no known site.
func TestIntervalsDrawSitesTogether(t *testing.T) {
	interval := func(site func(i int) string) float64 {
		c := newCounting(t, algorithms.MacroF1, 0)
		for i := range 200 {
			// The pages of a site are equal. Of the 10 sites, half are good.
			c.add(schemas.Document{URL: "http://www." + site(i) + "/"}, schemas.ScoreRow{F1: float64(i / 20 % 2)})
		}
		r := c.row()
		return r.CIHigh - r.CILow
	}
	together := interval(func(i int) string { return fmt.Sprintf("s%d.example", i/20) })
	apart := interval(func(int) string { return "only.example" })
	// The standard error of 10 sites of 20 equal pages is sqrt(20) times that of 200 pages.
	if ratio := together / apart; ratio < 3.4 || ratio > 5.6 {
		t.Errorf("the interval by site is %.2f times that by page, want about 4.47", ratio)
	}
	if unknown := interval(func(int) string { return "" }); unknown != apart {
		t.Errorf("an interval of %g for no site, and %g for one", unknown, apart)
	}
	// Large samples keep the sums of both draws until it is known which one is used. Here
	// each of three sites has equal pages.
	var sites, pages sample
	for i := range 2 * exactSize {
		x := fixed(float64(i / 4000 % 2))
		sites.add(drawn{mix(uint64(i)), mix(uint64(i / 4000))}, x)
		pages.add(alone(mix(uint64(i))), x)
	}
	low, high := sites.interval(new(draws))
	if l, h := pages.interval(new(draws)); high-low < 5*(h-l) {
		t.Errorf("a large sample: from %g to %g by site, from %g to %g by page", low, high, l, h)
	}
}

func TestThroughput(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{HTMLBytes: 1000, ExtractNS: 1e6, FeatureNS: 2e6, ParseNS: 5e6}, schemas.ScoreRow{})
	c.add(schemas.Document{HTMLBytes: 3000, ExtractNS: 1e6, FeatureNS: 2e6, ParseNS: 5e6}, schemas.ScoreRow{})
	c.add(schemas.Document{HTMLBytes: 9000, Outcome: "skipped"}, schemas.ScoreRow{})
	r := c.speed()
	near(t, "s/kB", r.SPerKB, 0.002/4, 1e-12)
	near(t, "MB/s", r.MBPerS, 0.004/0.002, 1e-12)
	near(t, "pages/s", r.PagesPerS, 1000, 1e-9)
	near(t, "MB/s with parsing", r.TotalMBPerS, 0.25, 1e-12)
	near(t, "pages/s with parsing", r.TotalPagesPerS, 125, 1e-9)
	if p := c.row(); p.SPerKB != r.SPerKB || p.MBPerS != r.MBPerS || p.Documents != 3 || p.Skipped != 1 {
		t.Errorf("packages has %g s/kB and %g MB/s of %d documents, %d skipped", p.SPerKB, p.MBPerS, p.Documents, p.Skipped)
	}
	// A library parses the page itself, so its own time includes the parsing.
	wrapped := newCounting(t, algorithms.MacroF1, 0)
	wrapped.add(schemas.Document{HTMLBytes: 1000, ExtractNS: 4e6, FeatureNS: 2e6, ParseNS: 5e6, Fidelity: string(algorithms.Wrapped)}, schemas.ScoreRow{})
	r = wrapped.speed()
	near(t, "MB/s of a library", r.TotalMBPerS, 0.25, 1e-12)
	near(t, "its total", r.TotalNSAt.P50, 4e6, 0)
}

// Joined packages have the same figures as one package with all documents.
func TestPoolKeepsTheHeadline(t *testing.T) {
	for _, mean := range []algorithms.Mean{algorithms.MacroF1, algorithms.F1OfMeans, algorithms.F1OfDefined, algorithms.MicroF1, algorithms.MeanValue} {
		r := &schemas.Recipe{Scorers: []schemas.Method{{Name: "s", Mean: string(mean)}}}
		split, whole := newTally(r), newTally(r)
		documents, scores := randomRows(900)
		for i := range documents {
			scores[i].PUndefined, scores[i].RUndefined, scores[i].Value = i%7 == 0, i%5 == 0, float64(i%11)/11
			scores[i].Baseline = float64(i%13) / 13
			d := split.document(&documents[i], pageOf(&documents[i]))
			split.score(&scores[i], &d)
			documents[i].Package, scores[i].Package = "(all)", "(all)"
			d = whole.document(&documents[i], pageOf(&documents[i]))
			whole.score(&scores[i], &d)
		}
		pooled, all := Pool(split.rows("r", nil)), whole.rows("r", nil)
		got, want := pooled.Packages[0], all.Packages[0]
		near(t, string(mean), got.Headline, want.Headline, 1e-9)
		near(t, "its precision", got.HeadlinePrecision, want.HeadlinePrecision, 1e-9)
		near(t, "its recall", got.HeadlineRecall, want.HeadlineRecall, 1e-9)
		if got.PrecisionN != want.PrecisionN || got.RecallN != want.RecallN || got.Answered != want.Answered {
			t.Errorf("of %d and %d, %d answered; want %d and %d, %d", got.PrecisionN, got.RecallN, got.Answered, want.PrecisionN, want.RecallN, want.Answered)
		}
		near(t, "skipped as plain", got.MeanSkippedPlain, want.MeanSkippedPlain, 1e-9)
		if got.SkippedGold != want.SkippedGold || got.SkippedGold == 0 {
			t.Errorf("%d skipped with gold, want %d", got.SkippedGold, want.SkippedGold)
		}
		near(t, "SD of "+string(mean), got.SDF1, want.SDF1, 1e-9)
		near(t, "SD of values", got.SDValue, want.SDValue, 1e-9)
		near(t, "pages/s", pooled.Speed[0].TotalPagesPerS, all.Speed[0].TotalPagesPerS, 1e-9)
	}
}
