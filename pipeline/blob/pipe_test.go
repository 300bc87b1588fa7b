//go:build unix

package blob_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
)

// A pipe in an output folder, or in the place of an input, is not a file. Opening it would
// wait for a writer, and nothing could end that.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "run.json")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for what, open := range map[string]func() error{
		"file of a store": func() error { _, err := store.Open(t.Context(), "run.json"); return err },
		"stat in a store": func() error { _, err := store.Stat(t.Context(), "run.json"); return err },
		"input of a run":  func() error { _, err := client.Open(t.Context(), blob.Object{URL: "file://" + name}); return err },
		"planned input":   func() error { _, err := client.Stat(t.Context(), name); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- open() }()
		select {
		case err := <-done:
			if err == nil || what != "planned input" && !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: still waiting", what)
		}
	}
}
