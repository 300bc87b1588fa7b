package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/cmd/internal/runs"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// A cluster that reads from a bucket and writes to one loses an archive in the middle of a
// run. What it gave up is done again by another run when the archive is back: together
// they have every row once, with the templates that the first one learned. The verbs for
// output folders see both runs in their bucket.
func TestWhatFailedInABucketIsDoneAgain(t *testing.T) {
	t.Parallel()
	sites := setupLearning(t)
	for name, input := range map[string]string{"archives": "in/", "records of an index": "in/sites.cdxj"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "archives" {
				long(t) // an index leads to the same archives
			}
			settings := bucketServers["s3"](t)
			at := func(bucket, key string) string { return "s3://" + bucket + "/" + key + settings }
			client := blob.New(blob.Options{})
			t.Cleanup(func() { client.Close() })
			crawls, err := client.Store(t.Context(), at("crawls", "in"))
			if err != nil {
				t.Fatal(err)
			}
			upload(t, crawls, sites.in)
			list := filepath.Join(t.TempDir(), "sites.cdxj")
			if err := index(list, sites.in); err != nil {
				t.Fatal(err)
			}
			upload(t, crawls, filepath.Dir(list))
			of := &task{in: at("crawls", input), recipe: sites.recipe}
			whole := at("tables", "whole")
			winnow(t, 0, slices.Concat([]string{"run", "--run", "whole", "--out", whole}, of.recipe, []string{of.in})...)
			want := sorted(t, whole)

			// The last archive is gone when its items are to be extracted.
			const lost = "3.warc.gz"
			c := newClusterTo(t, of, at("tables", "nightly/first"), 1, "--give-up-after", "1ms")
			c.reachPhase(schemas.PhaseExtract, 2)
			c.workers[0].kill()
			if err := crawls.Delete(t.Context(), lost); err != nil {
				t.Fatal(err)
			}
			c.workers[0].start()
			c.aggregate.ends(3) // items are dead
			if said := c.aggregate.out.String(); !strings.Contains(said, "the report is s3://tables/nightly/first/report.html?") {
				t.Errorf("aggregate: %s", tail(said))
			}
			c.workers[0].ends(0)
			got := sorted(t, c.out)
			if len(got) == 0 || len(got) >= len(want) {
				t.Fatalf("%d rows of %d: the loss of an archive does not show", len(got), len(want))
			}

			upload(t, crawls, sites.in)
			again := at("tables", "nightly/again")
			start(t, "ingest", "--nats", c.url, "--run", "again", "--out", again, "--retry-failed", c.out).ends(0)
			worker := start(t, "worker", "--nats", c.url, "--run", "again", "--exit-when-done")
			start(t, "aggregate", "--nats", c.url, "--run", "again", "--exit-when-done", "--quiet", "1s").ends(0)
			worker.ends(0)
			got = append(got, sorted(t, again)...)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("both runs together have %d rows, want %d", len(got), len(want))
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Fatalf("the first that differs:\n%.1500swant\n%.1500s", got[i], want[i])
					}
				}
			}
			verbsOfABucket(t, client, at, c.out, again)
		})
	}
}

// upload writes the files of a folder to a store.
func upload(t *testing.T, to blob.Store, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err == nil {
			_, err = blob.WriteAll(t.Context(), to, e.Name(), data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runID is in the rows of all tables.
var runID = regexp.MustCompile(`"run":"[a-z]+",|\bRun:[a-z]+ `)

// sorted returns the rows of a run as text, without its id, sorted.
func sorted(t *testing.T, out string) []string {
	t.Helper()
	rows, err := tables(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(runID.ReplaceAllString(rows, "")))
	slices.Sort(lines)
	return lines
}

// verbsOfABucket lists, shows, verifies and deletes the runs first and again of the folder
// nightly, of which again has done what first gave up.
func verbsOfABucket(t *testing.T, client *blob.Client, at func(bucket, key string) string, first, again string) {
	var list []runs.Summary
	if err := json.Unmarshal([]byte(winnow(t, 0, "runs", "list", "--format", "json", at("tables", "nightly"))), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Run != "r" || list[0].Dead == 0 || list[1].Run != "again" || list[1].RetryOf != "r" || list[1].Dead != 0 {
		t.Errorf("listed: %+v", list)
	}
	if shown := winnow(t, 0, "runs", "show", list[1].Out); !strings.Contains(shown, "again") || !strings.Contains(shown, "done") {
		t.Errorf("shown by the name of the list: %s", shown)
	}
	for _, out := range []string{first, again} {
		if said := winnow(t, 0, "verify", out); !strings.Contains(said, "nothing is wrong") {
			t.Errorf("verify: %s", said)
		}
	}

	// A part whose bytes were changed.
	store, err := client.Store(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := store.List(t.Context(), "documents/")
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	part := parts[0].Name
	data, err := blob.ReadAll(t.Context(), store, part, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(data)
	changed[len(changed)/2] ^= 1
	if _, err := blob.WriteAll(t.Context(), store, part, changed); err != nil {
		t.Fatal(err)
	}
	if said := winnow(t, 3, "verify", again); !strings.Contains(said, part) {
		t.Errorf("verify does not name %s: %s", part, said)
	}

	// Of a run that is deleted, other objects stay, and the run that it did again can be
	// done again by another one.
	if _, err := blob.WriteAll(t.Context(), store, "notes.txt", []byte("of somebody")); err != nil {
		t.Fatal(err)
	}
	winnow(t, 2, "runs", "delete", again)
	if said := winnow(t, 0, "runs", "delete", "--yes", again); !strings.Contains(said, ": 1 other file") {
		t.Errorf("deleted: %s", said)
	}
	left, err := store.List(t.Context(), "")
	if err != nil || len(left) != 1 || left[0].Name != "notes.txt" {
		t.Errorf("left: %+v, %v", left, err)
	}
	if said := winnow(t, 0, "plan", "--retry-failed", first); !strings.Contains(said, "3.warc.gz") {
		t.Errorf("what the first run gave up: %s", said)
	}
	if said := winnow(t, 0, "runs", "list", at("tables", "nightly")); strings.Contains(said, "again") {
		t.Errorf("listed after its end: %s", said)
	}
}
