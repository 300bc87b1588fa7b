package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A night with an empty inbox, with a file that cannot be read, with nothing new, or with an
// archive of pages that have not changed, is a run that ends with tables, as overlays/nightly
// runs it. All lines of the programs are JSON.
func TestNightsEndWithTables(t *testing.T) {
	t.Parallel()
	setup(t)
	port := freePort(t)
	url := "nats://127.0.0.1:" + port
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	inbox, nights := t.TempDir(), t.TempDir()
	crawl, err := os.ReadFile("../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, night := range []struct {
		id, file       string
		exit           int
		pages, skipped int
		unchanged      int
	}{{"empty", "", 0, 0, 0, 0}, {"broken", "not an archive", 3, 0, 0, 0}, {"whole", string(crawl), 0, 62, 0, 0}, {"nothing-new", "", 0, 0, 1, 0}, {"again", string(crawl), 0, 0, 1, 62}} {
		if night.file != "" {
			name := "a.warc.gz"
			if night.skipped > 0 {
				name = "b.warc.gz"
			}
			if err := os.WriteFile(filepath.Join(inbox, name), []byte(night.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(nights, night.id)
		ingest := start(t, "ingest", "--nats", url, "--run", night.id, "--out", out, "--keep-going", "--only-new", nights,
			"--scorers", "none", "--log-format", "json", "--format", "json", inbox)
		ingest.ends(0)
		worker := start(t, "worker", "--nats", url, "--run", night.id, "--exit-when-done", "--log-format", "json")
		aggregate := start(t, "aggregate", "--nats", url, "--run", night.id, "--exit-when-done", "--log-format", "json")
		aggregate.ends(night.exit)
		worker.ends(0)
		if _, err := os.Stat(filepath.Join(out, "_SUCCESS")); err != nil {
			t.Errorf("night %s: %v", night.id, err)
		}
		published := false
		for _, p := range []*process{ingest, worker, aggregate} {
			for line := range strings.Lines(p.out.String()) {
				var said struct {
					Msg, Run                  string
					Pages, Skipped, Unchanged int
				}
				if err := json.Unmarshal([]byte(line), &said); err != nil {
					t.Errorf("night %s: %s printed %q", night.id, p.name, line)
				}
				if said.Msg != "tables are published" || said.Run != night.id {
					continue
				}
				published = true
				if said.Pages != night.pages || said.Skipped != night.skipped || said.Unchanged != night.unchanged {
					t.Errorf("night %s: %+v, want %+v", night.id, said, night)
				}
			}
		}
		if !published {
			t.Errorf("night %s: no line says that the tables are published:\n%s", night.id, aggregate.out.String())
		}
	}
	wrong := start(t, "aggregate", "--nats", url, "--log-format", "json", "--quiet", "0s")
	wrong.ends(2)
	var said struct {
		Level, Msg string
		Code       int `json:"exit_code"`
	}
	if err := json.Unmarshal([]byte(wrong.out.String()), &said); err != nil || said.Level != "ERROR" || said.Code != 2 || !strings.Contains(said.Msg, "--quiet") {
		t.Errorf("a mistake in the command line: %+v, %v\n%s", said, err, wrong.out.String())
	}
}
