package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/schemas"
)

// rivals starts a second aggregator beside that of the cluster and waits until one of
// them logs that it waits for the other.
func (c *cluster) rivals() (holds, waits *process) {
	c.t.Helper()
	second := start(c.t, "aggregate", "--nats", c.url, "--run", "r", "--exit-when-done", "--quiet", "1s")
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		for _, p := range [][2]*process{{c.aggregate, second}, {second, c.aggregate}} {
			if said := p[1].out.String(); strings.Contains(said, "another aggregator has leased the run") {
				return p[0], p[1]
			}
		}
		if time.Now().After(deadline) {
			c.t.Fatal("no aggregator waits for the other")
		}
	}
}

// onlyCommitted verifies that the tables have no files except those of the manifest,
// and returns the aggregators that wrote them.
func (c *cluster) onlyCommitted() []schemas.Aggregator {
	c.t.Helper()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(c.t.Context(), c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := ingest.Manifest(c.t.Context(), store)
	if err != nil {
		c.t.Fatal(err)
	}
	named := map[string]bool{}
	for _, p := range m.Parts {
		for _, f := range p.Files {
			named[f.Name] = true
		}
	}
	for _, folder := range []string{"documents/", "scores/", "texts/", "agreement/", schemas.CommitsFolder + "/"} {
		files, err := store.List(c.t.Context(), folder)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, f := range files {
			if !named[f.Name] {
				c.t.Errorf("%s is in no part", f.Name)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(c.out, schemas.CommitsFolder)); err == nil {
		c.t.Errorf("the folder %s is left behind", schemas.CommitsFolder)
	}
	return m.Aggregators
}

// Of two aggregators one works and one waits; the second goes on when the first
// is killed.
func TestTwoAggregatorsOneKilled(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 1)
	holds, waits := c.rivals()
	c.reach(10)
	holds.kill()
	c.aggregate = waits
	c.finish()
	if by := c.onlyCommitted(); len(by) != 2 || by[0].ID == by[1].ID {
		t.Errorf("made by %v, want two", by)
	}
}

// A rollout ends the first aggregator while the second waits. The second takes over at
// once, without waiting until the lease of the first expires.
func TestTwoAggregatorsOneTerminated(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 1)
	holds, waits := c.rivals()
	c.reach(10)
	if err := holds.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	holds.ends(130)
	c.aggregate = waits
	c.finish()
	if by := c.onlyCommitted(); len(by) != 2 {
		t.Errorf("made by %v, want two", by)
	}
}

// An aggregator is stopped until another one has made all tables. When it goes on, it
// changes nothing and sees that the run is done.
func TestTwoAggregatorsOneAsleep(t *testing.T) {
	long(t)
	t.Parallel()
	c := newCluster(t, 1)
	holds, waits := c.rivals()
	c.reach(10)
	if err := holds.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.aggregate = waits
	c.finish()
	if err := holds.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	holds.ends(0)
	c.finish() // fails if anything has changed
	if by := c.onlyCommitted(); len(by) != 2 {
		t.Errorf("made by %v, want two", by)
	}
}
