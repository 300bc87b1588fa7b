// Package estimate predicts the cost of a planned run from a sample: for a few seconds
// it reads pages at locations spread over the input, and runs the chosen extractors on
// some of them, on one core.
//
//	bytes of the input   |----x--------x--------x--------x----|
//	                          read for a while, the first pages worked on
//
// The number of pages and the time to read them are proportional to the bytes of the
// input, the time of the extractors to the bytes of the pages. The estimate does not
// include writing the tables, the work of site-level extractors, which have no templates
// yet, the wait for a remote store's first byte, and extractors that wrap a library which
// the program does not contain: these are named. It is meant to distinguish minutes from
// days, and depends on the machine.
package estimate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// Options say how an estimate is made. Blobs is needed.
type Options struct {
	Blobs      *blob.Client
	Selections blob.Store              // the one of the plan; see ingest.Options
	Extractors []*algorithms.Extractor // of the program, in which those of the recipe are found
	Scorers    []*algorithms.Scorer    // the same
	Facts      []*algorithms.Fact      // the same
	Isolate    driver.Isolate          // see driver.Config
	Align      func(dst *page.Selection, b *page.Body, text string)

	Locations int           // samples; default 8
	Time      time.Duration // for all samples together; default 4 s
}

// Estimate is what a run may cost.
type Estimate struct {
	Pages       int64    `json:"pages"`                // of the whole input
	CoreSeconds float64  `json:"core_seconds"`         // of all phases, on one core of this machine, without Unmeasured
	Documents   int64    `json:"documents"`            // rows
	Scores      int64    `json:"scores"`               // rows
	Unmeasured  []string `json:"unmeasured,omitempty"` // extractors whose libraries this program does not contain

	Sampled      int64 `json:"sampled_pages"` // pages that the extractors were run on
	SampledBytes int64 `json:"sampled_bytes"` // of input that was read, as it is stored
}

// sample is the result of reading at one location.
type sample struct {
	bytes, pages, html int64         // read: of input, pages, and bytes of those
	reading            time.Duration // and decoding
	worked, workedHTML int64         // pages that the extractors were run on, and their bytes
	working            time.Duration
	gold               int64 // number of worked pages that have gold
}

func (s *sample) add(o *sample) {
	s.bytes += o.bytes
	s.pages += o.pages
	s.html += o.html
	s.reading += o.reading
	s.worked += o.worked
	s.workedHTML += o.workedHTML
	s.working += o.working
	s.gold += o.gold
}

// Of makes an estimate of run. The error is the store's, or says that the recipe does not
// fit the program. The estimate is nil if there is no input to sample.
func Of(ctx context.Context, run *schemas.Run, opt Options) (*Estimate, error) {
	if opt.Locations <= 0 {
		opt.Locations = 8
	}
	if opt.Time <= 0 {
		opt.Time = 4 * time.Second
	}
	config, err := recipe.DriverConfig(&run.Recipe)
	if err != nil {
		return nil, err
	}
	extractors, scorers, err := recipe.Find(&run.Recipe, opt.Extractors, opt.Scorers)
	if err != nil {
		return nil, err
	}
	facts, err := recipe.FindFacts(&run.Recipe, opt.Facts)
	if err != nil {
		return nil, err
	}
	var unmeasured []string
	for _, x := range extractors {
		if x.Linked() {
			config.Extractors = append(config.Extractors, x)
		} else {
			unmeasured = append(unmeasured, x.Name)
		}
	}
	config.Scorers, config.Facts, config.Isolate, config.Align = scorers, facts, opt.Isolate, opt.Align
	d, err := driver.New(config)
	if err != nil {
		return nil, err
	}
	t := taker{in: source.NewReader(), driver: d, blobs: opt.Blobs, selections: opt.Selections, recipe: &run.Recipe}
	var sum sample
	for _, p := range locations(run, opt.Locations) {
		s, err := t.take(ctx, p, opt.Time/time.Duration(opt.Locations))
		if err != nil {
			return nil, fmt.Errorf("estimate: %s: %w", p.file.URL, err)
		}
		sum.add(&s)
	}
	if sum.bytes == 0 {
		return nil, nil
	}
	share := float64(run.Sealed.Bytes) / float64(sum.bytes)
	seconds := sum.reading.Seconds() * share
	if run.Recipe.Learn != nil {
		seconds *= 2 // the phase scan reads everything, too
	}
	if sum.workedHTML > 0 {
		seconds += sum.working.Seconds() * share * float64(sum.html) / float64(sum.workedHTML)
	}
	e := &Estimate{Pages: int64(float64(sum.pages)*share + 0.5), CoreSeconds: seconds, Unmeasured: unmeasured, Sampled: sum.worked, SampledBytes: sum.bytes}
	e.Documents = e.Pages * int64(len(extractors))
	if sum.worked > 0 { // only pages with gold are scored
		e.Scores = int64(float64(e.Pages)*float64(sum.gold)/float64(sum.worked)+0.5) * int64(len(extractors)) * int64(len(scorers))
	}
	return e, nil
}

// location is where a sample begins.
type location struct {
	file   *schemas.File
	offset int64
}

// locations returns n locations with the same number of bytes between them. A file that
// cannot be split is sampled at its beginning only.
func locations(run *schemas.Run, n int) []location {
	var out []location
	var before int64 // bytes of the files before this one
	step := float64(run.Sealed.Bytes) / float64(n)
	next := 0 // number of the next location
	for i := range run.Files {
		f := &run.Files[i]
		if f.Refused != "" || f.Size == 0 {
			continue
		}
		once := false
		for ; next < n; next++ {
			at := int64((float64(next) + 0.5) * step)
			if at >= before+f.Size {
				break
			}
			switch {
			case f.Split && f.Items > 1:
				out = append(out, location{f, at - before})
			case !once:
				out = append(out, location{f, 0})
				once = true
			}
		}
		before += f.Size
	}
	return out
}

// taker takes samples.
type taker struct {
	driver     *driver.Driver
	blobs      *blob.Client
	selections blob.Store
	recipe     *schemas.Recipe
	in         source.Reader
}

// take reads from p on until a quarter of the time is spent on reading, or the
// file ends; the rest is for running the extractors on the first pages.
func (t *taker) take(ctx context.Context, p location, limit time.Duration) (s sample, err error) {
	file, err := source.Open(ctx, t.blobs, t.selections, p.file.Stored(), p.file.Selection)
	if err != nil {
		return s, err
	}
	defer file.Close()
	file.Expect(p.file.Size)
	began := time.Now()
	r := source.Range{Start: p.offset, End: p.file.Size, First: -1}
	if err := t.in.Reset(file, r, source.OptionsOf(t.recipe, p.file.URL)); err != nil {
		return s, err
	}
	first := int64(-1) // offset of the first record that may be a page
	for {
		step, err := t.in.Next()
		s.reading = time.Since(began) - s.working
		if err == io.EOF {
			if first >= 0 {
				s.bytes = p.file.Size - first
			}
			return s, nil
		}
		if err != nil {
			return s, err
		}
		switch step {
		case source.Candidate:
			at := t.in.Position()
			if first < 0 {
				first = at
			}
			// The sample has at least one page if there is one nearby.
			if s.reading >= limit/4 && at > first && (s.pages > 0 || s.reading >= limit) {
				s.bytes = at - first
				return s, nil
			}
			if doc, err := t.in.Decode(); err == nil && doc.Outcome == payload.Page { // the run itself reports pages that cannot be decoded
				s.pages++
				s.html += int64(len(doc.HTML))
			}
		case source.Ready:
			if s.worked > 0 && s.working >= limit-limit/4 {
				continue
			}
			page := t.in.Page()
			size := int64(len(page.HTML))
			start := time.Now()
			if err := t.work(ctx, page); err != nil {
				return s, err
			}
			s.working += time.Since(start)
			s.worked++
			s.workedHTML += size
			if recipe.Gold(page.Gold) != nil {
				s.gold++
			}
		}
	}
}

// work runs the extractors on a page. The run itself reports pages on which they fail.
func (t *taker) work(ctx context.Context, p *source.Page) error {
	res, err := t.driver.Page(ctx, driver.Input{HTML: p.HTML, URL: p.Address(), Gold: recipe.Gold(p.Gold)})
	late := errors.Is(err, driver.ErrTime)
	if late || err == nil && res.Stuck {
		p.HTML = nil // an extractor that did not return still reads it
	}
	if broken := (*driver.PanicError)(nil); late || errors.As(err, &broken) {
		return nil
	}
	return err
}
