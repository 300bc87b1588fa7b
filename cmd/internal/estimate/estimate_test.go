package estimate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// planned writes an archive of so many pages, each with its gold, and plans a run of it
// with two extractors and three scorers.
func planned(t *testing.T, blobs *blob.Client, pages int) (*schemas.Run, blob.Store, Options) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "crawl.warc.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := write.NewWriter(f)
	for n := range pages {
		url, text := fmt.Sprintf("http://h.example/%d", n), "grain"
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}},
			[]byte("<p>Page "+strings.Repeat(fmt.Sprint(n*7919, " grain "), 50)))
		if err != nil {
			t.Fatal(err)
		}
		id := write.ID(url)
		if err := w.Write(&write.Record{Type: "response", ID: id, Date: time.Unix(0, 0), TargetURI: url, ContentType: "application/http; msgtype=response", Block: block}); err != nil {
			t.Fatal(err)
		}
		if err := gold.WriteGold(w, &schemas.Gold{Version: 1, Package: "p", ID: fmt.Sprint(n), Text: &text}, id, url, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := choose.Extractors(suite.Extractors(), "plain,bte")
	if err != nil {
		t.Fatal(err)
	}
	s, err := choose.Scorers(suite.Scorers(), "vec,set,str")
	if err != nil {
		t.Fatal(err)
	}
	r := schemas.Recipe{Version: schemas.Version, Extractors: []schemas.Method{{Name: "plain"}}, PackageBy: schemas.ByFile, SiteBy: schemas.ByHost}
	r.Extractors, r.Scorers = recipe.Methods(x, s)
	scratch, err := blobs.Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run, err := ingest.Plan(t.Context(), blobs, ingest.Options{Run: "r", Inputs: []string{name}, Store: scratch, Recipe: r})
	if err != nil {
		t.Fatal(err)
	}
	return run, scratch, Options{Local: local.Options{
		Blobs: blobs, Worker: worker.Options{Slots: 1}, Extract: extract.Options{Extractors: suite.Extractors(), Scorers: suite.Scorers()},
	}}
}

// TestWholeInputIsCounted checks that nothing is predicted if the sample has all pages.
func TestWholeInputIsCounted(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run, scratch, opt := planned(t, blobs, 40)
	e, err := Of(t.Context(), run, scratch, opt)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[schemas.Table]int64{}
	for _, table := range e.Tables {
		rows[table.Name] = table.Rows
	}
	if e.Pages != 40 || rows[schemas.TablePages] != 40 || rows[schemas.TableDocuments] != 80 || rows[schemas.TableScores] != 240 {
		t.Errorf("%d pages, rows %v", e.Pages, rows)
	}
	if e.Sample.Share != 1 || e.Sample.Bytes != run.Sealed.Bytes || e.ReadBytes != run.Sealed.Bytes || e.Workers != 1 {
		t.Errorf("%+v", e)
	}
}

// TestHours checks the arithmetic of what follows from the measured figures.
func TestHours(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run, scratch, opt := planned(t, blobs, 40)
	opt.Workers = 4
	e, err := Of(t.Context(), run, scratch, opt)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("core-hours", e.CoreHours, e.Sample.CPUSeconds/3600)
	near("hours", e.Hours, e.CoreHours/4)
}

// TestSampleStandsForTheWhole checks that a sample has at most the bytes that it may have,
// apart from the last record of each range, is the same each time, and gives all pages.
func TestSampleStandsForTheWhole(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run, scratch, opt := planned(t, blobs, 2000)
	opt.Bytes = run.Sealed.Bytes / 4
	var first *Estimate
	for range 2 {
		e, err := Of(t.Context(), run, scratch, opt)
		if err != nil {
			t.Fatal(err)
		}
		if e.Pages < 1950 || e.Pages > 2050 || e.Sample.Ranges != ranges || e.Sample.Share < .2 || e.Sample.Share > .27 {
			t.Errorf("%d pages of 2000, sample %+v", e.Pages, e.Sample)
		}
		if first == nil {
			first = e
		} else if e.Sample.Bytes != first.Sample.Bytes || e.Sample.Pages != first.Sample.Pages {
			t.Errorf("another sample: %+v, then %+v", first.Sample, e.Sample)
		}
	}
}

// TestFilesThatAreReadAsAWhole checks that such a file is in the sample only if it fits.
func TestFilesThatAreReadAsAWhole(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run, scratch, opt := planned(t, blobs, 100)
	run.Files[0].Split, run.Files[0].Items = false, 1
	opt.Bytes = run.Sealed.Bytes - 1
	if _, err := Of(t.Context(), run, scratch, opt); err == nil || !strings.Contains(err.Error(), "choose a larger one") {
		t.Errorf("a sample of nothing: %v", err)
	}
	opt.Bytes = run.Sealed.Bytes
	if e, err := Of(t.Context(), run, scratch, opt); err != nil || e.Pages != 100 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestLocations(t *testing.T) {
	run := &schemas.Run{Files: []schemas.File{
		{URL: "a", Size: 10, Split: true},
		{URL: "gone", Size: 100, Refused: "not-warc"},
		{URL: "b", Size: 170, Range: schemas.Range{Start: 100, End: 170}, Split: true},
		{URL: "c", Size: 20},
	}, Sealed: schemas.Sealed{Bytes: 100}}
	for n, want := range map[int]string{
		5:  "[b0 b20 b40 b60 c0]", // bytes 10, 30, 50, 70 and 90 of all
		20: "[a2 a7 b2 b7 b12 b17 b22 b27 b32 b37 b42 b47 b52 b57 b62 b67 c0]",
	} {
		var got []string
		for _, l := range locations(run, n) {
			start, _ := l.file.Bounds()
			got = append(got, fmt.Sprint(l.file.URL, l.offset-start))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%d: %v, want %s", n, got, want)
		}
	}
}

func TestNothingToEstimateFrom(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run, scratch, opt := planned(t, blobs, 3)
	if e, err := Of(t.Context(), &schemas.Run{}, scratch, opt); e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
	opt.Bytes = 1000
	run.Files[0].URL += ".gone"
	run.Sealed.Bytes = 5000
	if _, err := Of(t.Context(), run, scratch, opt); err == nil || !strings.Contains(err.Error(), "crawl.warc.gz.gone") {
		t.Errorf("a file that is gone: %v", err)
	}
}
