package local

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// TestMain lets the test binary be a process that another test kills: see
// TestKilledRunGoesOn and TestOneProcessWorksInAFolder.
func TestMain(m *testing.M) {
	if folder := os.Getenv("LOCAL_TEST_LOCK"); folder != "" {
		_, err := take(filepath.Join(folder, stateFolder), folder, slog.New(slog.DiscardHandler))
		fmt.Println("held:", err)
		select {} // waits to be killed
	}
	if out := os.Getenv("LOCAL_TEST_OUT"); out != "" {
		log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))
		opt := options(out, os.Getenv("LOCAL_TEST_IN"), "r")
		if poison := os.Getenv("LOCAL_TEST_POISON"); poison != "" {
			learnsUntil(&opt, poison)
		}
		opt.Log = log
		_, err := Run(context.Background(), opt)
		fmt.Println("ended:", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func options(out, in string, id schemas.RunID) Options {
	x, err := choose.Extractors(suite.Extractors(), "plain,bte,justext")
	if err != nil {
		panic(err)
	}
	s, err := choose.Scorers(suite.Scorers(), "vec")
	if err != nil {
		panic(err)
	}
	r := schemas.Recipe{Version: schemas.Version, Build: "test", PackageBy: schemas.ByHost, SiteBy: schemas.ByHost, Texts: schemas.TextsJSONLines}
	r.Extractors, r.Scorers = recipe.Methods(x, s)
	r.Facts = recipe.Facts(suite.Facts())
	r.Keep = "words > 400 or noindex" // fulfilled by some of the texts in this test
	opt := Options{
		Blobs:  blob.New(blob.Options{}),
		Plan:   ingest.Options{Run: id, Out: out, Recipe: r, ItemBytes: 10 << 10},
		Worker: worker.Options{Slots: 2}, Extract: extract.Options{Extractors: suite.Extractors(), Scorers: suite.Scorers(), Facts: suite.Facts()},
	}
	if in != "" {
		opt.Plan.Inputs = []string{in}
	}
	return opt
}

// crawl writes two archives with the given number of pages each, every third with gold.
func crawl(t *testing.T, pages int) string {
	t.Helper()
	dir := t.TempDir()
	for _, host := range []string{"a.example", "b.example"} {
		f, err := os.Create(filepath.Join(dir, host+".warc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		w := write.NewWriter(f)
		for n := range pages {
			url := fmt.Sprintf("http://%s/%d", host, n)
			var text strings.Builder
			for i := range 20 + n%9 {
				fmt.Fprintf(&text, "<p>Sentence %d of page %d on %s is about grain, %d times, and about the wind.</p>\n", i, n, host, (i*n)%101)
			}
			block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}},
				[]byte("<html><body><ul><li>menu</ul>"+text.String()+"</body></html>"))
			if err != nil {
				t.Fatal(err)
			}
			id := write.ID(host, fmt.Sprint(n))
			if err := w.Write(&write.Record{Type: "response", ID: id, Date: time.Unix(0, 0), TargetURI: url, ContentType: "application/http; msgtype=response", Block: block}); err != nil {
				t.Fatal(err)
			}
			if n%3 == 0 {
				content := "grain and the wind"
				g := &schemas.Gold{Version: 1, Package: "pack", ID: fmt.Sprintf("%s-%d", host, n), URL: url, Text: &content}
				if err := gold.WriteGold(w, g, id, url, time.Unix(0, 0)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tables returns all rows of a finished run as text, without times.
func tables(t *testing.T, out string) string {
	t.Helper()
	store, err := blob.New(blob.Options{}).Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ingest.Manifest(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	if m.Finished.IsZero() {
		t.Error("the run is not finished")
	}
	var b bytes.Buffer
	for _, p := range m.Parts {
		for _, f := range p.Files {
			switch f.Table {
			case schemas.TablePages:
				each(t, store, f.Name, columnar.PagesOf(&m.Run.Recipe), func(r *schemas.Page) {
					r.ParseNS, r.FactsNS = 0, 0
					fmt.Fprintf(&b, "%+v\n", *r)
				})
			case schemas.TableDocuments:
				each(t, store, f.Name, columnar.DocumentsOf(&m.Run.Recipe), func(r *schemas.Document) {
					r.ParseNS, r.FeatureNS, r.ExtractNS = 0, 0, 0
					fmt.Fprintf(&b, "%+v\n", *r)
				})
			case schemas.TableScores:
				each(t, store, f.Name, columnar.Scores, func(r *schemas.ScoreRow) { fmt.Fprintf(&b, "%+v\n", *r) })
			case schemas.TableLinks:
				each(t, store, f.Name, columnar.Links, func(r *schemas.LinkRow) { fmt.Fprintf(&b, "%+v\n", *r) })
			case schemas.TableTexts:
				data, err := blob.ReadAll(t.Context(), store, f.Name, 1<<30)
				if err != nil {
					t.Fatal(err)
				}
				z, err := zstd.NewReader(bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := z.WriteTo(&b); err != nil {
					t.Fatal(err)
				}
				z.Close()
			}
		}
	}
	return b.String()
}

func each[T any](t *testing.T, store blob.Store, name string, table *columnar.Table[T], f func(*T)) {
	t.Helper()
	file, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := columnar.NewReader(table, file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		f(row)
	}
}

func run(t *testing.T, opt Options) *stats.Summary {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	s, err := Run(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s: %d and %d rows; row %d:\n%s\nwant\n%s", what, len(g), len(w), i, g[i], w[i])
		}
	}
	t.Fatalf("%s: %d rows, want %d", what, len(g), len(w))
}

func TestRun(t *testing.T) {
	in, out := crawl(t, 60), t.TempDir()
	s := run(t, options(out, in, "r"))
	// Two packages of pages without gold, and one of pages with gold in each archive.
	if s.Pages != 120 || s.Refused != 0 || len(s.Packages) != 4 || len(s.Packages[0].Extractors) != 3 {
		t.Errorf("%+v", s)
	}
	want := tables(t, out)
	if n := strings.Count(want, "Extractor:bte"); n != 120+40 { // documents, and scores of those with gold
		t.Errorf("%d rows of bte, want 160", n)
	}
	for _, name := range []string{"_SUCCESS", "run.json", "packages.parquet", "agreement.parquet", "report.html"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, stateFolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the broker's store is still there: %v", err)
	}

	// A second call returns the result at once, from the tables.
	again := run(t, options(out, in, "r"))
	if fmt.Sprint(again.Pages, len(again.Packages)) != fmt.Sprint(s.Pages, len(s.Packages)) {
		t.Errorf("the finished run again: %+v", again)
	}
	// Items of other sizes, and another number of workers, give the same rows.
	for i, size := range []int64{1 << 30, 3000} {
		opt := options(t.TempDir(), in, "r")
		opt.Plan.ItemBytes, opt.Worker.Slots = size, 1+i*3
		run(t, opt)
		same(t, fmt.Sprintf("items of %d bytes", size), tables(t, opt.Plan.Out), want)
	}
	// The folder refuses a run of another name.
	if _, err := Run(t.Context(), options(out, in, "s")); !errors.Is(err, ingest.ErrOther) {
		t.Errorf("another run in the same folder: %v", err)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	in := crawl(t, 150)
	whole := options(t.TempDir(), in, "r")
	run(t, whole)

	opt := options(t.TempDir(), in, "r")
	ctx, cancel := context.WithCancel(t.Context())
	pages := 0
	opt.Worker.Slots = 1
	opt.Extract.BeforePage = func(string, schemas.Location) {
		if pages++; pages == 40 {
			cancel()
		}
	}
	if _, err := Run(ctx, opt); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if pages < 40 || pages > 100 {
		t.Errorf("%d pages were worked on: what was begun is finished, and no more", pages)
	}
	first := pages
	opt.Extract.BeforePage = func(string, schemas.Location) { pages++ }
	opt.Plan.Inputs = nil // the plan is in the output folder
	s := run(t, opt)
	if s.Pages != 300 || pages != 300 {
		t.Errorf("%d pages in the tables, %d worked on (%d before the end): none may be done twice", s.Pages, pages, first)
	}
	same(t, "interrupted", tables(t, opt.Plan.Out), tables(t, whole.Plan.Out))
}

// TestKilledRunGoesOn checks that a run whose process is killed continues, with its
// broker's store or without it.
func TestKilledRunGoesOn(t *testing.T) {
	in := crawl(t, 400)
	whole := options(t.TempDir(), in, "r")
	run(t, whole)
	want := tables(t, whole.Plan.Out)
	for _, lost := range []bool{false, true} {
		if lost && testing.Short() {
			break // the race detector sees the same goroutines in both cases
		}
		opt := options(t.TempDir(), in, "r")
		ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), "LOCAL_TEST_OUT="+opt.Plan.Out, "LOCAL_TEST_IN="+in)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		items := 0
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if strings.Contains(lines.Text(), "item done") {
				if items++; items == 5 {
					if err := cmd.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if strings.HasPrefix(lines.Text(), "ended:") {
				t.Fatalf("the process was to be killed: %s", lines.Text())
			}
		}
		_ = cmd.Wait()
		if lost {
			if err := os.RemoveAll(filepath.Join(opt.Plan.Out, stateFolder)); err != nil {
				t.Fatal(err)
			}
		}
		if s := run(t, opt); s.Pages != 800 || s.Dead != 0 {
			t.Errorf("store lost %v: %+v", lost, s)
		}
		same(t, fmt.Sprintf("store lost: %v", lost), tables(t, opt.Plan.Out), want)
	}
}

func TestPlanPublishesNothing(t *testing.T) {
	in, out := crawl(t, 3), t.TempDir()
	p, err := Plan(t.Context(), options(out, in, "r"))
	if err != nil || p.Sealed.Files != 2 {
		t.Fatal(p, err)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := Plan(t.Context(), options(out, "", "r")); !errors.Is(err, ErrNothing) {
		t.Errorf("no inputs: %v", err)
	}
	opt := options(out, in, "r")
	opt.Worker.Slots = -1
	if _, err := Plan(t.Context(), opt); err == nil {
		t.Error("minus one worker was taken")
	}
}

func TestDamagedStoreIsThrownAway(t *testing.T) {
	in, out := crawl(t, 3), t.TempDir()
	dir := storeDir(out)
	// Here is a file where the server needs a folder.
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, []byte("no folder"), 0o666); err != nil {
		t.Fatal(err)
	}
	if s := run(t, options(out, in, "r")); s.Pages != 6 {
		t.Errorf("%+v", s)
	}
}
