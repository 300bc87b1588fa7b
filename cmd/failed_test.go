package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// An aggregator that serves all runs reports a run whose tables it cannot make, goes on
// with the others, and ends with an exit code that says so.
func TestFailedRunIsAnError(t *testing.T) {
	t.Parallel()
	setup(t)
	port, dir := freePort(t), t.TempDir()
	url := "nats://127.0.0.1:" + port
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	start(t, "ingest", "--nats", url, "--run", "broken", "--out", dir, "--extractors", "plain", built.in).ends(0)
	manifest := filepath.Join(dir, schemas.ManifestFile)
	if err := os.WriteFile(manifest, []byte("not what was planned"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "aggregate", "--nats", url, "--exit-when-done")
	p.ends(1)
	for _, words := range []string{"run failed", "runs that failed: 1"} {
		if !strings.Contains(p.out.String(), words) {
			t.Errorf("no %q in\n%s", words, p.out.String())
		}
	}
}
