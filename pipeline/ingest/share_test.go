package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// TestSharesReadEveryFileOnce divides an input into shares: together they have every file
// once, also those that cannot be read and those that an earlier run has done.
func TestSharesReadEveryFileOnce(t *testing.T) {
	client := blob.New(blob.Options{})
	defer client.Close()
	in := t.TempDir()
	for i := range 11 {
		put(t, in, fmt.Sprintf("%02d.warc", i), "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
	}
	put(t, in, "05.warc", "no archive")
	plan := func(share Share, onlyNew ...string) *schemas.Run {
		t.Helper()
		run, err := Plan(t.Context(), client, Options{Run: "r", Inputs: []string{in}, Out: t.TempDir(), Recipe: schemas.Recipe{Build: "test", Extractors: []schemas.Method{{Name: "plain"}}}, KeepGoing: true, Share: share, OnlyNew: onlyNew})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	whole := plan(Share{})
	for _, of := range []int{1, 2, 3, 11, 13} {
		var got []string
		for number := 1; number <= of; number++ {
			run := plan(Share{number, of})
			if n := len(run.Files); n < 11/of || n > 11/of+1 || run.Sealed.Files != n {
				t.Errorf("share %d/%d has %d files", number, of, n)
			}
			got = append(got, strings.Fields(inPlan(run))...)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != inPlan(whole) {
			t.Errorf("%d shares have %q, want %q", of, got, inPlan(whole))
		}
	}
	// What an earlier run has done does not move files from one share to another.
	done := filepath.Join(t.TempDir(), "first")
	finish(t, done, plan(Share{1, 3}))
	for number, want := range []string{"03.warc", "", ""} {
		run := plan(Share{number + 1, 3}, done)
		before := plan(Share{number + 1, 3})
		if len(run.Files)+len(run.Skipped) != len(before.Files) || number > 0 && inPlan(run) != inPlan(before) || number == 0 && !strings.Contains(leftOut(run), want) {
			t.Errorf("share %d: reads %q, leaves out %q; without the earlier run it reads %q", number+1, inPlan(run), leftOut(run), inPlan(before))
		}
	}
	// Names are those among the files of all shares.
	put(t, in, "same.warc", "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
	other := filepath.Join(in, "below")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, other, "same.warc", "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
	called := map[string]string{}
	for _, f := range plan(Share{}).Files {
		called[f.URL] = f.Name
	}
	for number := range 13 {
		run := plan(Share{number + 1, 13})
		if len(run.Files) != 1 || run.Files[0].Name != called[run.Files[0].URL] || run.Alone() {
			t.Errorf("share %d: %+v", number+1, run.Files)
		}
	}
	for _, bad := range []Share{{0, 3}, {4, 3}, {1, 0}, {-1, -1}} {
		if _, err := Plan(t.Context(), client, Options{Run: "r", Inputs: []string{in}, Recipe: schemas.Recipe{Build: "test", Extractors: []schemas.Method{{Name: "plain"}}}, Share: bad}); err == nil {
			t.Errorf("share %+v is taken", bad)
		}
	}
}
