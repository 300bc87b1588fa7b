package cmd

import (
	"strings"
	"testing"
)

// natsServer starts a broker without user accounts and returns its URL.
func natsServer(t *testing.T) string {
	t.Helper()
	setup(t)
	port := freePort(t)
	start(t, "nats-server", "--jetstream", "--addr", "127.0.0.1", "--port", port, "--store_dir", t.TempDir())
	return "nats://127.0.0.1:" + port
}

// "winnow run" works through a broker of somebody else, without any other program.
func TestRunThroughABroker(t *testing.T) {
	t.Parallel()
	learning := setupLearning(t)
	url, out := natsServer(t), t.TempDir()
	args := append([]string{"run", "--nats", url, "--run", "r", "--out", out}, learning.recipe...)
	start(t, "winnow", append(args, learning.in)...).ends(0)
	got, err := tables(out)
	if err != nil {
		t.Fatal(err)
	}
	if got != learning.want {
		t.Error("the rows are not those of a run with a broker of its own")
	}
}

// The stages of a cluster are verbs of winnow, as the image runs them. Their workers and
// those of the programs are of the same build, so that they work on the same runs.
func TestStagesAreVerbs(t *testing.T) {
	url, out := natsServer(t), t.TempDir()
	args := append([]string{"ingest", "--nats", url, "--run", "r", "--out", out}, built.recipe...)
	start(t, "winnow", append(args, built.in)...).ends(0)
	worker := start(t, "winnow", "worker", "--nats", url, "--run", "r", "--exit-when-done")
	start(t, "aggregate", "--nats", url, "--run", "r", "--exit-when-done").ends(0)
	worker.ends(0)
	got, err := tables(out)
	if err != nil {
		t.Fatal(err)
	}
	if got != built.want {
		t.Error("the rows are not those of a run on one machine")
	}
	wrong := start(t, "winnow", "aggregate", "--nats", url, "--quiet", "0s")
	wrong.ends(2)
	if said := wrong.out.String(); !strings.Contains(said, `--quiet "0s": want a positive duration`) || !strings.Contains(said, "winnow aggregate --help") {
		t.Errorf("a mistake in the command line: %s", said)
	}
}
