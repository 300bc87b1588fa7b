package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/schemas"
)

// Recipe writes chosen methods down, for a run that any worker with the same
// list of methods can carry out.
func Recipe(extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) (x, s []schemas.Method) {
	for _, e := range extractors {
		m := method(e.Name, e.Fidelity)
		m.Family = e.Family
		x = append(x, m)
	}
	for _, c := range scorers {
		m := method(c.Name, c.Fidelity)
		m.Family, m.Mean, m.Top, m.Lower = c.Family, string(c.Mean), c.Top, c.Lower
		s = append(s, m)
	}
	return x, s
}

// Learning is what a recipe says of the phases before extract: nil if none of
// the extractors learns, and the run has none.
func Learning(extractors []*algorithms.Extractor) *schemas.Learn {
	if len(learn.Methods(extractors)) == 0 {
		return nil
	}
	return &schemas.Learn{Sites: learn.SiteVersion()}
}

// ReuseTemplates has a run take the templates of an earlier one, in the output
// folder at url, as far as they are not older than maxAge (0: of any age).
func ReuseTemplates(ctx context.Context, blobs *blob.Client, r *schemas.Recipe, url string, maxAge time.Duration) error {
	store, err := blobs.Store(ctx, url)
	if err != nil {
		return err
	}
	index, digest, err := readTemplateIndex(ctx, store)
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("%s has no templates: %w", url, err)
	}
	if err != nil {
		return err
	}
	if index.SiteBy != r.SiteBy || index.Sites != r.Learn.Sites {
		return fmt.Errorf("the templates in %s are of sites by %s (%s), this run's by %s (%s)", url, index.SiteBy, index.Sites, r.SiteBy, r.Learn.Sites)
	}
	if index.Reading != r.Reading {
		return fmt.Errorf("the templates in %s are of pages that were read otherwise: see --hidden and --words", url)
	}
	r.Learn.Templates, r.Learn.Digest, r.Learn.MaxAge = store.URL(), digest, maxAge
	return nil
}

func method(name string, f algorithms.Fidelity) schemas.Method {
	base, rest, settled := strings.Cut(name, ":")
	m := schemas.Method{Name: name, Base: base, Fidelity: string(f)}
	if settled {
		m.Settings = make(map[string]string)
		for setting := range strings.SplitSeq(rest, ":") {
			key, value, _ := strings.Cut(setting, "=")
			m.Settings[key] = value
		}
	}
	return m
}

// configHash names all that decides what an extractor answers, besides the program
// and the page: its listed name, every setting, also those that are as published,
// and what it learns.
func configHash(e *algorithms.Extractor) string {
	base, _, _ := strings.Cut(e.Name, ":")
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", base)
	for _, p := range e.Params {
		fmt.Fprintf(h, "%s=%s\n", p.Name, p.Value)
	}
	if e.Learn != nil {
		fmt.Fprintf(h, "learn %q version %d\n", e.Learn.As, e.Learn.Version)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// methods finds the recipe's methods in the worker's own lists. One that is not
// there, or is not the same any more, is an error: this worker is of another
// build than the run.
func methods(r *schemas.Recipe, extractors []*algorithms.Extractor, scorers []*algorithms.Scorer) ([]*algorithms.Extractor, []*algorithms.Scorer, error) {
	var x []*algorithms.Extractor
	for _, m := range r.Extractors {
		got, err := algorithms.ChooseExtractors(extractors, m.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("worker: recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, nil, err
		}
		x = append(x, got[0])
	}
	var s []*algorithms.Scorer
	for _, m := range r.Scorers {
		got, err := algorithms.ChooseScorers(scorers, m.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("worker: recipe: %w", err)
		}
		if err := agree(m, len(got), func() (string, algorithms.Fidelity) { return got[0].Name, got[0].Fidelity }); err != nil {
			return nil, nil, err
		}
		s = append(s, got[0])
	}
	return x, s, nil
}

func agree(m schemas.Method, n int, first func() (string, algorithms.Fidelity)) error {
	if n != 1 {
		return fmt.Errorf("worker: recipe: method %q stands for %d methods", m.Name, n)
	}
	if name, f := first(); name != m.Name || string(f) != m.Fidelity {
		return fmt.Errorf("worker: recipe: method %s (%s) is %s (%s) in this build", m.Name, m.Fidelity, name, f)
	}
	return nil
}
