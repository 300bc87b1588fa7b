package cmd

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSharesOfAnInput divides an input into two runs. Two aggregators, each of which takes
// a run that no other has, and one worker for both runs give the rows of one run of the whole
// input.
func TestSharesOfAnInput(t *testing.T) {
	t.Parallel()
	setup(t)
	port, dir := freePort(t), t.TempDir()
	url := "nats://127.0.0.1:" + port
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	shares := map[string]string{"one": "1/2", "two": "2/2"}
	for run, share := range shares {
		args := []string{"--nats", url, "--run", run, "--out", filepath.Join(dir, run), "--share", share}
		start(t, "ingest", append(append(args, built.recipe...), built.in)...).ends(0)
	}
	var all []*process
	for _, name := range []string{"worker", "aggregate", "aggregate"} {
		all = append(all, start(t, name, "--nats", url, "--exit-when-done"))
	}
	for _, p := range all {
		p.ends(0)
	}
	var got []string
	for run := range shares {
		rows, err := tables(filepath.Join(dir, run))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(rows, "\n"); n < 1000 {
			t.Errorf("run %s has %d rows", run, n)
		}
		rows = strings.NewReplacer("{Run:"+run+" ", "{Run:r ", `"run":"`+run+`"`, `"run":"r"`).Replace(rows)
		got = append(got, strings.Split(rows, "\n")...)
	}
	want := strings.Split(built.want, "\n")
	got = slices.DeleteFunc(got, func(row string) bool { return row == "" })
	want = slices.DeleteFunc(want, func(row string) bool { return row == "" })
	slices.Sort(got)
	slices.Sort(want)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%d and %d rows; row %d:\n%.600s\nwant\n%.600s", len(got), len(want), i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
}
