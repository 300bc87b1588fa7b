package estimate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// plan writes an archive of so many pages, each with its gold, and plans a run of it.
func plan(t *testing.T, blobs *blob.Client, pages int, itemBytes int64) *schemas.Run {
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
	run, err := ingest.Plan(t.Context(), blobs, ingest.Options{Run: "r", Inputs: []string{name}, Out: t.TempDir(), ItemBytes: itemBytes,
		Recipe: schemas.Recipe{Version: schemas.Version, PackageBy: "file"}})
	if err != nil {
		t.Fatal(err)
	}
	choose(t, run, "plain,bte")
	return run
}

// choose makes a run use the named extractors and three scorers.
func choose(t *testing.T, run *schemas.Run, extractors string) {
	t.Helper()
	x, err := algorithms.ChooseExtractors(suite.Extractors(), extractors)
	if err != nil {
		t.Fatal(err)
	}
	s, err := algorithms.ChooseScorers(suite.Scorers(), "vec,set,str")
	if err != nil {
		t.Fatal(err)
	}
	run.Recipe.Extractors, run.Recipe.Scorers = recipe.Methods(x, s)
}

func options(blobs *blob.Client) Options {
	return Options{Blobs: blobs, Extractors: suite.Extractors(), Scorers: suite.Scorers(), Time: time.Hour}
}

// What is seen whole is counted, not estimated.
func TestWholeInputIsCounted(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	for _, c := range []struct{ pages, locations int }{{1, 1}, {40, 1}, {40, 8}} {
		run := plan(t, blobs, c.pages, 1<<30)
		opt := options(blobs)
		opt.Locations = c.locations
		e, err := Of(t.Context(), run, opt)
		if err != nil {
			t.Fatal(err)
		}
		n := int64(c.pages)
		if e.Pages != n || e.Documents != 2*n || e.Scores != 6*n || e.Sampled != n || e.SampledBytes != run.Sealed.Bytes || e.CoreSeconds <= 0 {
			t.Errorf("%d pages: %+v of %d bytes", c.pages, e, run.Sealed.Bytes)
		}
		run.Recipe.Learn = &schemas.Learn{}
		twice, err := Of(t.Context(), run, opt)
		if err != nil || twice.Pages != n {
			t.Errorf("with a phase scan: %v, %+v", err, twice)
		}
	}
}

// Locations in a file that is cut begin anywhere: from there to the end all is read.
func TestPartsStandForTheWhole(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run := plan(t, blobs, 400, 1<<10)
	opt := options(blobs)
	opt.Locations = 4
	e, err := Of(t.Context(), run, opt)
	if err != nil {
		t.Fatal(err)
	}
	if e.Pages < 395 || e.Pages > 405 {
		t.Errorf("%+v: pages are alike, so every part tells of all 400", e)
	}
	opt.Time = time.Nanosecond
	if e, err = Of(t.Context(), run, opt); err != nil || e.SampledBytes <= 0 || e.SampledBytes >= run.Sealed.Bytes/4 || e.Pages < 300 || e.Pages > 500 {
		t.Errorf("without time, one page is read at each location: %v, %+v", err, e)
	}
}

// Extractors whose library the program does not contain are named, and their rows are
// counted. So are ensembles that have one of them as a member.
func TestLibrariesThatAreNotLinked(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	run := plan(t, blobs, 3, 1<<30)
	choose(t, run, "plain,trafilatura,ensemble-best,ensemble-best:members=plain+bte")
	e, err := Of(t.Context(), run, options(blobs))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"trafilatura", "ensemble-best"}; !slices.Equal(e.Unmeasured, want) || e.Documents != 12 || e.Scores != 36 || e.Sampled != 3 {
		t.Errorf("%+v, want %v unmeasured", e, want)
	}
}

func TestLocations(t *testing.T) {
	run := &schemas.Run{Files: []schemas.File{
		{URL: "a", Size: 10, Items: 1, Split: true},
		{URL: "gone", Size: 100, Refused: "not-warc"},
		{URL: "b", Size: 70, Items: 7, Split: true},
		{URL: "c", Size: 20, Items: 1},
	}, Sealed: schemas.Sealed{Bytes: 100}}
	var got []string
	for _, p := range locations(run, 5) { // bytes 10, 30, 50, 70, 90 of all
		got = append(got, fmt.Sprint(p.file.URL, p.offset))
	}
	if want := "[b0 b20 b40 b60 c0]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	got = nil
	for _, p := range locations(run, 20) { // 2.5, 7.5 … 97.5
		got = append(got, fmt.Sprint(p.file.URL, p.offset))
	}
	if want := "[a0 b2 b7 b12 b17 b22 b27 b32 b37 b42 b47 b52 b57 b62 b67 c0]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestNothingToEstimateFrom(t *testing.T) {
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	if e, err := Of(t.Context(), &schemas.Run{}, options(blobs)); e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
	run := plan(t, blobs, 3, 1<<30)
	run.Files[0].URL += ".gone"
	if _, err := Of(t.Context(), run, options(blobs)); err == nil || !strings.Contains(err.Error(), "crawl.warc.gz.gone") {
		t.Errorf("a file that has gone: %v", err)
	}
}
