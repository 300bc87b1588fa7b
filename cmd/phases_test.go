package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// learning is a run with a site-level extractor over sites whose pages are spread over
// all files. One process makes the expected rows.
var learning struct {
	once sync.Once
	task
	err error
}

func setupLearning(t *testing.T) *task {
	t.Helper()
	setup(t)
	learning.once.Do(func() {
		dir := filepath.Dir(built.bin)
		learning.in = filepath.Join(dir, "sites")
		learning.recipe = []string{"--extractors", "plain,iwptd", "--scorers", "none", "--texts", "jsonl", "--package-by", "host", "--item-size", "24KiB"}
		if learning.err = siteCrawl(learning.in); learning.err != nil {
			return
		}
		out := filepath.Join(dir, "out-sites")
		args := append([]string{"run", "--run", "r", "--out", out}, learning.recipe...)
		if text, err := exec.Command(filepath.Join(built.bin, "winnow"), append(args, learning.in)...).CombinedOutput(); err != nil {
			learning.err = fmt.Errorf("winnow run: %w\n%s", err, text)
			return
		}
		if learning.want, learning.err = tables(out); learning.err == nil && !strings.Contains(learning.want, "TemplatePages:25") {
			learning.err = fmt.Errorf("no page has a template of 25 pages")
		}
	})
	if learning.err != nil {
		t.Fatal(learning.err)
	}
	return &learning.task
}

// siteCrawl writes 30 sites of 40 pages to 4 files. Each file gets one page of each
// site in turn.
func siteCrawl(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var writers []*write.Writer
	for i := range 4 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.warc.gz", i)))
		if err != nil {
			return err
		}
		defer f.Close()
		writers = append(writers, write.NewWriter(f))
	}
	for n := range 40 {
		for s := range 30 {
			host := fmt.Sprintf("s%d.example", s)
			var text strings.Builder
			for i := range 20 + (n*37+s)%90 {
				fmt.Fprintf(&text, "<p>Sentence %d of page %d on %s is about the grain of %d fields.</p>\n", i, n, host, (i*n*7919)%1009)
			}
			url := fmt.Sprintf("http://%s/%d", host, n)
			block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
				[]byte("<html><body><ul><li><a href=/>The menu of "+host+"</a><li><a href=/1>Page one</a></ul><div>"+text.String()+"</div><p>All rights reserved</p></body></html>"))
			if err != nil {
				return err
			}
			err = writers[(n+s)%4].Write(&write.Record{Type: "response", ID: write.ID(url), Date: time.Unix(int64(n), 0), TargetURI: url,
				ContentType: "application/http; msgtype=response", Block: block})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// reachPhase waits until the run is in a phase and some of its items are reported.
func (c *cluster) reachPhase(phase schemas.Phase, items int) {
	c.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		n := len(c.reported()[phase])
		if n >= items {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("phase %s with %d items is not reached: %d", phase, items, n)
		}
	}
}

func TestProgramsLearn(t *testing.T) {
	t.Parallel()
	c := newClusterFor(t, setupLearning(t), 3)
	c.finish()
	// The broker holds nothing of the run.
	if _, err := c.q.Backlog(t.Context(), "r", schemas.PhaseExtract); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("consumer of a finished run: %v", err)
	}
	if done := c.reported(); len(done) != 0 {
		t.Errorf("reports of a finished run: %v", done)
	}
	if _, err := c.q.Run(t.Context(), "r"); !errors.Is(err, queue.ErrNotFound) {
		t.Errorf("head of a finished run: %v", err)
	}
}

func TestKilledInEachPhase(t *testing.T) {
	long(t)
	t.Parallel()
	c := newClusterFor(t, setupLearning(t), 2)
	for _, phase := range []schemas.Phase{schemas.PhaseScan, schemas.PhaseLearn, schemas.PhaseExtract} {
		c.reachPhase(phase, 2)
		c.aggregate.kill()
		c.workers[0].kill()
		c.workers[0].start()
		c.aggregate.start()
	}
	c.finish()
}

// The broker loses its data twice: while sites are learned, and while the templates are
// applied. The output folder holds everything that is needed to go on.
func TestBrokerThatForgetsWhatWasLearned(t *testing.T) {
	long(t)
	t.Parallel()
	for _, phase := range []schemas.Phase{schemas.PhaseLearn, schemas.PhaseExtract} {
		t.Run(string(phase), func(t *testing.T) {
			c := newClusterFor(t, setupLearning(t), 1)
			c.reachPhase(phase, 2)
			c.nats.kill()
			c.aggregate.kill()
			c.workers[0].kill()
			for i, arg := range c.nats.args {
				if arg == "--store_dir" {
					c.nats.args[i+1] = t.TempDir()
				}
			}
			c.nats.start()
			c.aggregate.start()
			c.workers[0].start()
			args := append([]string{"--nats", c.url, "--run", "r", "--out", c.out, "--lease", "2s"}, c.task.recipe...)
			start(t, "ingest", append(args, c.task.in)...).ends(0)
			c.finish()
		})
	}
}
