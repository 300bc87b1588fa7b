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

// A run ends when the state in its head is changed to "canceled": workers and
// aggregator stop working on it, and its items are deleted from the broker.
func TestCanceledRun(t *testing.T) {
	c := newCluster(t, 0) // without workers the run cannot end before it is canceled
	operator := func(code int, want string, args ...string) {
		t.Helper()
		p := start(t, "winnow", append([]string{"runs"}, args...)...)
		p.ends(code)
		if got := p.out.String(); !strings.Contains(got, want) {
			t.Errorf("runs %q: no %q in\n%s", args, want, got)
		}
	}
	// The head is written before the items, and is then planned.
	for head, _, err := c.q.Run(t.Context(), "r"); err != nil || head.State != schemas.RunActive; head, _, err = c.q.Run(t.Context(), "r") {
		if err != nil && !errors.Is(err, queue.ErrNotFound) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	operator(0, `"state": "active"`, "list", "--format", "json", "--nats", c.url)
	operator(0, `"recipe": {`, "show", "--format", "json", "--nats", c.url, "r")
	p := start(t, "winnow", "status", "--nats", c.url, "r")
	p.ends(0)
	if got := p.out.String(); !strings.Contains(got, "broker: the run is active; ") || !strings.Contains(got, "; 0 workers reported: ") {
		t.Errorf("status:\n%s", got)
	}
	operator(1, "wait for its end, or cancel it first", "delete", "--yes", "--nats", c.url, "r")
	operator(0, "run r is canceled", "cancel", "--nats", c.url, "r")
	operator(1, "the run is over", "cancel", "--nats", c.url, "r")
	operator(1, "the broker knows no run nosuch", "cancel", "--nats", c.url, "nosuch")
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
	operator(0, "canceled", "--nats", c.url)
	operator(2, "nothing is deleted without --yes", "delete", "--nats", c.url, "r")
	operator(0, "the broker has forgotten run r", "delete", "--yes", "--nats", c.url, "r")
	operator(0, "no runs", "list", "--nats", c.url)
	if _, err := os.Stat(filepath.Join(c.out, "_SUCCESS")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a canceled run says that it succeeded: %v", err)
	}
}
