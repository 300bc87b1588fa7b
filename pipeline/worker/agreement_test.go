package worker

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

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
	x, err := choose.Extractors(suite.Extractors(), "plain,bte")
	if err != nil {
		t.Fatal(err)
	}
	x = append(x, failing, skipping)
	s, err := choose.Scorers(suite.Scorers(), "vec,snippet,word-f,wcxb-with")
	if err != nil {
		t.Fatal(err)
	}
	w.plan.Recipe.Extractors, w.plan.Recipe.Scorers = recipe.Methods(x, s)
	w.equip(TaskOptions{Extractors: x, Scorers: suite.Scorers()})
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
		if known := d.Extractor == "plain" || d.Extractor == "bte"; known == math.IsNaN(d.Consensus) || known == math.IsNaN(d.ConsensusF1) {
			t.Errorf("%s: consensus %g, F1 %g", d.Extractor, d.Consensus, d.ConsensusF1)
		}
	}
	for _, p := range table(w, columnar.PagesOf(&w.plan.Recipe), reports) {
		if math.IsNaN(p.PageConsensus) {
			t.Errorf("%s: no page consensus", p.DocID)
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
