package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// A run ends when the state in its head is changed to "canceled": workers and
// aggregator stop working on it, and its items are deleted from the broker.
func TestCanceledRun(t *testing.T) {
	c := newCluster(t, 0) // without workers the run cannot end before it is canceled
	for {
		head, rev, err := c.q.Run(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		head.State = schemas.RunCanceled
		if _, err = c.q.UpdateRun(t.Context(), head, rev); err == nil {
			break
		}
		if !errors.Is(err, queue.ErrConflict) {
			t.Fatal(err)
		}
	}
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
	if _, err := os.Stat(filepath.Join(c.out, "_SUCCESS")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a canceled run says that it succeeded: %v", err)
	}
}
