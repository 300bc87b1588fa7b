package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/schemas"
)

// documents returns the rows of documents of some output folders, sorted, without what
// depends on the run or on time.
func documents(t *testing.T, outs ...string) (rows []string) {
	t.Helper()
	for _, out := range outs {
		eachDocument(t, out, func(r *schemas.Document) {
			rows = append(rows, fmt.Sprintf("%s %s %s %d %s %s %x %d", r.Package, r.DocID, r.Extractor, r.Offset, r.Outcome, r.Reason, r.TextHash, r.PageID))
		})
	}
	slices.Sort(rows)
	return rows
}

// What a run gave up is done again by one other run: together they have every row of an
// undisturbed run once, under the same names. No third run does it again.
func TestWhatFailedIsDoneAgainOnce(t *testing.T) {
	in := crawl(t, 150)
	data, err := os.ReadFile(filepath.Join(in, "a.example.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, "c.warc.gz"), data[:len(data)/3], 0o644); err != nil {
		t.Fatal(err)
	}
	hidden := filepath.Join(in, "hidden") // where the third archive is while it is missing
	var inputs []string
	for _, name := range []string{"a.example", "b.example", "c"} {
		inputs = append(inputs, filepath.Join(in, name+".warc.gz"))
	}
	// While the program is broken, it panics at pages in the middle of each archive.
	var broken atomic.Bool
	panics := func(_ string, at schemas.Location) {
		if broken.Load() && at.Offset > int64(len(data))*2/5 && at.Offset < int64(len(data))*3/5 {
			panic("broken")
		}
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	opt := func(name string) Options {
		o := options(at(name), "", schemas.RunID(name))
		o.Plan.Inputs, o.Plan.KeepGoing, o.Worker.GiveUpAfter = inputs, true, time.Millisecond
		o.Extract.BeforePage = panics
		return o
	}
	retry := func(name, of string) Options {
		o := opt(name)
		o.Plan.Inputs, o.Plan.RetryFailed, o.Plan.ItemBytes = nil, at(of), 3<<10
		return o
	}
	if sum, err := Run(t.Context(), opt("whole")); err != nil || sum.Dead != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	want := documents(t, at("whole"))

	broken.Store(true)
	if err := os.Rename(inputs[2], hidden); err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), opt("first"))
	if err != nil || sum.Dead < 2 {
		t.Fatalf("%+v, %v; want items that were given up", sum, err)
	}
	got := documents(t, at("first"))
	if len(got) == 0 || len(got) >= len(want) {
		t.Fatalf("%d rows of %d", len(got), len(want))
	}

	// The program is still broken: the second run gives the same up, and is the one to retry.
	if err := os.Rename(hidden, inputs[2]); err != nil {
		t.Fatal(err)
	}
	if sum, err = Run(t.Context(), retry("second", "first")); err != nil || sum.Dead == 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	broken.Store(false)
	var taken *ingest.TakenUpError
	if _, err := Run(t.Context(), retry("other", "first")); !errors.As(err, &taken) || taken.By.Run != "second" {
		t.Fatalf("a second run retries the first: %v", err)
	}
	if sum, err = Run(t.Context(), retry("third", "second")); err != nil || sum.Dead != 0 || len(sum.Losses) != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	if got := documents(t, at("first"), at("second"), at("third")); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if _, err := Run(t.Context(), retry("third", "second")); err != nil {
		t.Errorf("the same run again: %v", err)
	}
	if _, err := Run(t.Context(), retry("fourth", "third")); !errors.Is(err, ingest.ErrNothingFailed) {
		t.Errorf("nothing was given up: %v", err)
	}

	store, err := opt("third").Blobs.Store(t.Context(), at("third"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ingest.Manifest(t.Context(), store)
	if err != nil || m.Run.RetryOf == nil || m.Run.RetryOf.Run != "second" || !strings.HasSuffix(m.Run.RetryOf.Out, "/second") {
		t.Errorf("%+v, %v", m.Run.RetryOf, err)
	}
	// A later night leaves out what both together have done.
	night := opt("night")
	night.Plan.OnlyNew = []string{dir}
	if sum, err := Run(t.Context(), night); err != nil || sum.Pages != 0 || len(sum.Skipped) != 3 {
		t.Errorf("%+v, %v", sum, err)
	}
}
