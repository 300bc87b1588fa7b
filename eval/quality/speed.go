package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// speedRecord holds processor times on a sample of pages.
type speedRecord struct {
	Pages   int                      `json:"pages"`
	Bytes   int                      `json:"bytes"`
	Every   int                      `json:"every"`
	Machine string                   `json:"machine"`
	Took    map[string]time.Duration `json:"took"` // by extractor, including parsing; "" is only parsing
	Run     wholeRun                 `json:"run"`
}

// wholeRun holds the processor time of the program from a compressed WARC file to
// texts.
type wholeRun struct {
	Package string        `json:"package"`
	Bytes   int           `json:"bytes"` // of HTML
	Took    time.Duration `json:"took"`
}

// speedChunk is the number of pages that one extractor answers before the next one
// continues. If the machine is busy for a while, this slows all extractors equally.
const speedChunk = 16

// measureSpeed measures the processor time of every extractor on a sample of the pages
// of all packages. The extractors run one at a time: the time is that of the process,
// including garbage collection.
func (o *options) measureSpeed(ctx context.Context, s *methods, names []string) error {
	file := filepath.Join(o.cache, "speed.json")
	var old speedRecord
	if readJSON(file, &old) == nil && o.keepSpeed {
		return nil
	}
	sample, err := o.sample(ctx, names)
	if err != nil {
		return err
	}
	r := speedRecord{Pages: len(sample), Every: o.every, Machine: machine(), Took: make(map[string]time.Duration)}
	for _, d := range sample {
		r.Bytes += len(d.html)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	type runner struct {
		name string
		d    *driver.Driver
	}
	var runners []runner
	libraries := process.New(process.Options{})
	defer libraries.Close()
	for _, e := range append([]*algorithms.Extractor{nil}, s.extractors()...) {
		c := driver.Config{SuperlinearBytes: 1 << 30, TextTime: 2 * time.Minute, MethodTime: -1, Isolate: libraries.Run}
		name := ""
		if e != nil {
			if e.Oracle {
				continue
			}
			name, c.Extractors = e.Name, []*algorithms.Extractor{e}
			if len(e.Members) > 0 { // they read the location of a library's text on the page
				c.Align = new(align.Aligner).Text
			}
		}
		d, err := driver.New(c)
		if err != nil {
			return err
		}
		runners = append(runners, runner{name, d})
	}
	for from := 0; from < len(sample); from += speedChunk {
		chunk := sample[from:min(from+speedChunk, len(sample))]
		least := make([]time.Duration, len(runners))
		for round := range o.rounds + 1 { // the first round is a warm-up and does not count
			for i, run := range runners {
				runtime.GC()
				end, err := processorTime()
				if err != nil {
					return err
				}
				for _, d := range chunk {
					if _, err := run.d.Page(ctx, driver.Input{HTML: d.html, URL: d.url}); err != nil {
						return fmt.Errorf("time %s on page %s: %w", run.name, d.ID, err)
					}
				}
				took, err := end()
				if err != nil {
					return err
				}
				if round == 1 || round > 1 && took < least[i] {
					least[i] = took
				}
			}
		}
		for i, run := range runners {
			r.Took[run.name] += least[i]
		}
	}
	if o.wholeRun {
		if r.Run, err = o.measureRun(ctx, names); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.log, "speed: %d pages by %d extractors\n", len(sample), len(runners)-1)
	return writeJSON(file, r)
}

// sample returns one of every so many pages of all packages.
func (o *options) sample(ctx context.Context, names []string) ([]*document, error) {
	var kept []*document
	at := 0
	for _, name := range names {
		for d, err := range documents(ctx, pathOf(o.packages, name)) {
			if err != nil {
				return nil, err
			}
			if at%o.every == 0 {
				kept = append(kept, d)
			}
			at++
		}
	}
	return kept, nil
}

// runCommand has the arguments of the program whose whole run is timed.
const runCommand = "run --extractors " + ours + " --scorers none --texts jsonl"

// measureRun measures the processor time of the program on one package: the one with
// many types of pages, or else the first one.
func (o *options) measureRun(ctx context.Context, names []string) (r wholeRun, err error) {
	r.Package = names[0]
	if slices.Contains(names, typed) {
		r.Package = typed
	}
	path, err := filepath.Abs(pathOf(o.packages, r.Package))
	if err != nil {
		return r, err
	}
	for d, err := range documents(ctx, path) {
		if err != nil {
			return r, err
		}
		r.Bytes += len(d.html)
	}
	dir, err := os.MkdirTemp("", "quality-speed-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	program, archive := filepath.Join(dir, "winnow"), filepath.Join(dir, "pages.warc.gz")
	for _, args := range [][]string{
		{"go", "build", "-o", program, "./cmd/winnow"},
		{program, "pack", "--unwrap", path, "-o", archive},
		append(append([]string{program}, strings.Fields(runCommand)...), "--out", filepath.Join(dir, "out"), archive),
	} {
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Dir = o.source
		if text, err := c.CombinedOutput(); err != nil {
			return r, fmt.Errorf("time a run: %s: %w\n%s", strings.Join(args[:2], " "), err, text)
		}
		r.Took = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	return r, nil
}
