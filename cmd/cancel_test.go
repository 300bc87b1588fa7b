package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// A run ends when its folder is marked: workers and aggregator stop working on it, and
// its items are deleted from the broker.
func TestCanceledRun(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 0) // without workers the run cannot end before it is canceled
	operator := func(code int, want string, args ...string) {
		t.Helper()
		p := start(t, "winnow", append([]string{"runs"}, args...)...)
		p.ends(code)
		if got := p.out.String(); !strings.Contains(got, want) {
			t.Errorf("runs %q: no %q in\n%s", args, want, got)
		}
	}
	for _, err := c.q.Backlog(t.Context(), "r", schemas.PhaseExtract); err != nil; _, err = c.q.Backlog(t.Context(), "r", schemas.PhaseExtract) {
		if !errors.Is(err, queue.ErrNotFound) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	operator(0, `"state": "active"`, "list", "--format", "json", "--nats", c.url)
	operator(0, `"recipe": {`, "show", "--format", "json", "--nats", c.url, "r")
	p := start(t, "winnow", "runs", "status", "--nats", c.url, "r")
	p.ends(0)
	if got := p.out.String(); !strings.Contains(got, "broker: the run is active; ") || !strings.Contains(got, "; 0 workers reported: ") {
		t.Errorf("status:\n%s", got)
	}
	operator(1, "is not finished", "delete", "--yes", c.out)
	operator(1, "the broker holds no unfinished run nosuch", "cancel", "--nats", c.url, "nosuch")
	operator(0, "run r is canceled", "cancel", c.out) // the aggregator tells the broker
	operator(1, "run r is canceled since", "cancel", c.out)
	c.worker().ends(0)
	c.aggregate.ends(1)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, err := c.q.Backlog(t.Context(), "r", schemas.PhaseExtract)
		if errors.Is(err, queue.ErrNotFound) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the broker still holds items of a canceled run: %v", err)
		}
	}
	operator(0, "canceled", "list", c.out)
	operator(2, "nothing is deleted without --yes", "delete", c.out)
	operator(0, "no runs", "list", "--nats", c.url)
	again := start(t, "ingest", append(append([]string{"--nats", c.url, "--run", "r", "--out", c.out, "--lease", "2s"}, recipe...), built.in)...)
	again.ends(1)
	if got := again.out.String(); !strings.Contains(got, "run r is canceled since") {
		t.Errorf("ingest:\n%s", got)
	}
	if _, err := os.Stat(filepath.Join(c.out, "_SUCCESS")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a canceled run says that it succeeded: %v", err)
	}
}

// With the broker, an operator ends a run that no aggregator works on, and one whose
// folder is gone.
func TestRunWithoutAggregatorIsCanceled(t *testing.T) {
	t.Parallel()
	setup(t)
	url := natsServer(t)
	for _, canceled := range []bool{true, false} {
		out := t.TempDir()
		start(t, "ingest", "--nats", url, "--run", "r", "--out", out, "--extractors", "plain", built.in).ends(0)
		if !canceled {
			if err := os.Remove(filepath.Join(out, schemas.ManifestFile)); err != nil {
				t.Fatal(err)
			}
		}
		start(t, "winnow", "runs", "cancel", "--nats", url, "r").ends(0)
		if _, err := os.Stat(filepath.Join(out, schemas.EndedFile)); (err == nil) != canceled {
			t.Errorf("canceled %v: the mark: %v", canceled, err)
		}
		list := start(t, "winnow", "runs", "list", "--nats", url)
		list.ends(0)
		if got := list.out.String(); !strings.Contains(got, "no runs") {
			t.Errorf("canceled %v: the broker holds\n%s", canceled, got)
		}
	}
}
