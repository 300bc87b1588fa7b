package worker

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// chosen is a page of ten words and what extractors chose of them; nil is an
// extraction without spans.
func chosen(t *testing.T, words ...[]int) *driver.Result {
	t.Helper()
	p := new(page.Page)
	p.Parse([]byte("<p>zero one two three four five six seven eight nine"), page.Options{})
	res := &driver.Result{Page: p, Extractions: make([]driver.Extraction, len(words))}
	for i, list := range words {
		x := &res.Extractions[i]
		if x.HasSelection = list != nil; !x.HasSelection {
			continue
		}
		for _, w := range list {
			x.Selection.AddWords(p.Body(), w, w+1)
		}
	}
	return res
}

func TestConsensusIsSummedUpByPackage(t *testing.T) {
	// Names are not in order: the table has the pair by name.
	c := newConsensus([]*algorithms.Extractor{{Description: algorithms.Description{Name: "z", Family: "f"}}, {Description: algorithms.Description{Name: "a", Family: "g"}}, {Description: algorithms.Description{Name: "m", Family: "h"}}})
	p := c.page("p", chosen(t, []int{1, 2, 3}, []int{2, 3, 4}, []int{3, 9})) // 2/3, 2/5, 2/5
	if got := figure(p.Strength); math.Abs(got-(2./3+0.4+0.4)/3) > 1e-12 {
		t.Errorf("strength %g", got)
	}
	c.page("p", chosen(t, []int{1}, []int{1}, nil))
	c.page("p", chosen(t, []int{}, []int{}, []int{0}))
	c.page("o", chosen(t, []int{1, 2}, []int{3}, []int{1}))
	var got []schemas.AgreementRow
	if err := c.rows("r", func(r *schemas.AgreementRow) error { got = append(got, *r); return nil }); err != nil {
		t.Fatal(err)
	}
	row := func(pkg, a, b string, documents, sum, bothEmpty, failed int64) schemas.AgreementRow {
		return schemas.AgreementRow{Run: "r", Package: pkg, ExtractorA: a, ExtractorB: b, Documents: documents,
			MeanF1: float64(sum) / 1e9 / float64(documents), SumE9: sum, BothEmpty: bothEmpty, Failed: failed}
	}
	want := []schemas.AgreementRow{
		row("o", "a", "m", 1, 0, 0, 0),
		row("o", "a", "z", 1, 0, 0, 0),
		row("o", "m", "z", 1, 666_666_667, 0, 0),
		row("p", "a", "m", 2, 400_000_000, 0, 1),               // 0.4 and, one being empty, 0
		row("p", "a", "z", 2, 666_666_667+1_000_000_000, 1, 0), // 2/3 and 1; both empty
		row("p", "m", "z", 2, 400_000_000, 0, 1),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if len(c.sums) != 0 {
		t.Error("the sums are kept")
	}
	if newConsensus([]*algorithms.Extractor{{Description: algorithms.Description{Name: "z"}}}) != nil {
		t.Error("one extractor agrees with itself")
	}
}

// An item in which every page is a package does not hold them all.
func TestSumsAreBounded(t *testing.T) {
	var extractors []*algorithms.Extractor
	words := make([][]int, 400)
	for i := range words {
		extractors = append(extractors, &algorithms.Extractor{Description: algorithms.Description{Name: fmt.Sprint("x", i), Family: fmt.Sprint("x", i)}})
	}
	c := newConsensus(extractors)
	pairs, n := 400*399/2, 0
	for ; !c.full(); n++ {
		c.page(fmt.Sprint("p", n), chosen(t, words...))
	}
	if cells := n * pairs; cells < cellsMax || cells > cellsMax+pairs {
		t.Errorf("full with %d cells, the bound is %d", cells, cellsMax)
	}
}

// failing and skipping are extractors that do nothing else.
var (
	failing = &algorithms.Extractor{Description: algorithms.Description{Name: "failing", Family: "failing", Fidelity: algorithms.Exact},
		Run: func(*algorithms.Pass) error { return errors.New("a defect") }}
	skipping = &algorithms.Extractor{Description: algorithms.Description{Name: "skipping", Family: "skipping", Fidelity: algorithms.Exact},
		Run: func(*algorithms.Pass) error { return algorithms.ErrPageTooLarge }}
)

// What scores have besides precision, recall and F1 comes into the rows, and is
// null where it does not exist.
func TestFurtherColumnsOfScores(t *testing.T) {
	w := newWorld(t)
	x, err := algorithms.ChooseExtractors(suite.Extractors(), "plain,bte")
	if err != nil {
		t.Fatal(err)
	}
	x = append(x, failing, skipping)
	s, err := algorithms.ChooseScorers(suite.Scorers(), "vec,snippet,word-f,wcxb-with")
	if err != nil {
		t.Fatal(err)
	}
	w.plan.Recipe.Extractors, w.plan.Recipe.Scorers = recipe.Methods(x, s)
	w.opt.Extractors = x
	c := newCrawl(t, w.dir, "a.warc.gz")
	url, text := "http://a.example/", "one two three four"
	_, id := c.response(url, "200 OK", "text/html", "<body><p>menu<p>one two three four</body>")
	g := &schemas.Gold{Version: 1, Package: "p", ID: "d", URL: url, Text: &text, With: []string{"two three"}, Without: []string{"menu", "nothing"}}
	if err := gold.WriteGold(c.w, g, id, url, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	c.close()
	reports, _ := w.work()
	rows := map[[2]string]schemas.ScoreRow{}
	for _, r := range table(w, columnar.Scores, reports) {
		rows[[2]string{r.Extractor, r.Scorer}] = r
	}
	if len(rows) != 16 {
		t.Fatalf("%d rows", len(rows))
	}
	// plain finds the wanted snippet and one unwanted one.
	if r := rows[[2]string{"plain", "snippet"}]; r.Universe != 3 || r.Common != 1 || r.Extracted != 2 || r.Gold != 1 || !math.IsNaN(r.Coverage) || !math.IsNaN(r.Baseline) {
		t.Errorf("plain by snippet: %+v", r)
	}
	if r := rows[[2]string{"plain", "word-f"}]; r.Coverage != 1 || r.Universe != 0 || r.CommonHigh != 0 {
		t.Errorf("plain by word-f: %+v", r)
	}
	// A failure missed the gold; it has no baseline.
	if r := rows[[2]string{"failing", "vec"}]; r.Reason != "no_answer" || r.Gold != 4 || r.Common != 0 || !math.IsNaN(r.F1) || !math.IsNaN(r.Baseline) {
		t.Errorf("failing by vec: %+v", r)
	}
	if r := rows[[2]string{"failing", "snippet"}]; r.Gold != 1 || r.Universe != 3 {
		t.Errorf("failing by snippet: %+v", r)
	}
	// A skipped extraction is compared with the whole text: 5 words, 4 of them right.
	if r := rows[[2]string{"skipping", "vec"}]; r.Reason != "no_answer" || r.Gold != 0 || math.Abs(r.Baseline-8./9) > 1e-12 {
		t.Errorf("skipping by vec: %+v", r)
	}
	if r := rows[[2]string{"skipping", "wcxb-with"}]; r.Baseline != 1 {
		t.Errorf("skipping by wcxb-with: %+v", r)
	}
	agreed := table(w, columnar.Agreement, reports)
	if len(agreed) != 6 {
		t.Fatalf("%d rows of agreement", len(agreed))
	}
	for _, r := range agreed {
		if known := r.ExtractorA == "bte" && r.ExtractorB == "plain"; known != (r.Documents == 1) || known == (r.Failed == 1) {
			t.Errorf("agreement: %+v", r)
		}
	}
	for _, d := range w.documents(reports) {
		if known := d.Extractor == "plain" || d.Extractor == "bte"; known == math.IsNaN(d.Consensus) || known == math.IsNaN(d.ConsensusF1) || math.IsNaN(d.PageConsensus) {
			t.Errorf("%s: consensus %g, F1 %g, page %g", d.Extractor, d.Consensus, d.ConsensusF1, d.PageConsensus)
		}
	}
}

// The sums of all items are the same for any split.
func TestAnySplitGivesTheSameAgreement(t *testing.T) {
	type pair struct{ pkg, a, b string }
	var want map[pair][4]int64
	for i, size := range []int64{1 << 30, 3000, 700} {
		w := newWorld(t)
		w.choose("bte,plain,dsc,density", "none")
		w.opt.Slots = 1 + i
		c := newCrawl(t, w.dir, "a.warc.gz")
		for n := range 30 {
			c.page("h.example", n, []string{"", "pack"}[n%2])
		}
		c.record(&write.Record{Type: "resource", ContentType: "text/html", TargetURI: "http://r.example/", Block: []byte("<body>")})
		c.close()
		w.plan.ItemBytes = size
		reports, _ := w.work()
		got := map[pair][4]int64{}
		for _, r := range table(w, columnar.Agreement, reports) {
			sum := got[pair{r.Package, r.ExtractorA, r.ExtractorB}]
			for k, v := range []int64{r.Documents, r.SumE9, r.BothEmpty, r.Failed} {
				sum[k] += v
			}
			got[pair{r.Package, r.ExtractorA, r.ExtractorB}] = sum
		}
		if want == nil {
			want = got
		}
		if len(got) != 12 || !reflect.DeepEqual(got, want) {
			t.Errorf("items of %d bytes: %v, want %v", size, got, want)
		}
	}
}
