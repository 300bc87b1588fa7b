package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/score/snippet"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// measurePackage runs the extractors that the cache lacks on a package.
func (o *options) measurePackage(ctx context.Context, s *methods, name string) error {
	path := pathOf(o.packages, name)
	digest, err := digestOf(path)
	if err != nil {
		return err
	}
	began := time.Now()
	p := packageRecord{Name: name}
	pagesFile := filepath.Join(o.cache, name, "pages.json")
	if err := readJSON(pagesFile, &p); err != nil || p.Digest != digest {
		if p, err = readPages(ctx, path, name, digest); err != nil {
			return err
		}
		if err := writeJSON(pagesFile, p); err != nil {
			return err
		}
	}
	var missing []string
	for _, e := range s.extractors() {
		var a answersRecord
		if err := readJSON(answersFile(o.cache, name, e.Name), &a); err != nil || a.Key != s.keyOf(e, digest) || o.anew(e) {
			missing = append(missing, e.Name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	answers, err := o.answerAll(ctx, s.of(name, p.Pages), path, p.Pages, missing)
	if err != nil {
		return fmt.Errorf("measure package %s: %w", name, err)
	}
	for _, e := range s.extractors() {
		if i := slices.Index(missing, e.Name); i >= 0 {
			if err := writeJSON(answersFile(o.cache, name, e.Name), answersRecord{s.keyOf(e, digest), answers[i]}); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(o.log, "%s: %d pages by %d extractors in %v\n", name, len(p.Pages), len(missing), time.Since(began).Round(time.Second))
	return nil
}

func readPages(ctx context.Context, path, name, digest string) (packageRecord, error) {
	p := packageRecord{Name: name, Digest: digest}
	for d, err := range documents(ctx, path) {
		if err != nil {
			return p, err
		}
		p.Pages = append(p.Pages, d.Page)
	}
	return p, nil
}

// answerAll returns the answers of the named extractors, each to all pages of the
// package.
func (o *options) answerAll(ctx context.Context, f *folds, path string, pages []Page, names []string) ([][]Answer, error) {
	answers := make([][]Answer, len(names))
	for i := range answers {
		answers[i] = make([]Answer, len(pages))
	}
	suites := make(map[string][]*algorithms.Extractor) // by the key of folds
	for i := range pages {
		key := f.key(&pages[i])
		if suites[key] != nil {
			continue
		}
		all, err := f.suite(key)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			suites[key] = append(suites[key], all[slices.IndexFunc(all, func(e *algorithms.Extractor) bool { return e.Name == name })])
		}
	}
	type job struct {
		at int
		d  *document
	}
	jobs := make(chan job, o.procs)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(jobs)
		at := 0
		for d, err := range documents(ctx, path) {
			if err != nil {
				return err
			}
			select {
			case jobs <- job{at, d}:
			case <-ctx.Done():
				return ctx.Err()
			}
			at++
		}
		return nil
	})
	for range o.procs {
		g.Go(func() error {
			drivers := make(map[string]*driver.Driver)
			libraries := process.New(process.Options{})
			defer libraries.Close()
			for j := range jobs {
				key := f.key(&j.d.Page)
				if drivers[key] == nil {
					var err error
					if drivers[key], err = driver.New(measuring(suites[key], libraries)); err != nil {
						return err
					}
				}
				r, err := drivers[key].Page(ctx, driver.Input{HTML: j.d.html, URL: j.d.url, Gold: &j.d.gold})
				if err != nil {
					return fmt.Errorf("page %s: %w", j.d.ID, err)
				}
				for i := range r.Extractions {
					answers[i][j.at] = answerOf(&r.Extractions[i], &j.d.Page)
				}
			}
			return nil
		})
	}
	return answers, g.Wait()
}

// measuring returns the configuration for answering pages. It is the same as in a run,
// except that programs also get large pages.
func measuring(extractors []*algorithms.Extractor, libraries *process.Processes) driver.Config {
	return driver.Config{
		Extractors:       extractors,
		Scorers:          []*algorithms.Scorer{wcxb.WordF1, snippet.Snippet},
		SuperlinearBytes: 1 << 30,
		TextTime:         2 * time.Minute, // longer than in a run, because the machine may be busy
		Align:            new(align.Aligner).Text,
		Isolate:          libraries.Run,
	}
}

// answerOf returns what the figures need of an extraction. A failed or skipped page
// counts as one with an empty answer.
func answerOf(x *driver.Extraction, p *Page) Answer {
	a := Answer{Outcome: x.Outcome, Reason: x.Reason}
	if x.Outcome == algorithms.Failed || x.Outcome == algorithms.Skipped {
		if p.HasText && p.GoldEmpty {
			a.Precision, a.Recall, a.F1 = 1, 1, 1
		}
		return a
	}
	if s := x.Scores[0].Score; p.HasText && s.Reason == algorithms.NoReason {
		a.Precision, a.Recall, a.F1 = s.Precision, s.Recall, s.F1
	}
	if s := x.Scores[1].Score; s.Reason == algorithms.NoReason {
		a.Found, a.FoundAll = s.Common, s.Extracted
	}
	return a
}
