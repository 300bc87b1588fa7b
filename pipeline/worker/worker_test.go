package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func TestRowsOfACrawl(t *testing.T) {
	w := newWorld(t)
	w.plan.Recipe.Texts = schemas.TextsParquet
	w.plan.Recipe.Spans = true
	c := newCrawl(t, w.dir, "mixed.warc.gz")
	plain := c.page("www.Example.org", 1, "")
	c.page("gold.example", 2, "pack")
	c.response("http://a.example/missing", "404 Not Found", "text/html", "<p>no</p>")
	c.response("http://a.example/x.png", "200 OK", "image/png", "\x89PNG")
	pdf, _ := c.response("http://a.example/x.pdf", "200 OK", "text/html", "%PDF-1.4\n\x00\x00")
	c.record(&write.Record{Type: "resource", ContentType: "text/html", TargetURI: "http://r.example/", Block: []byte("<body><p>resource of one paragraph</p>")})
	c.record(&write.Record{ // follows a page, but is about another
		Type: "metadata", ContentType: schemas.GoldMediaType, Block: []byte(`{"text":"of nobody"}`),
		Fields: []write.Field{{Name: "WARC-Concurrent-To", Value: "<urn:uuid:another>"}},
	})
	c.record(&write.Record{Type: "revisit", ContentType: "application/http; msgtype=response", TargetURI: "http://a.example/again", Block: []byte("HTTP/1.1 200 OK\r\n\r\n")})
	c.close()

	reports, dead := w.work()
	if len(dead) > 0 {
		t.Errorf("given up: %+v", dead[0])
	}
	total := conserve(t, reports, 2, 1)
	d := reports["f00000-i00000"]
	if total.Pages != 3 || d.Counts.Refused["binary-as-html"] != 1 || d.Counts.NotHTML["status"] != 1 ||
		d.Counts.NotHTML["media-type"] != 1 || d.Counts.NotHTML["revisit"] != 1 || d.Counts.NotHTML["gold"] != 2 {
		t.Errorf("counts: %+v", d.Counts)
	}
	rows := w.documents(reports)
	pages := table(w, columnar.PagesOf(&w.plan.Recipe), reports)
	if len(pages) != 3 {
		t.Fatalf("%d rows of pages, want 3", len(pages))
	}
	type short struct{ pkg, id, url, site, extractor, outcome string }
	var got []short
	for i, r := range rows {
		got = append(got, short{r.Package, r.DocID, r.URL, pages[i/2].Site, r.Extractor, r.Outcome})
	}
	first := fmt.Sprintf("mixed:%d:0", plain)
	third := rows[4].DocID
	want := []short{
		{"mixed", first, "http://www.Example.org/1.html", "example.org", "plain", "ok"},
		{"mixed", first, "http://www.Example.org/1.html", "example.org", "bte", "ok"},
		{"pack", "doc-2", "http://gold.example/2.html", "gold.example", "plain", "ok"},
		{"pack", "doc-2", "http://gold.example/2.html", "gold.example", "bte", "ok"},
		{"pack", third, "http://r.example/", "r.example", "plain", "ok"},
		{"pack", third, "http://r.example/", "r.example", "bte", "ok"},
	}
	want[4].pkg, want[5].pkg = "mixed", "mixed"
	if !slices.Equal(got, want) {
		t.Errorf("documents:\n%v\nwant\n%v", got, want)
	}
	if r := rows[2]; r.PageType != "article" || len(r.Spans) == 0 || r.TextChars == 0 {
		t.Errorf("columns of a gold page: %+v", r)
	}
	if r := pages[1]; r.GoldLanguage != "en" || r.PageType != "article" || r.Charset != "utf-8" || r.CharsetSource != "http" ||
		r.Date != "2024-05-01T00:00:00Z" || !strings.HasPrefix(r.RecordID, "<urn:uuid:") && !strings.HasPrefix(r.RecordID, "urn:uuid:") ||
		r.HTTPStatus != 200 || r.PageID != rows[2].PageID || r.DocID != "doc-2" || r.HTMLBytes != rows[2].HTMLBytes || r.SiteBy != "host" {
		t.Errorf("page of a gold page: %+v", r)
	}
	if c := pages[1].Complexity; !(0 < c && c < 1) || !math.IsNaN(pages[0].Complexity) {
		t.Errorf("complexity of a page with gold %v, of one without %v", c, pages[0].Complexity)
	}
	// Only the page with gold is scored.
	scores := table(w, columnar.Scores, reports)
	if len(scores) != 2 || d.Counts.WithGold != 1 || !rows[2].HasGold || rows[0].HasGold || rows[4].HasGold {
		t.Errorf("%d scores, %d pages with gold", len(scores), d.Counts.WithGold)
	}
	for i, s := range scores {
		if s.Package != "pack" || s.Reason != "" || s.F1 < 0.8 {
			t.Errorf("score %d: %+v", i, s)
		}
	}
	if texts := table(w, columnar.Texts, reports); len(texts) != 6 || !strings.Contains(texts[3].Text, "Paragraph 3 of page 2") {
		t.Errorf("%d texts", len(texts))
	}
	var reasons []string
	for _, f := range w.failures(reports) {
		reasons = append(reasons, f.Stage+"/"+f.Reason)
		if f.Reason == "binary-as-html" && (f.Offset != pdf || f.File != d.Item.File.URL) {
			t.Errorf("failure: %+v", f)
		}
	}
	if !slices.Equal(reasons, []string{"payload/binary-as-html", "gold/gold-bad"}) {
		t.Errorf("failures: %v", reasons)
	}
}

// An archive cannot add documents to the package of another one, nor to the total, by
// the names that it writes into its gold.
func TestPackagesOfOtherArchives(t *testing.T) {
	w := newWorld(t)
	for _, a := range []struct{ file, pkg string }{
		{"bench.warc.gz", "bench"}, {"evil.warc.gz", "bench"}, {"pair.warc.gz", "bench"}, {"(all).warc.gz", ""},
		{"total.warc.gz", "(all)"}, {"blank.warc.gz", "bench in pair"},
	} {
		c := newCrawl(t, w.dir, a.file)
		c.page("www.example.org", 1, a.pkg)
		c.close()
	}
	reports, _ := w.work()
	got := map[string]string{}
	for _, r := range w.documents(reports) {
		got[filepath.Base(r.File)] = r.Package
	}
	want := map[string]string{
		"bench.warc.gz": "bench", "evil.warc.gz": "bench in evil", "pair.warc.gz": "bench in pair", "(all).warc.gz": "_(all)",
		"total.warc.gz": "total", "blank.warc.gz": "blank", // their gold is refused
	}
	for file, pkg := range want {
		if f, err := url.PathUnescape(file); err != nil || got[file] != pkg && got[url.PathEscape(f)] != pkg {
			t.Errorf("%s: package %q, want %q (%v)", file, got[file], pkg, got)
		}
	}
	bad := 0
	for _, f := range w.failures(reports) {
		if f.Reason == "gold-bad" {
			bad++
		}
	}
	if bad != 2 {
		t.Errorf("%d gold records are refused, want 2", bad)
	}
}

// The same rows for any split and any number of slots, gold that lies behind
// the end of an item included.
func TestAnySplitGivesTheSameRows(t *testing.T) {
	var want []schemas.Document
	var wantScores []schemas.ScoreRow
	var wantFailures []schemas.Failure
	for i, size := range []int64{1 << 30, 40 << 10, 3000, 700} {
		w := newWorld(t)
		w.opt.Slots = 1 + i
		for name, pages := range map[string]int{"a.warc.gz": 40, "b.warc.gz": 7} {
			c := newCrawl(t, w.dir, name)
			for n := range pages {
				c.page("h.example", n, []string{"", "pack"}[n%2])
				if n%5 == 0 { // gold that is about nothing is damage, wherever the file is cut
					c.gold("<urn:uuid:another>")
				}
				if n%10 == 0 {
					c.response("http://a.example/missing", "404 Not Found", "text/html", "<p>no</p>")
					c.gold("")
					c.gold("")
				}
			}
			c.close()
		}
		w.plan.ItemBytes = size
		reports, _ := w.work()
		if total := conserve(t, reports, 2, 1); total.Pages != 47 {
			t.Errorf("items of %d: %d pages", size, total.Pages)
		}
		rows, scores := w.documents(reports), table(w, columnar.Scores, reports)
		for i := range rows {
			rows[i].File = filepath.Base(rows[i].File) // temporary folders differ
		}
		failures := w.failures(reports)
		for i := range failures {
			failures[i].File = filepath.Base(failures[i].File)
		}
		if want == nil {
			want, wantScores, wantFailures = rows, scores, failures
			if len(failures) != 20 {
				t.Errorf("%d failures, want 20", len(failures))
			}
			continue
		}
		if !slices.Equal(failures, wantFailures) {
			t.Errorf("items of %d bytes (%d of them) give other failures:\n%.3000v\nwant\n%.3000v", size, len(reports), failures, wantFailures)
		}
		// Compared as text: rows without a score hold NaN.
		if got, want := fmt.Sprint(rows, scores), fmt.Sprint(want, wantScores); got != want {
			t.Errorf("items of %d bytes (%d of them) give other rows:\n%.3000s\nwant\n%.3000s", size, len(reports), got, want)
		}
	}
}

// The rows of a published package do not depend on the cut.
func TestRealPackageInAnySplit(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no published packages")
	}
	archive := filepath.Join(t.TempDir(), "cleanportaleval.warc.gz")
	packed(t, filepath.Join(shared, "packages", "cleanportaleval.tar.xz"), archive)
	var want []string
	for _, size := range []int64{64 << 20, 16 << 10} {
		w := newWorld(t)
		w.choose("plain", "none")
		w.plan.Inputs, w.plan.ItemBytes = []string{archive}, size
		reports, _ := w.work()
		var rows []string
		for _, r := range w.documents(reports) {
			rows = append(rows, fmt.Sprint(r.DocID, " ", r.Package, " ", r.TextHash))
		}
		for _, f := range w.failures(reports) {
			rows = append(rows, fmt.Sprintf("%+v", f))
		}
		if want == nil {
			want = rows
		} else if !slices.Equal(rows, want) {
			t.Errorf("%d items give %d rows, one gives %d:\n%q\n%q", len(reports), len(rows), len(want), rows, want)
		}
	}
	if len(want) != 71 {
		t.Errorf("%d documents and failures, want 71 documents", len(want))
	}
}

func TestGoldFromASideFile(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.page("h.example", 2, "")
	c.close()
	side := filepath.Join(t.TempDir(), "gold.jsonl")
	if err := os.WriteFile(side, []byte(`{"url":"http://h.example/2.html","package":"side","text":"Paragraph 1"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := source.ReadGold(t.Context(), w.client, side)
	if err != nil {
		t.Fatal(err)
	}
	w.plan.Recipe.Gold, w.plan.Recipe.GoldDigest = side, s.Digest
	reports, _ := w.work()
	rows := table(w, columnar.Scores, reports)
	if len(rows) != 2 || rows[0].Reason != "" || rows[0].Package != "side" || !strings.HasPrefix(rows[0].DocID, "a:") {
		t.Errorf("%+v", rows)
	}

	w.plan.Recipe.GoldDigest = "another"
	w.plan.Run = "s"
	if w.store, err = w.client.Store(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.plan.Out = w.store.URL()
	w.submit()
	w.opt.Run = "s"
	if err := Run(t.Context(), w.opt); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("another gold file: %v", err)
	}
}

// TestGoldOfSnippets has gold of a page without marked main content.
func TestGoldOfSnippets(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.close()
	side := filepath.Join(t.TempDir(), "gold.jsonl")
	if err := os.WriteFile(side, []byte(`{"url":"http://h.example/1.html","package":"side","text":null,"with":["Paragraph"],"without":["Nowhere"]}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := source.ReadGold(t.Context(), w.client, side)
	if err != nil {
		t.Fatal(err)
	}
	w.choose("bte,plain", "vec,snippet")
	w.plan.Recipe.Gold, w.plan.Recipe.GoldDigest = side, s.Digest
	reports, _ := w.work()
	got := map[string]schemas.ScoreRow{}
	for _, r := range table(w, columnar.Scores, reports) {
		got[r.Extractor+" "+r.Scorer] = r
	}
	if r := got["plain snippet"]; len(got) != 4 || r.Reason != "" || r.Common != 1 || r.Universe != 2 || r.Package != "side" {
		t.Errorf("%+v", got)
	}
	if r := got["plain vec"]; r.Reason != "no_gold" {
		t.Errorf("there is no text to compare with: %+v", r)
	}
}

// TestEnsembles: members that were not chosen have no rows, and an oracle is skipped
// where there is no gold.
func TestEnsembles(t *testing.T) {
	w := newWorld(t)
	w.choose("bte,plain,ensemble-majority:members=bte+plain+lqf-50@2,ensemble-oracle:members=bte+dsc", "vec")
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.page("h.example", 2, "pack")
	c.close()
	reports, _ := w.work()
	var got []string
	for _, d := range w.documents(reports) {
		got = append(got, d.Package+" "+d.Extractor+" "+d.Outcome+" "+d.Reason)
	}
	slices.Sort(got)
	want := []string{
		"a bte ok ", "a ensemble-majority:members=bte+plain+lqf-50@2 ok ", "a ensemble-oracle:members=bte+dsc skipped no_gold", "a plain ok ",
		"pack bte ok ", "pack ensemble-majority:members=bte+plain+lqf-50@2 ok ", "pack ensemble-oracle:members=bte+dsc ok ", "pack plain ok ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	for _, d := range w.documents(reports) {
		if ensemble := strings.HasPrefix(d.Extractor, "ensemble"); ensemble != math.IsNaN(d.ConsensusF1) {
			t.Errorf("%s has consensus %v", d.Extractor, d.ConsensusF1)
		}
	}
}

func TestInputThatIsGone(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"a.warc.gz", "b.warc.gz", "c.warc.gz"} {
		c := newCrawl(t, w.dir, name)
		c.page("h.example", 1, "")
		c.close()
	}
	w.opt.GiveUpAfter = time.Millisecond
	run := w.submit()
	if err := os.Remove(filepath.Join(w.dir, "a.warc.gz")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "b.warc.gz"), []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- Run(t.Context(), w.opt) }()
	reports, dead := w.reports(run)
	w.end(run.ID)
	if err := <-over; err != nil {
		t.Error(err)
	}
	why := map[int]string{}
	for _, d := range dead {
		why[d.Item.File.Index] = d.Stage + "/" + d.Reason
	}
	for _, d := range dead {
		if d.Attempts < 2 {
			t.Errorf("file %d was given up at the first try", d.Item.File.Index)
		}
	}
	if len(reports) != 1 || why[0] != "item/missing" || why[1] != "item/changed" {
		t.Errorf("%d reports, given up %v", len(reports), why)
	}
}

// A record that ends the process is found and left out; all else is in the
// tables. Real processes, because nothing less shows it.
func TestPoison(t *testing.T) {
	w := newWorld(t)
	w.plan.Lease = 1500 * time.Millisecond
	c := newCrawl(t, w.dir, "a.warc.gz")
	var offsets []int64
	for n := range 30 {
		offsets = append(offsets, c.page("h.example", n, "pack"))
	}
	c.close()
	run := w.submit()
	poison := fmt.Sprintf("%d,%d", offsets[4], offsets[17])
	stop, cancel := context.WithCancel(t.Context())
	var deaths int
	var keeper sync.WaitGroup
	keeper.Go(func() { // as a cluster does: what died is started again
		for stop.Err() == nil {
			cmd := exec.CommandContext(stop, os.Args[0])
			cmd.Env = append(os.Environ(), "WORKER_TEST_BROKER="+w.url, "WORKER_TEST_POISON="+poison)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			switch {
			case errors.As(err, &exit) && exit.ExitCode() == 9:
				deaths++
			case err != nil && stop.Err() == nil:
				t.Errorf("worker: %v\n%s", err, out)
				return
			case err == nil:
				return
			}
		}
	})
	reports, dead := w.reports(run)
	w.end(run.ID)
	keeper.Wait()
	cancel()
	if len(dead) != 2 || dead[0].Stage != "record" || dead[0].Reason != "crash" {
		t.Errorf("given up: %+v", dead)
	}
	if total := conserve(t, reports, 2, 1); total.Pages != 28 {
		t.Errorf("%d pages, want 28", total.Pages)
	}
	// One before a journal is kept; then for each record one that makes it suspect, and
	// three at it alone.
	if want := 1 + 2*(1+crashesAlone); deaths != want {
		t.Errorf("the process ended %d times, want %d", deaths, want)
	}
	var lost []int64
	for _, f := range w.failures(reports) {
		if f.Stage == "record" && f.Reason == "crash" {
			lost = append(lost, f.Offset)
		}
	}
	if !slices.Equal(lost, []int64{offsets[4], offsets[17]}) {
		t.Errorf("failures at %v, want %d and %d", lost, offsets[4], offsets[17])
	}
}

// oneItem is a run of one item with one page, and where to get it from.
func oneItem(t *testing.T, lease time.Duration) (*world, *queue.Puller) {
	t.Helper()
	w := newWorld(t)
	w.plan.Lease = lease
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.close()
	p, err := w.q.Pull(t.Context(), w.submit())
	if err != nil {
		t.Fatal(err)
	}
	return w, p
}

func TestWorkersShareRunsAndLeaveInOrder(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	for n := range 60 {
		c.page("h.example", n, "")
	}
	c.close()
	w.plan.ItemBytes = 1000
	runs := []*schemas.Run{w.submit()}
	for _, id := range []schemas.RunID{"s", "t.2"} {
		var err error
		if w.store, err = w.client.Store(t.Context(), t.TempDir()); err != nil {
			t.Fatal(err)
		}
		w.plan.Run, w.plan.Out = id, w.store.URL()
		runs = append(runs, w.submit())
	}
	// The first worker is told to stop in the middle of a page: it finishes its
	// items, settles them and takes no more.
	ctx, stop := context.WithCancel(t.Context())
	first := w.opt
	first.Slots = 1
	var begun int
	tasks := w.tasks
	tasks.BeforePage = func(string, schemas.Location) {
		if begun++; begun == 5 {
			stop()
		}
	}
	first.Tasks = NewTasks(tasks)
	if err := Run(ctx, first); err != nil {
		t.Error(err)
	}
	for _, run := range runs {
		b, err := w.q.Backlog(t.Context(), run.ID, run.Phase)
		if err != nil || b.Working != 0 {
			t.Errorf("run %s after the first worker left: %+v %v", run.ID, b, err)
		}
	}
	// Two others do the rest of all runs.
	over := make(chan error, 2)
	for range 2 {
		go func() { over <- Run(t.Context(), w.opt) }()
	}
	for _, run := range runs {
		reports, _ := w.reports(run)
		if total := conserve(t, reports, 2, 1); total.Pages != 60 {
			t.Errorf("run %s: %d pages", run.ID, total.Pages)
		}
		for id, d := range reports {
			if d.Attempt != 1 {
				t.Errorf("run %s: item %s took %d attempts", run.ID, id, d.Attempt)
			}
		}
		w.end(run.ID)
	}
	for range 2 {
		if err := <-over; err != nil {
			t.Error(err)
		}
	}
}

func TestRunsOfAnotherBuildAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.close()
	w.plan.Recipe.Build = "newer"
	w.submit()
	w.opt.Run = "r"
	if err := Run(t.Context(), w.opt); err == nil || !strings.Contains(err.Error(), `"newer"`) {
		t.Errorf("%v", err)
	}
	w.opt.Run = "" // the end of another run does not end the worker
	if err := Run(t.Context(), w.opt); err != nil {
		t.Error(err)
	}
}
