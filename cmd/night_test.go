package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A night with an empty inbox, or with a file that cannot be read, is a run that ends
// with tables, as overlays/nightly runs it. All lines of the programs are JSON.
func TestNightsEndWithTables(t *testing.T) {
	setup(t)
	port := freePort(t)
	url := "nats://127.0.0.1:" + port
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	inbox := t.TempDir()
	for _, night := range []struct {
		id, file string
		exit     int
	}{{"empty", "", 0}, {"broken", "not an archive", 3}} {
		if night.file != "" {
			if err := os.WriteFile(filepath.Join(inbox, "a.warc.gz"), []byte(night.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(t.TempDir(), night.id)
		ingest := start(t, "ingest", "--nats", url, "--run", night.id, "--out", out, "--keep-going", "--log-format", "json", "--format", "json", inbox)
		ingest.ends(0)
		aggregate := start(t, "aggregate", "--nats", url, "--run", night.id, "--exit-when-done", "--log-format", "json")
		aggregate.ends(night.exit)
		if _, err := os.Stat(filepath.Join(out, "_SUCCESS")); err != nil {
			t.Errorf("night %s: %v", night.id, err)
		}
		published := false
		for _, p := range []*process{ingest, aggregate} {
			for line := range strings.Lines(p.out.String()) {
				var said struct{ Msg, Run string }
				if err := json.Unmarshal([]byte(line), &said); err != nil {
					t.Errorf("night %s: %s printed %q", night.id, p.name, line)
				}
				published = published || said.Msg == "tables are published" && said.Run == night.id
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
