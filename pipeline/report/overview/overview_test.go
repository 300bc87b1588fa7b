package overview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/commit/compact"
	"github.com/winnow/winnow/pipeline/report/sheet"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// hostile is a name that a crawl may contain.
const hostile = "<script>alert(1)</script>\u202e\x1b[2J\"'><img src=http://evil.example/x>"

// folder is a finished run. The test gives its scores and documents, from which its
// other tables are made.
type folder struct {
	t         *testing.T
	store     *blobtest.Memory
	m         schemas.Manifest
	pages     []schemas.Page
	documents []schemas.Document
	scores    []schemas.ScoreRow
	agreement []schemas.AgreementRow
	failures  []schemas.Failure
	templates []schemas.TemplateRow
	// confidence is what an extractor expects of its answer. It is nil if no extractor
	// estimates it.
	confidence func(extractor, id string) float64
}

func newFolder(t *testing.T, scorer schemas.Method, extractors ...string) *folder {
	f := &folder{t: t, store: new(blobtest.Memory), m: schemas.Manifest{Version: schemas.Version,
		Run: schemas.Run{Version: schemas.Version, ID: "r", Hash: "h", Phase: schemas.PhaseExtract, State: schemas.RunDone, Recipe: schemas.Recipe{Version: schemas.Version, Build: "test"}}}}
	for _, e := range extractors {
		f.m.Run.Recipe.Extractors = append(f.m.Run.Recipe.Extractors, schemas.Method{Name: e, Family: e})
	}
	if scorer.Name != "" {
		f.m.Run.Recipe.Scorers = []schemas.Method{scorer}
	}
	return f
}

// page adds a page. A score of NaN is a failed extraction.
func (f *folder) page(pkg, id, pageType string, consensus float64, scores ...float64) {
	f.pages = append(f.pages, schemas.Page{Run: "r", Package: pkg, DocID: id, Site: id, PageType: pageType, PageConsensus: consensus})
	for i, e := range f.m.Run.Recipe.Extractors {
		d := schemas.Document{HasGold: true, Run: "r", Package: pkg, DocID: id, URL: "http://" + id + ".example/" + hostile, PageType: pageType, Extractor: e.Name,
			Outcome: "ok", HTMLBytes: 10_000, ExtractNS: int64(i+1) * 1000, ParseNS: 50_000, Consensus: consensus, ConsensusF1: consensus, Confidence: math.NaN()}
		if f.confidence != nil {
			d.Confidence = f.confidence(e.Name, id)
		}
		s := schemas.ScoreRow{Run: "r", Package: pkg, DocID: id, Extractor: e.Name, Coverage: math.NaN(), Baseline: math.NaN()}
		if len(scores) > 0 {
			if s.F1, s.Value, s.Precision, s.Recall = scores[i], scores[i], scores[i], scores[i]; math.IsNaN(scores[i]) {
				d.Outcome, d.Reason, s.Reason = "failed", "timeout", "no_answer"
			}
		} else {
			s.Reason = "no_gold"
		}
		f.documents = append(f.documents, d)
		for _, m := range f.m.Run.Recipe.Scorers {
			s.Scorer = m.Name
			f.scores = append(f.scores, s)
		}
		for _, other := range f.m.Run.Recipe.Extractors[i+1:] {
			f.agreement = append(f.agreement, schemas.AgreementRow{Run: "r", Package: pkg, ExtractorA: min(e.Name, other.Name), ExtractorB: max(e.Name, other.Name),
				Documents: 1, SumE9: int64(consensus * 1e9)})
		}
	}
	f.m.Totals.Pages++
}

func write[T any](f *folder, table *columnar.Table[T], rows []T, compare func(a, b T) int) schemas.Shard {
	f.t.Helper()
	slices.SortStableFunc(rows, compare)
	return writeTo(f, string(table.Name())+"/part-00000.parquet", table, rows)
}

func writeTo[T any](f *folder, name string, table *columnar.Table[T], rows []T) schemas.Shard {
	f.t.Helper()
	w, err := f.store.Create(f.t.Context(), name)
	if err != nil {
		f.t.Fatal(err)
	}
	defer w.Close()
	out, err := columnar.NewWriter(table, w, "r", "h", columnar.Size{})
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range rows {
		if err := out.Append(&rows[i]); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), func() error { _, err := w.Commit(); return err }()); err != nil {
		f.t.Fatal(err)
	}
	return schemas.Shard{Table: table.Name(), Name: name, Rows: int64(len(rows)), SHA256: strings.Repeat("0", 64)}
}

// finish writes the part and makes the tables.
func (f *folder) finish() *folder {
	f.t.Helper()
	key := func(s ...string) string { return strings.Join(s, "\x00") }
	part := schemas.Part{Counts: schemas.Counts{Records: f.m.Totals.Pages, Pages: f.m.Totals.Pages, Refused: map[string]int64{"empty": 2}}}
	part.Files = []schemas.Shard{
		write(f, columnar.Pages, f.pages, func(a, b schemas.Page) int {
			return strings.Compare(key(a.Package, a.DocID), key(b.Package, b.DocID))
		}),
		write(f, columnar.Documents, f.documents, func(a, b schemas.Document) int {
			return strings.Compare(key(a.Package, a.DocID, a.Extractor), key(b.Package, b.DocID, b.Extractor))
		}),
		write(f, columnar.Scores, f.scores, func(a, b schemas.ScoreRow) int {
			return strings.Compare(key(a.Package, a.DocID, a.Extractor, a.Scorer), key(b.Package, b.DocID, b.Extractor, b.Scorer))
		}),
		write(f, columnar.Agreement, f.agreement, func(a, b schemas.AgreementRow) int { return 0 }),
		write(f, columnar.Failures, f.failures, func(a, b schemas.Failure) int { return 0 }),
	}
	f.m.Parts = []schemas.Part{part}
	if len(f.templates) > 0 {
		const part = "templates/part-00000.parquet"
		f.m.Templates = &schemas.Templates{Sites: 3, Ranges: []schemas.TemplateRange{{File: schemas.Shard{Name: part, SHA256: strings.Repeat("0", 64)}}}}
		writeTo(f, part, columnar.Templates, f.templates)
	}
	f.publish()
	if _, err := compact.Recompute(f.t.Context(), f.store); err != nil {
		f.t.Fatal(err)
	}
	return f
}

// publish writes the manifest.
func (f *folder) publish() {
	f.t.Helper()
	data, err := f.m.Encode()
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := blob.WriteAll(f.t.Context(), f.store, schemas.ManifestFile, data); err != nil {
		f.t.Fatal(err)
	}
}

// made returns the page and its text, after the checks that hold for every page.
func made(t *testing.T, f *folder, o Options) (page, text string) {
	t.Helper()
	if err := Write(t.Context(), f.store, o); err != nil {
		t.Fatal(err)
	}
	data := f.store.Files()[File]
	again, err := Render(t.Context(), f.store, o)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("made again the page differs (%v)", err)
	}
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	ids := map[string]bool{}
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" && n.Parent.Data != "script" {
			words.WriteString(strings.Join(strings.Fields(n.Data), " ") + " ")
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			switch {
			case len(n.Attr) == 0 && n.FirstChild.Data == script:
			case n.Attr[0].Val == "application/json":
				if !json.Valid([]byte(n.FirstChild.Data)) {
					t.Errorf("the data of the page are damaged: %s", n.FirstChild.Data)
				}
			default:
				t.Error("the page has a script that is not its own")
			}
		case "img", "link", "iframe", "object", "embed", "base", "form", "image", "use":
			t.Errorf("the page has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "src", a.Key == "style":
				t.Errorf("the page has an attribute %s=%q", a.Key, a.Val)
			case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
				t.Errorf("the page has a link to %q", a.Val)
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("two elements have the id %s", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			}
		}
	}
	if s := html.UnescapeString(string(data)); strings.ContainsAny(s, "\u202e\x1b") || !strings.Contains(s, "default-src 'none'") || strings.Contains(s, "url(") || strings.Contains(s, "unsafe-") || !strings.Contains(s, sheet.Hash(script)) || strings.Contains(s, "ZgotmplZ") {
		t.Error("the page has control characters, no policy, requests, or a value that the template refused")
	}
	return string(data), words.String()
}

func TestPageOfARunWithGold(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "good", "bad", "other")
	f.m.Run.Recipe.Extractors[1].TrainedOn = []string{"news"}
	for i := range 40 {
		x := float64(i%5) / 50
		bad := 0.5 + x
		if i == 0 {
			bad = math.NaN()
		}
		f.page("news", fmt.Sprintf("d%02d", i), []string{"article", "forum"}[i%2], 0.5+float64(i)/100, 0.8+x, bad, 0.79+x+float64(i%2)/50)
	}
	f.page(hostile, "h1", "", 0.125, 1, 1, 1)
	f.failures = []schemas.Failure{{File: hostile, Offset: 12345, Length: 10, Stage: "payload", Reason: "empty", Severity: "lost", Detail: hostile}, {Stage: "payload", Reason: "empty", Severity: "lost"}}
	page, text := made(t, f.finish(), Options{Pages: 5})
	for _, want := range []string{
		"41 pages", "All packages", "40 with gold, of 40 sites", "with 10 000 replicates",
		"good 1 0.840", "bad 3 0.52", // 0.5275: (40 · 0.54 - 0.5) / 40
		"timeout:1",
		"0.541 (39)", "0.840 (40)", // 0.541: without the failure
		"0.001 0.001", "0.003 0.003", // milliseconds
		"alert(1)", // as text
		"payload empty lost 2", "12 345",
		"36 more are in the pages table",
		"article 20", "forum 20",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, `<th scope="row" class="seen" title="trained on these pages">bad</th>`); n != 2 || strings.Count(page, `class="seen"`) != 2 {
		t.Errorf("bad is marked %d times, want twice: for all packages and for news", n)
	}
	for _, want := range []string{"good has the highest mean F1 by vec, 0.844", "level with other on 41 pages", "Trained on some of these pages, and so better here than on others: bad.", "vec by page type", "vec by package", "Quality 0.844 good, vec"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, want := range []string{`"scorer":"vec"`, `"bad\nnews\narticle":[[`, `"histogram":[[`} {
		if !strings.Contains(page, want) {
			t.Errorf("the data lack %q", want)
		}
	}
	// The page with the least agreement comes first.
	_, doubtful, _ := strings.Cut(text, " Least agreement ")
	doubtful, _, _ = strings.Cut(doubtful, " Slowest pages ")
	if at, next := strings.Index(doubtful, "h1"), strings.Index(doubtful, "d00 news"); at < 0 || next < at {
		t.Errorf("doubtful pages are not in order: %d, %d", at, next)
	}
	if strings.Contains(doubtful, "d05 news") {
		t.Error("more doubtful pages than asked for")
	}
	if _, text = made(t, f, Options{Packages: 1, Work: 1}); !strings.Contains(text, "1 smaller package is not shown") || !strings.Contains(text, "was not tested here") {
		t.Error("what is left out is not named")
	}
	if _, err := Render(t.Context(), f.store, Options{Scorer: "nonesuch"}); err == nil || !strings.Contains(err.Error(), `no scorer "nonesuch"`) {
		t.Errorf("error %v", err)
	}
}

func TestPageOfARunWithoutGold(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "a", "b")
	for i := range 3 {
		f.page("crawl", fmt.Sprint(i), "", 0.75)
	}
	page, text := made(t, f.finish(), Options{})
	if strings.Contains(page, "data-measure=\"vec\"") || !strings.Contains(text, "The run has no scorer") || !strings.Contains(text, "0.75") || !strings.Contains(text, "a 0 10 000 14.2 0 0 0.750 0.750") {
		t.Error(text)
	}
}

// Without gold the extractors of all packages are in the order of their agreement, which
// the package table has for each package only.
func TestAllPackagesWithoutGold(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "apart", "b", "c")
	for i := range 4 {
		f.page([]string{"p", "q"}[i/2], fmt.Sprint(i), "", 0.75)
	}
	for i := range f.agreement {
		if a := &f.agreement[i]; a.ExtractorA == "apart" {
			a.SumE9 = 25e7
		}
	}
	_, text := made(t, f.finish(), Options{})
	all, _, _ := strings.Cut(text, " p 2 pages")
	b, apart := strings.Index(all, "b 0 5 000 14.4 0 0 0.500"), strings.Index(all, "apart 0 10 000 14.2 0 0 0.250")
	if b < 0 || apart < b { // (0.25 + 0.75) / 2, and 0.25
		t.Errorf("the order of all packages is not that of agreement:\n%s", all)
	}
}

// All extractors are in one ranking, in which an extractor that was skipped on the hard
// package is not better than one that was not.
func TestAllPackagesOfDifferentPages(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "a", "b", "skips")
	f.page("easy", "1", "", 0.5, 0.9, 0.8, 0.85)
	f.page("hard", "2", "", 0.5, 0.1, 0.4, 0.9)
	for i := range f.documents {
		if d, s := &f.documents[i], &f.scores[i]; d.DocID == "2" && d.Extractor == "skips" {
			d.Outcome, d.Reason, s.Reason = "skipped", "no_template", "no_answer"
		}
	}
	page, text := made(t, f.finish(), Options{})
	for _, want := range []string{"b 1 0.600", "a 2 0.500", "skips 3 0.425", "The table is over 2 scored pages. Those that an extractor skipped count as 0", "Skipped pages, which count as 0: skips 1."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if !strings.Contains(page, `"scores":{"vec":[0.6,0.5,0.425]}`) {
		t.Error("the data lack an extractor, or its skipped page does not count as 0")
	}
}

// An extractor that reads the gold is listed apart: it has no rank, no letter, and no place
// on the Pareto front.
func TestBoundsHaveNoRank(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "a", "b", "oracle")
	f.m.Run.Recipe.Extractors[2].Bound = true
	for i := range 20 {
		f.page("p", fmt.Sprint(i), "", 0.5, 0.5, 0.7, 1)
	}
	page, text := made(t, f.finish(), Options{})
	_, table, _ := strings.Cut(text, "More columns")
	for _, want := range []string{" b 1 0.700", " a 2 0.500", "Bounds: they read the gold, so they have no rank  oracle – 1.000"} {
		at := strings.Index(table, want)
		if at < 0 {
			t.Fatalf("the table does not have %q in its order:\n%s", want, text)
		}
		table = table[at:]
	}
	if !strings.Contains(page, `"bounds":[false,false,true]`) || strings.HasPrefix(text, "oracle") {
		t.Error("the bound is not apart")
	}
	_, groups, _ := strings.Cut(text, " oracle – 1.000")
	if strings.HasPrefix(groups, " 1.000 1.000 a") {
		t.Error("the bound is compared with others")
	}
}

// A mean over two pages has an interval, from which nothing follows.
func TestTooFewPagesToTell(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "a", "b")
	for i := range 2 {
		f.page("p", fmt.Sprint(i), "", 0.5, 0.5, 0.7)
	}
	if _, text := made(t, f.finish(), Options{}); !strings.Contains(text, "Fewer than 10 pages are too few to tell extractors apart, and the intervals are too narrow.") || strings.Contains(text, "do not differ") {
		t.Error(text)
	}
}

// The report, the summary and the comparison rank by the same scorer.
func TestDefaultScorerRanks(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "str", Mean: "macro"}, "a", "b")
	f.m.Run.Recipe.Scorers = append(f.m.Run.Recipe.Scorers, schemas.Method{Name: schemas.DefaultScorer, Mean: "macro"})
	f.page("p", "1", "", 0.5, 0.5, 0.7)
	if _, text := made(t, f.finish(), Options{}); !strings.Contains(text, "Extractors are ranked by vec :") {
		t.Error(text)
	}
}

func TestPageOfAMeasureWithoutF1(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "junk", Mean: "value", Lower: true}, "a", "b")
	for i := range 4 {
		f.page("p", fmt.Sprint(i), "", 0.5, 0.9, 0.1)
	}
	_, text := made(t, f.finish(), Options{})
	if !strings.Contains(text, "lower is better") || !strings.Contains(text, "b 1 0.100") || strings.Contains(text, "precision") {
		t.Error(text)
	}
}

// A run may have one extractor, one page, no times, or no pages at all.
func TestPagesOfLittle(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "only")
	f.page("p", "1", "", math.NaN(), 0.5)
	f.documents[0].ExtractNS = 0
	if _, text := made(t, f.finish(), Options{}); !strings.Contains(text, "only has a mean F1 by vec of 0.500 on 1 page.") {
		t.Error(text)
	}
	if _, text := made(t, newFolder(t, schemas.Method{Name: "vec"}, "a", "b").finish(), Options{}); !strings.Contains(text, "No page was extracted") {
		t.Error(text)
	}
	f = newFolder(t, schemas.Method{Name: "vec"}, "a", "b")
	f.page("p", "1", "", 0.5, math.NaN(), math.NaN())
	made(t, f.finish(), Options{Rows: 1})
}

func TestRunsWithoutTables(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "a").finish()
	if err := f.store.Delete(t.Context(), schemas.PackagesFile); err != nil {
		t.Fatal(err)
	}
	if _, err := Render(t.Context(), f.store, Options{}); !errors.Is(err, ErrNoTables) {
		t.Errorf("error %v", err)
	}
}

// The list has the worst pages, in whatever order the pages are read.
func TestDoubtsKeepTheWorst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := newFolder(t, schemas.Method{}, "a", "b")
	for _, i := range r.Perm(200) {
		f.page("p", fmt.Sprintf("d%03d", i), "", float64(i/2)/100) // two pages each have the same value, so their id decides
	}
	v, err := gather(t.Context(), f.finish().store, &Options{Packages: 1, Pages: 7, Rows: 1e6, Work: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	l := v.Lists[0]
	for _, d := range l.Pages {
		got = append(got, d.DocID)
	}
	if want := "d000 d001 d002 d003 d004 d005 d006"; strings.Join(got, " ") != want || l.Title != "Least agreement" || !strings.Contains(l.Caption, " 193 more are in") {
		t.Errorf("%s: %v and %q, want %s and 193 more", l.Title, got, l.Caption, want)
	}
}

// The letters of every cell have a contrast of at least 4.5 to the background (WCAG 2.2,
// 1.4.3).
func TestShades(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want cell
	}{
		{math.NaN(), cell{Text: "–"}}, {0, cell{Text: "0.00", Class: "h0"}}, {0.499, cell{Text: "0.50", Class: "h50"}}, {1, cell{Text: "1.00", Class: "h100"}},
	} {
		if got := shade(c.x, true); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.x, got, c.want)
		}
	}
	if got := shade(1.25, false); got != (cell{Text: "1.25"}) {
		t.Errorf("a figure that is not from 0 to 1: %+v", got)
	}
	if !strings.Contains(shades, ".h0{--k:0%;--on:var(--ink0)}") || !strings.Contains(shades, ".h100{--k:100%;--on:var(--ink1)}") {
		t.Error(shades)
	}
	if got := grouped(-1234567) + " " + grouped(999) + " " + short(0.00012345) + " " + short(123456); got != "-1\u202f234\u202f567 999 0.000123 123\u202f456" {
		t.Errorf("%q", got)
	}
}

// TestContrast computes the contrast of the letters of a matrix with their cells, in light
// and in dark (WCAG 2.2: at least 4.5).
func TestContrast(t *testing.T) {
	palettes := regexp.MustCompile(`--heat0: (#\w+); --heat1: (#\w+); --ink0: (#\w+); --ink1: (#\w+);`).FindAllStringSubmatch(sheet.Palette, -1)
	if len(palettes) != 3 || !slices.Equal(palettes[1], palettes[2]) {
		t.Fatalf("palettes %q, want that of light and twice that of dark", palettes)
	}
	for _, palette := range palettes[:2] {
		var colours [4][3]float64
		for i, text := range palette[1:] {
			if len(text) == 4 {
				text = "#" + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:3], 2) + strings.Repeat(text[3:], 2)
			}
			n, err := strconv.ParseUint(text[1:], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			colours[i] = [3]float64{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}
		}
		for k := range 101 {
			mix, ink := float64(k*k)/1e4, colours[2]
			if k >= inkFrom {
				ink = colours[3]
			}
			var back [3]float64
			for i := range back {
				back[i] = colours[0][i] + mix*(colours[1][i]-colours[0][i])
			}
			x, y := luminance(back), luminance(ink)
			if contrast := (max(x, y) + 0.05) / (min(x, y) + 0.05); contrast < 4.5 {
				t.Errorf("%s, %d: contrast %.2f", palette[0], k, contrast)
			}
		}
	}
}

// luminance returns the relative luminance of a colour (WCAG 2.2).
func luminance(rgb [3]float64) float64 {
	var linear [3]float64
	for i, c := range rgb {
		if x := c / 255; x <= 0.04045 {
			linear[i] = x / 12.92
		} else {
			linear[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}

// Ties share a rank: 3, 1, 3, 2 have the ranks 3.5, 1, 3.5, 2. Without ties
// Spearman's rho is 1 - 6 times the sum of squared differences over n(n²-1).
func TestCorrelation(t *testing.T) {
	if got := ranks([]float64{0.9, 0.1, 0.9, 0.5}); !slices.Equal(got, []float64{3.5, 1, 3.5, 2}) {
		t.Errorf("ranks %v", got)
	}
	p := &pkg{}
	for i, consensus := range []float64{0.5, 0.4, 0.3, 0.2} {
		p.Lines = append(p.Lines, line{Speed: schemas.SpeedRow{ConsensusF1: consensus}, Row: schemas.PackageRow{Scored: 1, Headline: []float64{0.8, 0.9, 0.6, 0.7}[i]}})
	}
	p.Lines = append(p.Lines, line{Speed: schemas.SpeedRow{ConsensusF1: 0.9}, Row: schemas.PackageRow{Scored: 0, Headline: math.NaN()}})
	if p.correlate(); p.Rho != "0.60" { // 1 - 6·4/(4·15)
		t.Errorf("rho %q", p.Rho)
	}
	p.Scorer.Lower = true
	if p.correlate(); p.Rho != "-0.60" {
		t.Errorf("rho %q where lower is better", p.Rho)
	}
	p.Rho, p.Lines = "", p.Lines[:2]
	if p.correlate(); p.Rho != "" {
		t.Errorf("two extractors have rho %q", p.Rho)
	}
}

// If an extractor skipped pages, the means that count skipped pages are shown too.
func TestSkippedPages(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "plain", "site")
	for i := range 4 {
		f.page("p", fmt.Sprint(i), "", 0.5, 0.5, 0.9)
	}
	d, s := &f.documents[7], &f.scores[7]
	d.Outcome, d.Reason, s.Reason, s.Baseline = "skipped", "no_template", "no_answer", 0.5
	_, text := made(t, f.finish(), Options{})
	for _, want := range []string{"site 1 0.675", "0.900 0.800 1 0", "no_template:1", "The table is over 4 scored pages. Those that an extractor skipped count as 0; more columns", "Skipped pages, which count as 0: site 1."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
}

// The headline may be a figure other than the one that has the interval.
func TestPageOfAPooledMeasure(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "snippet", Mean: "micro"}, "a", "b")
	f.page("p", "1", "", 0.5, 0.5, 0.75)
	for i := range f.scores {
		s := &f.scores[i]
		s.Common, s.Extracted, s.Gold = 3, 5, 7
	}
	if _, text := made(t, f.finish(), Options{}); !strings.Contains(text, "counts pooled over all pages") || !strings.Contains(text, "are those of the pages' F1") || !strings.Contains(text, "a 1 0.500 – – 0.600 0.429") {
		t.Error(text)
	}
}

// If the scorer that ranks cannot read the gold of a package, another scorer ranks that
// package.
func TestPageOfGoldOfAnotherKind(t *testing.T) {
	f := newFolder(t, schemas.Method{Name: "vec", Mean: "macro"}, "a", "b")
	f.m.Run.Recipe.Scorers = append(f.m.Run.Recipe.Scorers, schemas.Method{Name: "snippet", Mean: "micro"})
	f.page("p", "1", "", 0.5, 0.5, 0.75)
	for i := range f.scores {
		if s := &f.scores[i]; s.Scorer == "vec" {
			s.Reason = "no_gold"
		} else {
			s.Common, s.Extracted, s.Gold = 3, 5, 7
		}
	}
	_, text := made(t, f.finish(), Options{})
	for _, want := range []string{"ranked by vec", "No page here has gold that vec can score, so extractors are ranked by snippet : F1 of counts pooled", "a 1 0.500"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
}
