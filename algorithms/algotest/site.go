package algotest

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
)

// SitePage is a page of an imaginary website.
type SitePage struct {
	URL  string
	HTML string
	Rank uint64 // 0 means the rank of its address; tests set others to order pages
}

func (p SitePage) rank() uint64 {
	if p.Rank != 0 {
		return p.Rank
	}
	return website.RankOf(p.URL)
}

// Template is what a site-level extractor learned in a test.
type Template struct {
	algorithms.Learned
	Ranks []uint64 // ranks of the sample's pages
	Value any      // what Learner.Open returned

	e *algorithms.Extractor
}

// Learn lets e learn from a sample of pages, in the order of their ranks. others are
// pages of the site outside of the sample, which an extractor with Linked may be given.
func Learn(t testing.TB, e *algorithms.Extractor, sample []SitePage, others ...SitePage) *Template {
	t.Helper()
	learned, err := TryLearn(t, e, sample, others...)
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	return learned
}

// TryLearn does the same as Learn for samples that may give an error.
func TryLearn(t testing.TB, e *algorithms.Extractor, sample []SitePage, others ...SitePage) (*Template, error) {
	t.Helper()
	return finish(t, e, SampleOf(t, e, sample, others...))
}

// finish folds and opens a sample and checks the bounds.
func finish(t testing.TB, e *algorithms.Extractor, s *algorithms.Sample) (*Template, error) {
	t.Helper()
	if len(s.Pages) < e.Learn.MinPages {
		return nil, algorithms.ErrTooFewPages
	}
	learned, err := e.Learn.Finish(s)
	if err != nil {
		return nil, err
	}
	if len(learned.Body) > algorithms.MaxTemplate {
		t.Fatalf("%s: a template of %d bytes", e.Name, len(learned.Body))
	}
	value, err := e.Learn.Open(learned.Body)
	if err != nil {
		t.Fatalf("%s: cannot open what it learned: %v", e.Name, err)
	}
	out := &Template{Learned: learned, Value: value, e: e}
	for _, p := range s.Pages {
		out.Ranks = append(out.Ranks, p.Rank)
	}
	return out, nil
}

// SampleOf sketches pages and puts them in the order of their ranks. Pages that
// are too large are left out.
func SampleOf(t testing.TB, e *algorithms.Extractor, sample []SitePage, others ...SitePage) *algorithms.Sample {
	t.Helper()
	var s algorithms.Sample
	for _, p := range byRank(sample) {
		if data, ok := sketch(t, e, new(bench), p); ok {
			s.Pages = append(s.Pages, algorithms.Sketched{Rank: p.rank(), Data: data})
		}
	}
	if e.Learn.Linked {
		s.Linked = linked(t, e, sample, others)
	}
	return &s
}

func byRank(pages []SitePage) []SitePage {
	sorted := slices.Clone(pages)
	slices.SortFunc(sorted, func(a, b SitePage) int { return cmp.Compare(a.rank(), b.rank()) })
	return slices.CompactFunc(sorted, func(a, b SitePage) bool { return a.rank() == b.rank() })
}

// sketch sketches one page on the given bench; ok is false if it is too large.
func sketch(t testing.TB, e *algorithms.Extractor, b *bench, p SitePage) (data []byte, ok bool) {
	t.Helper()
	b.page.Parse([]byte(p.HTML), page.Options{})
	b.pass.Reset(&b.page, p.URL)
	data, err := e.Learn.Sketch(&b.pass)
	switch {
	case errors.Is(err, algorithms.ErrPageTooLarge):
		return nil, false
	case err != nil:
		t.Fatalf("%s: %s: %v", e.Name, p.URL, err)
	case len(data) > algorithms.MaxSketch:
		t.Fatalf("%s: %s: a sketch of %d bytes", e.Name, p.URL, len(data))
	case !b.pass.Out.Empty() || len(b.pass.Notes) > 0:
		t.Fatalf("%s: %s: a sketch selects", e.Name, p.URL)
	}
	return slices.Clone(data), true
}

// linked returns the pages that most pages of the sample link to, best first. At
// least two pages link to each of them.
func linked(t testing.TB, e *algorithms.Extractor, sample, others []SitePage) []algorithms.Sketched {
	t.Helper()
	degree := map[uint64]uint64{}
	for i, p := range byRank(sample) {
		var b bench
		b.page.Parse([]byte(p.HTML), page.Options{})
		b.pass.Reset(&b.page, p.URL)
		for _, to := range website.Links.Of(&b.pass).Ranks {
			degree[to] |= 1 << i
		}
	}
	var out []algorithms.Sketched
	for _, p := range byRank(append(slices.Clone(sample), others...)) {
		if bits.OnesCount64(degree[p.rank()]) < 2 {
			continue
		}
		if data, ok := sketch(t, e, new(bench), p); ok {
			out = append(out, algorithms.Sketched{Rank: p.rank(), Data: data})
		}
	}
	slices.SortStableFunc(out, func(a, b algorithms.Sketched) int {
		return cmp.Compare(bits.OnesCount64(degree[b.Rank]), bits.OnesCount64(degree[a.Rank]))
	})
	return out[:min(len(out), algorithms.MaxLinked)]
}

// Run applies the template to a page, which may be one of the sample, and
// returns the pass with the answer.
func (l *Template) Run(t testing.TB, p SitePage) *algorithms.Pass {
	t.Helper()
	b := new(bench)
	l.run(t, b, p, slices.Index(l.Ranks, p.rank()))
	return &b.pass
}

// Text returns the text of a page that the template keeps, which may be one of the
// sample.
func (l *Template) Text(t testing.TB, p SitePage) string {
	t.Helper()
	pass := l.Run(t, p)
	return string(pass.AppendText(nil))
}

func (l *Template) run(t testing.TB, b *bench, p SitePage, at int) []byte {
	t.Helper()
	b.page.Parse([]byte(p.HTML), page.Options{})
	b.pass.Reset(&b.page, p.URL)
	b.pass.Template = &algorithms.Template{Value: l.Value, Ranks: l.Ranks, Page: at}
	if err := l.e.Run(&b.pass); err != nil {
		if !errors.Is(err, algorithms.ErrPageTooLarge) {
			t.Fatalf("%s: %s: %v", l.e.Name, p.URL, err)
		}
		if !b.pass.Out.Empty() {
			t.Fatalf("%s: %s: too large, and something is selected", l.e.Name, p.URL)
		}
		return nil
	}
	if err := b.pass.Validate(); err != nil {
		t.Fatalf("%s: %s: %v", l.e.Name, p.URL, err)
	}
	return b.pass.AppendText(nil)
}
