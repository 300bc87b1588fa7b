package stats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.9f, want %.9f", what, got, want)
	}
}

func exactOf(values ...float64) *exact {
	e := new(exact)
	for _, v := range values {
		e.add(fixed(v))
	}
	return e
}

// These are the examples with numbers in the specification, 15.2 and 3.5.
func TestMergedMeanAndDeviation(t *testing.T) {
	a, b := exactOf(0.8, 0.9), exactOf(1.0, 0.5)
	near(t, "mean of a", a.mean(), 0.85, 0)
	near(t, "M2 of a", a.sd()*a.sd(), 0.005, 1e-15)
	near(t, "mean of b", b.mean(), 0.75, 0)
	near(t, "M2 of b", b.sd()*b.sd(), 0.125, 1e-15)
	a.merge(b)
	near(t, "mean", a.mean(), 0.8, 0)
	near(t, "M2", 3*a.sd()*a.sd(), 0.14, 1e-15)
	near(t, "SD", a.sd(), 0.216025, 5e-7)
	near(t, "mean of none", exactOf().mean(), math.NaN(), 0)
	near(t, "SD of one", exactOf(0.5).sd(), math.NaN(), 0)
	near(t, "SD of equals", exactOf(0.1, 0.1, 0.1).sd(), 0, 0)
	near(t, "mean of negatives", exactOf(-3, 1, -1).mean(), -1, 0)
	near(t, "SD of negatives", exactOf(-3, 1, -1).sd(), 2, 0)
	near(t, "mean beyond the bounds", exactOf(math.Inf(1)).mean(), maxExact, 0)
}

func TestExactAgreesWithFloatingPoint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		values := make([]float64, r.IntN(500)+2)
		parts := make([]exact, 5)
		for i := range values {
			values[i] = (r.Float64() - 0.3) * math.Pow(10, float64(r.IntN(5)))
			parts[r.IntN(5)].add(fixed(values[i]))
		}
		var e exact
		for _, i := range r.Perm(5) {
			e.merge(&parts[i])
		}
		mean, sd := stat.MeanStdDev(values, nil)
		near(t, "mean", e.mean(), mean, 1e-8)
		near(t, "SD", e.sd(), sd, 1e-8*sd+1e-8)
	}
}

// alone returns the keys of a document without a known site.
func alone(key uint64) drawn { return drawn{key, key} }

func sampleOf(n int, value func(i int) float64) *sample {
	s := new(sample)
	for i := range n {
		s.add(alone(mix(uint64(i))), fixed(value(i)))
	}
	return s
}

func TestPercentiles(t *testing.T) {
	f := func(what string, s *sample, w05, w50, w95 float64) {
		t.Helper()
		p05, p50, p95 := s.percentiles()
		near(t, what+", p05", p05, w05, 5.0001e-5)
		near(t, what+", p50", p50, w50, 5.0001e-5)
		near(t, what+", p95", p95, w95, 5.0001e-5)
	}
	nan := math.NaN()
	hundredths := func(n int) func(int) float64 {
		return func(i int) float64 { return float64(i*7919%n+1) / float64(n) } // a permutation
	}
	f("none", sampleOf(0, nil), nan, nan, nan)
	f("one", sampleOf(1, func(int) float64 { return 0.3 }), 0.3, 0.3, 0.3)
	f("two", sampleOf(2, func(i int) float64 { return float64(i) }), 0, 0.5, 1)
	f("three", sampleOf(3, func(i int) float64 { return float64(2-i) / 2 }), 0, 0.5, 1)
	f("twenty", sampleOf(20, hundredths(20)), 0.05, 0.525, 0.95) // ranks 1, 10 and 11, 19
	f("a hundred", sampleOf(100, hundredths(100)), 0.05, 0.505, 0.95)
	f("101", sampleOf(101, hundredths(101)), 6.0/101, 51.0/101, 96.0/101)
	f("ten thousand", sampleOf(10_000, hundredths(10_000)), 0.05, 0.50005, 0.95)
	f("many equal", sampleOf(9_999, func(i int) float64 { return float64(i % 2) }), 0, 0, 1)
}

// The results must not jump at the size at which a sample changes its form.
func TestSampleChangesItsFormUnnoticed(t *testing.T) {
	value := func(i int) float64 { return float64(mix(uint64(i))%1_000_001) / 1_000_000 }
	small, large := sampleOf(exactSize, value), sampleOf(exactSize, value)
	large.spill()
	a05, a50, a95 := small.percentiles()
	b05, b50, b95 := large.percentiles()
	near(t, "p05", b05, a05, 5e-5)
	near(t, "p50", b50, a50, 5e-5)
	near(t, "p95", b95, a95, 5e-5)
	aLow, aHigh := small.interval(new(draws))
	bLow, bHigh := large.interval(new(draws))
	se := 0.2887 / math.Sqrt(exactSize)
	near(t, "low end", bLow, aLow, se)
	near(t, "high end", bHigh, aHigh, se)
}

func TestPoissonWeights(t *testing.T) {
	var counts [13]int
	const n = 400_000
	for i := range n {
		counts[poisson(uint32(mix(uint64(i))))]++
	}
	want := distuv.Poisson{Lambda: 1}
	for k := range 7 {
		near(t, fmt.Sprintf("share of %d", k), float64(counts[k])/n, want.Prob(float64(k)), 0.003)
	}
	if poisson(0) != 0 || poisson(math.MaxUint32) < 10 {
		t.Errorf("ends: %d, %d", poisson(0), poisson(math.MaxUint32))
	}
}

// For a mean of many documents, the interval is close to the normal interval of theory.
func TestBootstrapIntervalIsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	covered := 0
	const rounds, n = 200, 300
	for round := range rounds {
		s := new(sample)
		var e exact
		for i := range n {
			x := fixed(r.Float64())
			s.add(alone(mix(uint64(round*n+i))), x)
			e.add(x)
		}
		low, high := s.interval(new(draws))
		if low <= 0.5 && 0.5 <= high {
			covered++
		}
		if round == 0 {
			half := 1.96 * e.sd() / math.Sqrt(n)
			near(t, "low end", low, e.mean()-half, half*0.3)
			near(t, "high end", high, e.mean()+half, half*0.3)
		}
	}
	if covered < rounds*90/100 || covered > rounds*99/100 {
		t.Errorf("the interval covers the mean in %d of %d samples, want about 95%%", covered, rounds)
	}
	if low, high := sampleOf(1, func(int) float64 { return 0.5 }).interval(new(draws)); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("one document: %g to %g; want none", low, high)
	}
	if low, high := sampleOf(5, func(int) float64 { return 0.7 }).interval(new(draws)); low != 0.7 || high != 0.7 {
		t.Errorf("equal values: %g to %g, want 0.7", low, high)
	}
}

// randomRows returns documents and their scores, for one extractor and scorer.
func randomRows(n int) ([]schemas.Document, []schemas.ScoreRow) {
	r := rand.New(rand.NewPCG(7, 8))
	documents, scores := make([]schemas.Document, n), make([]schemas.ScoreRow, n)
	for i := range n {
		d := &documents[i]
		*d = schemas.Document{HasGold: true, Package: fmt.Sprint("p", i%2*i%3), DocID: fmt.Sprint(i), Extractor: "e", HTMLBytes: r.Int64N(1e5), ExtractNS: r.Int64N(1e7),
			Outcome: []string{"ok", "ok", "ok", "empty", "failed", "skipped"}[r.IntN(6)],
			URL:     []string{"urn:x", fmt.Sprintf("http://www.s%d.example/", r.IntN(40))}[r.IntN(2)], PageType: []string{"", "", "forum", "article"}[r.IntN(4)],
			ParseNS: r.Int64N(1e6), FeatureNS: r.Int64N(1e6), ConsensusF1: r.Float64()}
		switch d.Outcome {
		case "failed":
			d.Reason = []string{"panic", "timeout"}[r.IntN(2)]
		case "skipped":
			d.Reason, d.ConsensusF1 = "no_template", math.NaN()
		}
		s := &scores[i]
		*s = schemas.ScoreRow{Package: d.Package, DocID: d.DocID, Extractor: "e", Scorer: "s"}
		switch {
		case r.IntN(10) == 0:
			s.Reason = "no_gold"
		case d.Outcome == "failed", d.Outcome == "skipped":
			s.Reason = "no_answer"
		default:
			s.Precision, s.Recall, s.F1 = r.Float64(), r.Float64(), r.Float64()
			s.Common, s.Extracted, s.Gold = r.Int64N(100), 100, 120
			s.CommonHigh, s.Universe, s.Coverage = r.Int64N(2)*100, 200, r.Float64()
			s.PUndefined, s.RUndefined = r.IntN(9) == 0, r.IntN(9) == 0
		}
	}
	return documents, scores
}

// pageOf returns the page of a row that randomRows made.
func pageOf(d *schemas.Document) *schemas.Page {
	return &schemas.Page{PageType: d.PageType, PageConsensus: float64(d.HTMLBytes%1000) / 1000}
}

// Merging is associative and commutative in every bit.
func TestTalliesMergeInAnyOrder(t *testing.T) {
	documents, scores := randomRows(3*exactSize + 100)
	var want []byte
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		parts := make([]*Tally, r.IntN(9)+1)
		for i := range parts {
			parts[i] = newTally(new(schemas.Recipe))
		}
		for _, i := range r.Perm(len(documents)) {
			p := parts[r.IntN(len(parts))]
			d := p.document(&documents[i], pageOf(&documents[i]))
			p.score(&scores[i], &d)
		}
		for len(parts) > 1 { // any tree of merges
			i := r.IntN(len(parts) - 1)
			parts[i].Merge(parts[i+1])
			parts = slices.Delete(parts, i+1, i+2)
		}
		if err := parts[0].check(); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		fmt.Fprintf(&got, "%v", parts[0].rows("r", nil))
		if want == nil {
			want = got.Bytes()
		} else if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("seed %d:\n%s\n%s", seed, got.Bytes(), want)
		}
	}
}

// By rule 15.6, a failed extraction counts as 0, even if the gold is empty. A skipped
// extraction and a page without gold do not count.
func TestStrictMeans(t *testing.T) {
	tl := newTally(new(schemas.Recipe))
	add := func(id, outcome, reason string, p, r, f1 float64, counts ...int64) {
		d := schemas.Document{HasGold: true, Package: "p", DocID: id, Extractor: "e", Outcome: outcome, HTMLBytes: 2000, ExtractNS: 28_000_000}
		s := schemas.ScoreRow{Package: "p", DocID: id, Extractor: "e", Scorer: "s", Reason: reason, Precision: p, Recall: r, F1: f1}
		if counts != nil {
			s.Common, s.Extracted, s.Gold = counts[0], counts[1], counts[2]
		}
		known := tl.document(&d, pageOf(&d))
		tl.score(&s, &known)
	}
	add("1", "ok", "", 0.5, 1, 0.8, 4, 4, 6)
	add("2", "ok", "", 0.7, 0.2, 0.4, 1, 3, 2)
	add("3", "failed", "no_answer", 0, 0, 0)
	add("4", "skipped", "no_answer", 0, 0, 0)
	add("5", "ok", "no_gold", 0, 0, 0)
	add("6", "failed", "no_gold", 0, 0, 0)
	add("7", "empty", "", 0, 0, 0, 0, 0, 5)
	add("8", "ok", "no_spans", 0, 0, 0)
	if err := tl.check(); err != nil {
		t.Fatal(err)
	}
	rows := tl.rows("r", nil)
	if len(rows.Packages) != 1 || len(rows.Speed) != 1 {
		t.Fatalf("%+v", rows)
	}
	r, speed := rows.Packages[0], rows.Speed[0]
	near(t, "mean F1", r.MeanF1, 1.2/4, 1e-12)
	near(t, "mean precision", r.MeanPrecision, 1.2/4, 1e-12)
	near(t, "mean recall", r.MeanRecall, 1.2/4, 1e-12)
	near(t, "answered F1", AnsweredMean(&r), 1.2/3, 1e-12)
	near(t, "seconds per kB", r.SPerKB, 0.014, 1e-12) // the example of 3.6
	near(t, "MB per second", r.MBPerS, 0.071429, 5e-7)
	got := [7]int64{r.Documents, r.Failures, speed.Empties, r.Skipped, r.SkippedGold, r.Scored, r.Answered}
	if want := [7]int64{8, 2, 1, 1, 1, 4, 3}; got != want {
		t.Errorf("documents, failures, empties, skipped, those with gold, scored, answered: %v, want %v", got, want)
	}
	if speed.HTMLBytes != 14_000 || speed.ExtractNS != 7*28_000_000 {
		t.Errorf("%d bytes in %d ns", speed.HTMLBytes, speed.ExtractNS)
	}
}

func TestExtractionsWithoutScorersHaveRows(t *testing.T) {
	tl := newTally(new(schemas.Recipe))
	tl.document(&schemas.Document{Package: "p", Extractor: "e", Outcome: "ok", HTMLBytes: 1e6, ExtractNS: 1e9}, new(schemas.Page))
	rows := tl.rows("r", nil).Packages
	if len(rows) != 1 || rows[0].Scorer != "" || rows[0].Documents != 1 || rows[0].MBPerS != 1 || !math.IsNaN(rows[0].MeanF1) {
		t.Errorf("%+v", rows)
	}
}

func TestMissingScoresAreNoticed(t *testing.T) {
	tl := newTally(new(schemas.Recipe))
	for _, id := range []string{"1", "2"} {
		tl.document(&schemas.Document{HasGold: true, Package: "p", DocID: id, Extractor: "e", Outcome: "ok"}, new(schemas.Page))
	}
	tl.score(&schemas.ScoreRow{Package: "p", DocID: "1", Extractor: "e", Scorer: "s"}, &scored{outcome: "ok"})
	if err := tl.check(); err == nil {
		t.Error("two documents and one score add up")
	}
}

func TestPooledPackages(t *testing.T) {
	documents, scores := randomRows(900)
	split, whole := newTally(new(schemas.Recipe)), newTally(new(schemas.Recipe))
	for i := range documents {
		d := split.document(&documents[i], pageOf(&documents[i]))
		split.score(&scores[i], &d)
		documents[i].Package, scores[i].Package = "(all)", "(all)"
		d = whole.document(&documents[i], pageOf(&documents[i]))
		whole.score(&scores[i], &d)
	}
	got, want := Pool(split.rows("r", nil)).Packages[0], whole.rows("r", nil).Packages[0]
	near(t, "mean", got.MeanF1, want.MeanF1, 1e-12)
	near(t, "SD", got.SDF1, want.SDF1, 1e-12)
	near(t, "MB/s", got.MBPerS, want.MBPerS, 1e-12)
	if got.Documents != want.Documents || got.Failures != want.Failures || got.Scored != want.Scored {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A skewed interval near the best score does not exceed it, by hand: the upper side of the
// first row is 0.05, of which 4 of 8 pages give 0.025; the lower side 0.25 gives 0.125.
func TestPooledIntervalIsPossible(t *testing.T) {
	p := Pool(Tables{Packages: []schemas.PackageRow{
		{Package: "a", Extractor: "e", Scorer: "s", Scored: 4, MeanF1: 0.95, CILow: 0.7, CIHigh: 1},
		{Package: "b", Extractor: "e", Scorer: "s", Scored: 4, MeanF1: 1, CILow: 1, CIHigh: 1},
	}}).Packages[0]
	near(t, "lower end", p.CILow, 0.85, 1e-12)
	near(t, "upper end", p.CIHigh, 1, 1e-12)
}

func TestSummary(t *testing.T) {
	nan := math.NaN()
	m := &schemas.Manifest{Run: schemas.Run{ID: "r", Recipe: schemas.Recipe{Scorers: []schemas.Method{{Name: "str"}, {Name: "words"}}}},
		Parts: []schemas.Part{{Counts: schemas.Counts{Records: 9, Pages: 6, NotHTML: map[string]int64{"request": 1, "document-pdf": 1}, Refused: map[string]int64{"empty": 1}},
			Items: []schemas.Commit{{Dead: true}}}}}
	s := NewSummary(m, Tables{[]schemas.PackageRow{
		{Package: "news\x1b[2J", Extractor: "bte", Scorer: "str", Documents: 3, Failures: 1, Scored: 2, MeanF1: 0.5, Headline: 0.5, SDF1: 0.25, CILow: 0.4, CIHigh: 0.6, MBPerS: 12.34},
		{Package: "news\x1b[2J", Extractor: "bte", Scorer: "words", Documents: 3, Failures: 1, MeanF1: nan, Headline: nan, SDF1: nan, MBPerS: 12.34},
		{Package: "wiki", Extractor: "bte", Scorer: "str", Documents: 3, Scored: 2, MeanF1: 1, Headline: 1, SDF1: 0, CILow: 1, CIHigh: 1, MBPerS: nan},
		{Package: "wiki", Extractor: "bte", Scorer: "words", Documents: 3, Scored: 1, MeanF1: 0.125, Headline: 0.125, SDF1: nan, MBPerS: nan},
	}, []schemas.SpeedRow{
		{Package: "news\x1b[2J", Extractor: "bte", Documents: 3, Failures: 1, HTMLBytes: 1234e4, ExtractNS: 1e9}, {Package: "wiki", Extractor: "bte", Documents: 3},
	}})
	var table bytes.Buffer
	if err := s.Table(&table, 0, Columns); err != nil {
		t.Fatal(err)
	}
	want := `bte has a mean F1 by str of 0.750 [0.700, 0.800] on 4 pages.
package   extractor  pages  failures           str  words  MB/s
news�[2J  bte            3         1  0.500 ±0.250      -  12.3
wiki      bte            3         0  1.000 ±0.000  0.125     -
(all)     bte            6         1  0.750 ±0.323  0.125  12.3
too few scored pages to tell extractors apart (fewer than 10): news�[2J, wiki
9 records: 6 pages, 2 no pages, 1 refused; documents not read: 1 pdf; 1 item
  dead
`
	if table.String() != want {
		t.Errorf("got\n%s\nwant\n%s", table.String(), want)
	}
	table.Reset()
	if err := s.Table(&table, 1, Columns); err != nil || !bytes.Contains(table.Bytes(), []byte("1 more package is in packages.parquet")) || bytes.Contains(table.Bytes(), []byte("wiki")) {
		t.Errorf("%v\n%s", err, table.String())
	}
	s.Packages[1].Extractors[0].Skipped = 2
	table.Reset()
	if err := s.Table(&table, 0, Columns); err != nil || !bytes.Contains(table.Bytes(), []byte("failures  skipped ")) || !bytes.Contains(table.Bytes(), []byte("0        2  1.000")) {
		t.Errorf("%v\n%s", err, table.String())
	}
	if js, err := json.Marshal(s); err != nil || !bytes.Contains(js, []byte(`"mean_f1":null`)) {
		t.Errorf("%v\n%s", err, js)
	}
	// 0.5 and 1 with medians 0.25 and 0.75; one package of two has a figure by words.
	macro := NewSummary(m, Tables{Packages: []schemas.PackageRow{
		{Package: "a", Extractor: "bte", Scorer: "str", Scored: 1, Headline: 0.5, P50: 0.25}, {Package: "b", Extractor: "bte", Scorer: "str", Scored: 9, Headline: 1, P50: 0.75},
		{Package: "a", Extractor: "bte", Scorer: "words", Headline: nan, P50: nan}, {Package: "b", Extractor: "bte", Scorer: "words", Scored: 9, Headline: 0.125, P50: 0.5},
	}}).All.Extractors[0].Scores
	near(t, "macro", *macro[0].Macro, 0.75, 0)
	near(t, "macro median", *macro[0].MacroMedian, 0.5, 0)
	near(t, "macro of one", *macro[1].Macro, 0.125, 0)
	near(t, "macro median of one", *macro[1].MacroMedian, 0.5, 0)
	if of := s.Packages[0].Extractors[0].Scores[0]; of.Macro != nil || of.MacroMedian != nil {
		t.Errorf("a package alone has %v, %v", of.Macro, of.MacroMedian)
	}
	if empty := NewSummary(m, Tables{}); empty.All != nil || !reflect.DeepEqual(empty.Scorers, []string{"str", "words"}) {
		t.Errorf("%+v", empty)
	}
}

// The summary fits the usual terminal, whatever the names and however many scorers: it
// shows fewer scorers, or the packages in lines of their own.
func TestSummaryFitsItsWidth(t *testing.T) {
	var scorers []schemas.Method
	for i := range 6 {
		scorers = append(scorers, schemas.Method{Name: fmt.Sprint("scorer", i)})
	}
	for _, c := range []struct {
		name, pkg, extractor string
		skipped              int64
		width                int
		head                 string
	}{
		{"short names", "news", "bte", 0, 80, `\npackage  extractor      pages  failures +scorer0 +scorer1 +MB/s\n`},
		{"short names, wide", "news", "bte", 0, 120, `\npackage  extractor      pages  failures +scorer0 +scorer1 +scorer2 +scorer3 +MB/s\n`},
		{"narrow", "news", "bte", 0, 20, `\npackage  extractor      pages  failures +scorer0 +scorer1 +MB/s\n`},
		{"a long package", strings.Repeat("p", 60), "collapse_links", 0, 80, `\nextractor           pages  failures +scorer0 +scorer1 +MB/s\np{60}\n`},
		{"long names", strings.Repeat("p", 200), "collapse_links", 1, 80, `\nextractor           pages  failures  skipped +scorer0 +scorer1 +MB/s\np{79}…\n`},
	} {
		var rows []schemas.PackageRow
		for _, m := range scorers {
			rows = append(rows, schemas.PackageRow{Package: c.pkg, Extractor: c.extractor, Scorer: m.Name, Documents: 123456789, Skipped: c.skipped,
				Scored: 9, MeanF1: .5, Headline: .5, SDF1: .25, MBPerS: 1.2})
		}
		s := NewSummary(&schemas.Manifest{Run: schemas.Run{Recipe: schemas.Recipe{Scorers: scorers}}}, Tables{Packages: rows})
		s.Dead, s.Unmade = 12, 345
		s.Losses = []account.Loss{{File: "https://example.org/" + strings.Repeat("x", 30), Bytes: 123456789, Reasons: []string{"damaged", "truncated"}}}
		var table bytes.Buffer
		if err := s.Table(&table, 0, c.width); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(c.head).Match(table.Bytes()) {
			t.Errorf("%s:\n%s", c.name, table.String())
		}
		for line := range strings.Lines(table.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > max(80, c.width) {
				t.Errorf("%s: %d characters: %s", c.name, n, line)
			}
		}
	}
}

// TestDraws compares kept weights with those that resample draws, also after so many keys
// that earlier ones are forgotten, and checks that used draws change no interval.
func TestDraws(t *testing.T) {
	var d draws
	for i := range 2*exactSize + 10 {
		key := mix(uint64(i % (exactSize + 5)))
		got := d.weights(key)
		if i%997 != 0 && i < 2*exactSize {
			continue
		}
		want := make([]replicate, replicatesSmall)
		resample(want, key, 3)
		for b, r := range want {
			if uint64(got[b]) != r.weight || 3*uint64(got[b]) != r.value {
				t.Fatalf("document %d, replicate %d: weight %d, want %+v", i, b, got[b], r)
			}
		}
		if len(d.of) > exactSize {
			t.Fatalf("%d documents are kept", len(d.of))
		}
	}
	s := sampleOf(200, func(i int) float64 { return float64(i%7) / 7 })
	low, high := s.interval(&d)
	if wantLow, wantHigh := s.interval(new(draws)); low != wantLow || high != wantHigh {
		t.Errorf("with used draws %v to %v, want %v to %v", low, high, wantLow, wantHigh)
	}
}
