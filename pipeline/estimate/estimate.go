// Package estimate says what a planned run would cost, from a few seconds of
// doing it: at places spread over the input pages are read, and the chosen methods
// run on some of them, on one core.
//
//	bytes of the input   |----x--------x--------x--------x----|
//	                          read for a while, the first pages worked on
//
// Pages and the time of reading grow with the bytes of the input, the time of the
// methods with the bytes of the pages. What is not in it: writing the tables, the
// work of site-level methods, which have no templates yet, and the pause before a
// remote store's first byte. It is an estimate, for people who want to know whether
// to wait for minutes or for days; another machine gives another one.
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
	Selections blob.Store              // that the plan was made with; see ingest.Options
	Extractors []*algorithms.Extractor // chosen ones
	Scorers    []*algorithms.Scorer
	Isolate    driver.Isolate // see driver.Config
	Align      func(dst *page.Selection, b *page.Body, text string)

	Places int           // samples; default 8
	Time   time.Duration // for all samples together; default 4 s
}

// Estimate is what a run may cost.
type Estimate struct {
	Pages       int64   `json:"pages"`        // of the whole input
	CoreSeconds float64 `json:"core_seconds"` // of all phases, on one core of this machine
	Documents   int64   `json:"documents"`    // rows
	Scores      int64   `json:"scores"`       // rows

	Sampled      int64 `json:"sampled_pages"` // that the methods were run on
	SampledBytes int64 `json:"sampled_bytes"` // of input that was read, as it is stored
}

// sample is what was seen of one place.
type sample struct {
	bytes, pages, html int64         // read: of input, pages, and bytes of those
	reading            time.Duration // and decoding
	worked, workedHTML int64         // pages that the methods were run on, and their bytes
	working            time.Duration
}

func (s *sample) add(o *sample) {
	s.bytes += o.bytes
	s.pages += o.pages
	s.html += o.html
	s.reading += o.reading
	s.worked += o.worked
	s.workedHTML += o.workedHTML
	s.working += o.working
}

// Of makes an estimate of run. The error is the store's, or a driver's that
// refuses the methods. Nil and no error: there is nothing to estimate from.
func Of(ctx context.Context, run *schemas.Run, opt Options) (*Estimate, error) {
	if opt.Places <= 0 {
		opt.Places = 8
	}
	if opt.Time <= 0 {
		opt.Time = 4 * time.Second
	}
	config, err := recipe.DriverConfig(&run.Recipe)
	if err != nil {
		return nil, err
	}
	config.Extractors, config.Scorers, config.Isolate, config.Align = opt.Extractors, opt.Scorers, opt.Isolate, opt.Align
	d, err := driver.New(config)
	if err != nil {
		return nil, err
	}
	t := taker{in: source.NewReader(), driver: d, blobs: opt.Blobs, selections: opt.Selections, recipe: &run.Recipe}
	var sum sample
	for _, p := range places(run, opt.Places) {
		s, err := t.take(ctx, p, opt.Time/time.Duration(opt.Places))
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
	e := &Estimate{Pages: int64(float64(sum.pages)*share + 0.5), CoreSeconds: seconds, Sampled: sum.worked, SampledBytes: sum.bytes}
	e.Documents = e.Pages * int64(len(opt.Extractors))
	e.Scores = e.Documents * int64(len(opt.Scorers)) // pages without gold have rows that say so
	return e, nil
}

// place is where a sample begins.
type place struct {
	file   *schemas.File
	offset int64
}

// places are n places with the same number of bytes between them. A file that
// cannot be split has its beginning as its only one.
func places(run *schemas.Run, n int) []place {
	var out []place
	var before int64 // bytes of the files that came already
	step := float64(run.Sealed.Bytes) / float64(n)
	next := 0 // place
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
				out = append(out, place{f, at - before})
			case !once:
				out = append(out, place{f, 0})
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
// file ends; the rest is for running the methods on the pages that come first.
func (t *taker) take(ctx context.Context, p place, limit time.Duration) (s sample, err error) {
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
			// If there is any page near, the sample has one.
			if s.reading >= limit/4 && at > first && (s.pages > 0 || s.reading >= limit) {
				s.bytes = at - first
				return s, nil
			}
			if doc, err := t.in.Decode(); err == nil && doc.Outcome == payload.Page { // what cannot be decoded is the run's to report
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
		}
	}
}

// work runs the methods. What a page breaks is the run's to report.
func (t *taker) work(ctx context.Context, p *source.Page) error {
	res, err := t.driver.Page(ctx, driver.Input{HTML: p.HTML, URL: p.Address(), Gold: recipe.Gold(p.Gold)})
	late := errors.Is(err, driver.ErrTime)
	if late || err == nil && res.Stuck {
		p.HTML = nil // something goes on reading it
	}
	if broken := (*driver.PanicError)(nil); late || errors.As(err, &broken) {
		return nil
	}
	return err
}
