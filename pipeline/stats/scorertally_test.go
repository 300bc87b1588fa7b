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

func (c *counting) rows() []schemas.PackageRow {
	c.t.Helper()
	if err := c.check(); err != nil {
		c.t.Fatal(err)
	}
	return c.Tally.rows("r")
}

func (c *counting) row() schemas.PackageRow {
	c.t.Helper()
	rows := c.rows()
	if len(rows) != 1 {
		c.t.Fatalf("%d rows", len(rows))
	}
	return rows[0]
}

// Each scorer has the package figure that its source publishes. There are three
// documents. The first has P, R and F1 of 1, 0.5 and 2/3, with 1 common item of 1
// extracted and 2 gold. The second has 0.5, 1 and 2/3, with 4 of 8 and 4. The third
// failed and missed 4 items.
func TestHeadlineIsThePublishedFigure(t *testing.T) {
	for mean, want := range map[algorithms.Mean]float64{
		algorithms.MacroF1:     (2./3 + 2./3 + 0) / 3,
		algorithms.F1OfMeans:   0.5,                                         // of 1.5/3 and 1.5/3
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
		near(t, "answered F1", r.AnsweredF1, 2./3, 1e-9)
		near(t, "micro precision", r.MicroPrecision, 5./9, 1e-12)
		near(t, "micro recall", r.MicroRecall, 0.5, 1e-12)
		// The first document has 1 + 3 right decisions, the second 4 + 2, and the third
		// 1 item that is rightly not chosen.
		near(t, "micro accuracy", r.MicroAccuracy, (4+6+1)/20., 1e-12)
		// Without the failure, for comparison with programs that ignore failures.
		near(t, "answered micro precision", r.AnsweredMicroPrecision, 5./9, 1e-12)
		near(t, "answered micro recall", r.AnsweredMicroRecall, 5./6, 1e-12)
		near(t, "answered micro F1", r.AnsweredMicroF1, 10./15, 1e-12)
		near(t, "answered micro accuracy", r.AnsweredMicroAccuracy, (4+6)/15., 1e-12)
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
	if r.PrecisionDefined != 2 || r.RecallDefined != 3 {
		t.Errorf("%d precisions and %d recalls are defined, want 2 and 3", r.PrecisionDefined, r.RecallDefined)
	}
}

// The bootstrap of that figure has the standard deviation of a mean. It is the same for
// any order of additions and merges, and it draws the same documents for every
// extractor.
func TestHeadlineInterval(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(3, 4))
	documents := make([]defined, n)
	var values exact
	for i := range documents {
		x := fixed(r.Float64())
		documents[i] = defined{uint64(i), x, x, true, true}
		values.add(x)
	}
	var s resampled
	for _, d := range documents {
		s.add(d)
	}
	sd, low, high := s.interval("s", "p")
	want := values.sd() / math.Sqrt(n)
	near(t, "SD", sd, want, want/10)
	near(t, "low", low, values.mean()-1.96*want, want/4)
	near(t, "high", high, values.mean()+1.96*want, want/4)

	r.Shuffle(n, func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
	var a, b resampled
	for i, d := range documents {
		[]*resampled{&a, &b}[i%2].add(d)
	}
	a.merge(&b)
	if sd2, low2, high2 := a.interval("s", "p"); sd2 != sd || low2 != low || high2 != high {
		t.Errorf("in another order %v [%v, %v], was %v [%v, %v]", sd2, low2, high2, sd, low, high)
	}
	// A second extractor is worse by the same amount on every page. The difference of
	// the two is then the same in every resample.
	for i := range s.documents {
		s.documents[i].precision /= 2
		s.documents[i].recall /= 2
	}
	if sd2, _, _ := s.interval("s", "p"); math.Abs(sd2-sd/2) > 2e-9 {
		t.Errorf("half of every value has SD %v, want half of %v", sd2, sd)
	}
	// Documents that define no figure change only which documents are drawn.
	u := resampled{documents: []defined{{key: 1, precision: unit, recall: unit, hasPrecision: true, hasRecall: true}, {key: 2, precision: unit, recall: unit, hasPrecision: true, hasRecall: true}}}
	if sd, low, high := u.interval("s", "p"); sd != 0 || low != 1 || high != 1 {
		t.Errorf("perfect documents: %v [%v, %v]", sd, low, high)
	}
	for range resampledMost {
		u.add(defined{})
	}
	if sd, _, _ := u.interval("s", "p"); !math.IsNaN(sd) || len(u.documents) > 0 {
		t.Error("too many documents have an interval, or are kept")
	}
	if sd, _, _ := new(resampled).interval("s", "p"); !math.IsNaN(sd) {
		t.Error("no documents have an interval")
	}
}

// The tally counts the ways in which scores were computed, and the empty golds.
func TestMethodsAreCounted(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{}, schemas.ScoreRow{Method: "exact", Gold: 3})
	c.add(schemas.Document{}, schemas.ScoreRow{Method: "exact"})
	c.add(schemas.Document{}, schemas.ScoreRow{Method: "anchored", Gold: 3})
	c.add(schemas.Document{Outcome: "failed"}, schemas.ScoreRow{Gold: 3})
	if r := c.row(); r.Methods != "anchored:1,exact:2" || r.GoldEmpty != 1 {
		t.Errorf("methods %q, %d empty golds", r.Methods, r.GoldEmpty)
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
	near(t, "mean value", r.MeanValue, 80, 1e-9)
	near(t, "SD", r.SDValue, 21.6025, 5e-5)
	near(t, "p05", r.P05, 50, 1e-6)
	near(t, "p50", r.P50, 85, 1e-6)
	near(t, "p95", r.P95, 100, 1e-6)
	if !(50 <= r.CILow && r.CILow < 80 && 80 < r.CIHigh && r.CIHigh <= 100) {
		t.Errorf("interval from %g to %g", r.CILow, r.CIHigh)
	}
	for name, v := range map[string]float64{"precision": r.MeanPrecision, "recall": r.MeanRecall, "F1": r.MeanF1, "SD of F1": r.SDF1,
		"answered F1": r.AnsweredF1, "F1 of means": r.F1OfMeans, "micro F1": r.F1Micro, "micro precision": r.MicroPrecision,
		"micro accuracy": r.MicroAccuracy} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %g", name, v)
		}
	}
	c.add(schemas.Document{Outcome: "failed"}, schemas.ScoreRow{})
	r = c.row()
	near(t, "headline with a failure", r.Headline, 64, 1e-9)
	near(t, "mean value without it", r.MeanValue, 80, 1e-9)
}

// By spec site-level, 2.8, the means are over extracted rows, with skipped rows as 0,
// and with skipped rows as plain.
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
	near(t, "skipped as 0", r.MeanSkippedZero, 1.6/5, 1e-9)
	near(t, "skipped as plain", r.MeanSkippedPlain, 2.4/5, 1e-9)
	if r.Reasons != "no_template:2,timeout:1" || r.Failures != 1 || r.Skipped != 2 {
		t.Errorf("reasons %q of %d failures and %d skipped", r.Reasons, r.Failures, r.Skipped)
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
	for _, r := range c.rows() {
		got = append(got, fmt.Sprintf("%s:%d:%.1f:%d", r.PageType, r.Documents, r.MeanF1, r.HTMLBytes))
	}
	if want := ":4:0.6:4000 article:2:0.9:2000 forum:1:0.2:1000"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if s := NewSummary(new(schemas.Manifest), c.rows()); len(s.Packages) != 1 || len(s.Packages[0].Extractors) != 1 || s.Packages[0].Extractors[0].Documents != 4 {
		t.Errorf("types count twice: %+v", s.Packages)
	}
	if p := Pool(c.rows()); len(p) != 1 || p[0].Documents != 4 {
		t.Errorf("types count twice: %+v", p)
	}
}

// Pages of a site are drawn together if there are several sites. They are drawn one by
// one if there is one site or no known site.
func TestIntervalsDrawSitesTogether(t *testing.T) {
	interval := func(site func(i int) string) (width float64, how string) {
		c := newCounting(t, algorithms.MacroF1, 0)
		for i := range 200 {
			// The pages of a site are equal. Of the 10 sites, half are good.
			c.add(schemas.Document{URL: "http://www." + site(i) + "/"}, schemas.ScoreRow{F1: float64(i / 20 % 2)})
		}
		r := c.row()
		return r.CIHigh - r.CILow, r.CI
	}
	together, how := interval(func(i int) string { return fmt.Sprintf("s%d.example", i/20) })
	if how != "poisson-1000-site" {
		t.Errorf("%q for ten sites", how)
	}
	apart, how := interval(func(int) string { return "only.example" })
	if how != "poisson-1000-page" {
		t.Errorf("%q for one site", how)
	}
	// The standard error of 10 sites of 20 equal pages is sqrt(20) times that of 200 pages.
	if ratio := together / apart; ratio < 3.4 || ratio > 5.6 {
		t.Errorf("the interval by site is %.2f times that by page, want about 4.47", ratio)
	}
	if _, how = interval(func(int) string { return "" }); how != "poisson-1000-page" {
		t.Errorf("%q for no site", how)
	}
	// Large samples keep the sums of both draws until it is known which one is used.
	var s sample
	for i := range 2 * exactSize {
		s.add(drawn{uint64(i), mix(uint64(i / 4000))}, fixed(float64(i%2)))
	}
	if _, _, how := s.interval(new(draws)); how != "poisson-200-site" {
		t.Errorf("%q for a large sample of several sites", how)
	}
}

func TestThroughput(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{HTMLBytes: 1000, ExtractNS: 1e6, FeatureNS: 2e6, ParseNS: 5e6}, schemas.ScoreRow{})
	c.add(schemas.Document{HTMLBytes: 3000, ExtractNS: 1e6, FeatureNS: 2e6, ParseNS: 5e6}, schemas.ScoreRow{})
	c.add(schemas.Document{HTMLBytes: 9000, Outcome: "skipped"}, schemas.ScoreRow{})
	r := c.row()
	near(t, "s/kB", r.SPerKB, 0.002/4, 1e-12)
	near(t, "MB/s", r.MBPerS, 0.004/0.002, 1e-12)
	near(t, "pages/s", r.PagesPerS, 1000, 1e-9)
	near(t, "s/kB with parsing", r.TotalSPerKB, 0.016/4, 1e-12)
	near(t, "MB/s with parsing", r.TotalMBPerS, 0.25, 1e-12)
	near(t, "pages/s with parsing", r.TotalPagesPerS, 125, 1e-9)
	near(t, "mean of s/kB", r.MeanSPerKB, (0.001+0.001/3)/2, 1e-12)
	// A library parses the page itself, so its own time includes the parsing.
	wrapped := newCounting(t, algorithms.MacroF1, 0)
	wrapped.add(schemas.Document{HTMLBytes: 1000, ExtractNS: 4e6, FeatureNS: 2e6, ParseNS: 5e6, Fidelity: string(algorithms.Wrapped)}, schemas.ScoreRow{})
	r = wrapped.row()
	near(t, "s/kB of a library", r.TotalSPerKB, 0.004, 1e-12)
	near(t, "its total", r.TotalNSP50, 4e6, 0)
	fast := newCounting(t, algorithms.MacroF1, 0)
	fast.add(schemas.Document{HTMLBytes: 7000, ExtractNS: 90}, schemas.ScoreRow{})
	near(t, "mean of s/kB, fast", fast.row().MeanSPerKB, 90e-9/7, 1e-12)
}

func TestBoundsAndCoverage(t *testing.T) {
	c := newCounting(t, algorithms.MacroF1, 0)
	c.add(schemas.Document{}, schemas.ScoreRow{F1: 0.5, Common: 50, CommonHigh: 60, Extracted: 100, Gold: 100, Coverage: 0.95})
	c.add(schemas.Document{}, schemas.ScoreRow{F1: 0.25, Common: 25, CommonHigh: 26, Extracted: 100, Gold: 100, Coverage: 0.85})
	c.add(schemas.Document{}, schemas.ScoreRow{F1: 1, Common: 1, Extracted: 1, Gold: 1})
	r := c.row()
	near(t, "largest gap", r.F1Gap, 0.1, 1e-12)
	if r.Bounded != 2 || r.LowCoverage != 1 {
		t.Errorf("%d bounded, %d of low coverage; want 2 and 1", r.Bounded, r.LowCoverage)
	}
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
		got, want := Pool(split.rows("r"))[0], whole.rows("r")[0]
		near(t, string(mean), got.Headline, want.Headline, 1e-9)
		near(t, "skipped as 0", got.MeanSkippedZero, want.MeanSkippedZero, 1e-9)
		near(t, "skipped as plain", got.MeanSkippedPlain, want.MeanSkippedPlain, 1e-9)
		if got.SkippedGold != want.SkippedGold || got.SkippedGold == 0 {
			t.Errorf("%d skipped with gold, want %d", got.SkippedGold, want.SkippedGold)
		}
		near(t, "SD of "+string(mean), got.SDF1, want.SDF1, 1e-9)
		near(t, "SD of values", got.SDValue, want.SDValue, 1e-9)
		near(t, "pages/s", got.TotalPagesPerS, want.TotalPagesPerS, 1e-9)
	}
}
