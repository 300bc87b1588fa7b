package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"runtime/debug"
	"slices"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
)

const (
	// maxState bounds the sketches that an extractor holds for one site. A page
	// whose sketch would exceed the bound is left out.
	maxState = 16 << 20
	// linkLooks bounds the number of link targets that are read to find eligible ones.
	linkLooks = 4 * algorithms.MaxLinked
	// maxTargets bounds the number of link targets that are remembered for one site.
	maxTargets = (template.SamplePages + (template.SamplePages+4)/5) * website.MaxLinks
)

// ErrNoPage means that there is no page at the location of a candidate any more. The
// candidate is then left out.
var ErrNoPage = errors.New("learn: no page at this location")

// Crawl gives an Engine the pages of a crawl.
type Crawl interface {
	// Page returns the HTML of a candidate, which is valid until the next call.
	// ErrNoPage leaves the page out. Any other error ends the learning of the site.
	Page(c *schemas.Candidate) ([]byte, error)
	// Seek is called before Captures for each site. It gets the ranks for which
	// Captures may be called.
	Seek(ranks []uint64) error
	// Captures returns the HTML pages of the site whose address has a rank, the best
	// first, schemas.TargetCaptures at most. It is called only for extractors that follow
	// links.
	Captures(rank uint64) []*schemas.Candidate
}

// Made is a template and the time that learning it took.
type Made struct {
	template.Template
	LearnNS int64  // time of the sketches and of Finish
	Detail  string // the cause of a failure, for the log
}

// Engine learns the templates of one site after the other. It may be used by one
// goroutine only, and reuses its page.
type Engine struct {
	methods []template.Method
	reading page.Options
	page    page.Page
	pass    algorithms.Pass
	now     func() time.Duration

	states []state
	// masks has, for each link target, the set of sample pages that link to it.
	masks map[uint64]uint64
}

// state holds what an extractor has gathered about the current site.
type state struct {
	sample algorithms.Sample
	bytes  int
	failed int // pages that it could not sketch because of a defect of its own
	detail string
	ns     int64
}

// NewEngine returns an Engine for methods. Pages are read with opt.
func NewEngine(methods []template.Method, opt page.Options) *Engine {
	began := time.Now()
	return &Engine{methods: methods, reading: opt, states: make([]state, len(methods)), masks: map[uint64]uint64{},
		now: func() time.Duration { return time.Since(began) }}
}

// Long returns the long list of a site's candidates. It is as long as the extractor
// with the largest sample needs.
func (e *Engine) Long(kept []*schemas.Candidate) []*schemas.Candidate {
	n := 0
	for i := range e.methods {
		n = max(n, longFor(e.methods[i].Pages()))
	}
	return long(kept, n)
}

// wants reports whether extractor i takes the page at a position of the long list into
// its sample.
func (e *Engine) wants(i, place int) bool {
	n := e.methods[i].Pages()
	return place < longFor(n) && len(e.states[i].sample.Pages) < n
}

// Site learns from the long list of a site. which selects the extractors that learn
// (nil: all). learned becomes the date of the templates.
func (e *Engine) Site(long []*schemas.Candidate, crawl Crawl, which func(template.Method) bool, learned int64) ([]Made, error) {
	clear(e.masks)
	linked := false
	active := make([]bool, len(e.methods))
	for i, m := range e.methods {
		e.states[i] = state{}
		active[i] = which == nil || which(m)
		linked = linked || active[i] && m.Learner.Linked
	}
	places := 0 // the number of sample pages in masks
	for place, c := range long {
		open := false
		for i := range e.states {
			open = open || active[i] && e.wants(i, place)
		}
		if !open {
			break
		}
		ok, err := e.parse(c, crawl)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		follow := false // some extractor that follows links has the page in its sample
		for i, m := range e.methods {
			if active[i] && e.wants(i, place) && e.sketch(i, c.Rank, &e.states[i].sample.Pages) {
				follow = follow || m.Learner.Linked
			}
		}
		if follow && places < template.SamplePages {
			e.links(uint(places))
			places++
		}
	}
	if linked {
		if err := e.candidates(long, crawl, active); err != nil {
			return nil, err
		}
	}
	var out []Made
	for i := range e.methods {
		if active[i] {
			out = append(out, e.finish(i, learned))
		}
	}
	return out, nil
}

// parse makes the pass ready for a candidate. It returns false if there is no page.
func (e *Engine) parse(c *schemas.Candidate, crawl Crawl) (ok bool, err error) {
	html, err := crawl.Page(c)
	if errors.Is(err, ErrNoPage) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return e.Parse(html, c.URL), nil
}

// guarded calls f, which works on the page of the Engine, and reports whether it did not panic.
func (e *Engine) guarded(f func()) (ok bool) {
	defer func() {
		if recover() != nil {
			e.page, e.pass, ok = page.Page{}, algorithms.Pass{}, false
		}
	}()
	f()
	return true
}

// Parse makes Pass ready for a page. It returns false if parsing panics.
func (e *Engine) Parse(html []byte, url string) (ok bool) {
	return e.guarded(func() {
		e.page.Parse(html, e.reading)
		e.pass.Reset(&e.page, url)
	})
}

// Eligible returns the hash of the text of the page that was parsed last, and whether
// the page may be in a sample. It may not if an extractor panics on it.
func (e *Engine) Eligible() (hash uint64, ok bool) {
	done := e.guarded(func() {
		if ok = website.Eligible(&e.pass); ok {
			hash = website.TextHash(&e.pass)
		}
	})
	return hash, ok && done
}

// sketch adds the sketch that extractor i makes of the page to a list. taken is false
// if the sketch is empty or too large.
func (e *Engine) sketch(i int, rank uint64, to *[]algorithms.Sketched) (taken bool) {
	s, began := &e.states[i], e.now()
	data, err := e.call(e.methods[i].Learner)
	s.ns += int64(e.now() - began)
	switch {
	case err == nil && len(data) <= algorithms.MaxSketch && s.bytes+len(data) <= maxState:
		s.bytes += len(data)
		*to = append(*to, algorithms.Sketched{Rank: rank, Data: slices.Clone(data)})
		return true
	case err != nil && !errors.Is(err, algorithms.ErrPageTooLarge):
		s.failed++
		s.detail = cmp.Or(s.detail, err.Error())
	}
	return false
}

// call runs Learner.Sketch and turns a panic into an error.
func (e *Engine) call(l *algorithms.Learner) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("sketch: panic: %v\n%s", v, debug.Stack())
			url := e.pass.URL
			e.pass = algorithms.Pass{} // features may be incomplete
			e.pass.Reset(&e.page, url)
		}
	}()
	e.pass.Clear()
	e.pass.Template = nil
	return l.Sketch(&e.pass)
}

// links notes the link targets of the page at a position of the sample.
func (e *Engine) links(place uint) {
	e.guarded(func() {
		for _, rank := range website.Links.Of(&e.pass).Ranks {
			if mask, known := e.masks[rank]; known || len(e.masks) < maxTargets {
				e.masks[rank] = mask | 1<<place
			}
		}
	})
}

// target is a page that sample pages link to.
type target struct {
	rank uint64
	in   int
}

// targets returns the pages to which at least two sample pages link, the most linked
// first.
func (e *Engine) targets() []target {
	var out []target
	for rank, mask := range e.masks {
		if n := bits.OnesCount64(mask); n >= 2 {
			out = append(out, target{rank, n})
		}
	}
	slices.SortFunc(out, func(a, b target) int { return cmp.Or(cmp.Compare(b.in, a.in), cmp.Compare(a.rank, b.rank)) })
	return out
}

// candidates sketches the most linked pages that the crawl has, for the extractors that
// follow links.
func (e *Engine) candidates(long []*schemas.Candidate, crawl Crawl, active []bool) error {
	if len(long) == 0 {
		return nil
	}
	targets := e.targets()
	ranks := make([]uint64, len(targets))
	for i, t := range targets {
		ranks[i] = t.rank
	}
	if err := crawl.Seek(ranks); err != nil {
		return err
	}
	found, looks := 0, 0
	for _, t := range targets {
		if found == algorithms.MaxLinked || looks == linkLooks {
			break
		}
		captures := crawl.Captures(t.rank)
		if len(captures) == 0 {
			continue // the crawl does not have this page
		}
		looks++
		for _, c := range captures {
			ok, err := e.parse(c, crawl)
			if err != nil {
				return err
			}
			if _, eligible := e.Eligible(); !ok || !eligible {
				continue
			}
			found++
			for i, m := range e.methods {
				if active[i] && m.Learner.Linked {
					// The rank is that of the link's address. The page has another rank
					// if the link leads to a redirect.
					e.sketch(i, t.rank, &e.states[i].sample.Linked)
				}
			}
			break
		}
	}
	return nil
}

// finish makes the template of extractor i from what was gathered.
func (e *Engine) finish(i int, learned int64) Made {
	m, s := e.methods[i], &e.states[i]
	t := Made{Template: template.Template{Method: m.Name, Version: m.Learner.Version, Learned: learned, Status: template.StatusOK, Linked: len(s.sample.Linked)}}
	for _, p := range s.sample.Pages {
		t.Ranks = append(t.Ranks, p.Rank)
	}
	if n := len(s.sample.Pages); n < max(1, m.Learner.MinPages) {
		t.Status, t.Detail, t.LearnNS = template.StatusTooFewPages, s.detail, s.ns
		if n+s.failed >= max(1, m.Learner.MinPages) {
			t.Status = template.StatusLearnFailed // there were enough pages, but the extractor failed on them
		}
		return t
	}
	began := e.now()
	got, err := fold(m.Learner, &s.sample)
	t.LearnNS = s.ns + int64(e.now()-began)
	switch {
	case errors.Is(err, algorithms.ErrTooFewPages):
		t.Status = template.StatusTooFewPages
	case errors.Is(err, algorithms.ErrOversize), err == nil && len(got.Body) > algorithms.MaxTemplate:
		t.Status = template.StatusOversize
	case err != nil:
		t.Status, t.Detail = template.StatusLearnFailed, err.Error()
	case got.Nothing:
		t.Status = template.StatusEmpty
	}
	if !t.Usable() {
		return t
	}
	t.Body, t.Clusters, t.Notes = got.Body, min(max(got.Clusters, 0), algorithms.MaxSample), slices.Clone(got.Notes)
	if len(t.Ranks) < m.Pages() {
		t.Notes = append(t.Notes, template.FlagSmallSample)
	}
	slices.Sort(t.Notes)
	t.Notes = slices.Compact(t.Notes)
	if len(t.Notes) > template.MaxNotes {
		t.Notes = t.Notes[:template.MaxNotes]
	}
	return t
}

// fold runs Learner.Finish and opens the template that it returns. A panic becomes an
// error.
func fold(l *algorithms.Learner, s *algorithms.Sample) (got algorithms.Learned, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("finish: panic: %v\n%s", v, debug.Stack())
		}
	}()
	if got, err = l.Finish(s); err != nil || len(got.Body) > algorithms.MaxTemplate {
		return got, err
	}
	if _, err := l.Open(got.Body); err != nil { // a template that cannot be opened would fail on every page
		return got, fmt.Errorf("finish: what it made cannot be opened: %w", err)
	}
	return got, nil
}

// Failed returns the entries of the templates of a site whose learning was given up.
func (e *Engine) Failed(learned int64) []Made {
	var out []Made
	for _, m := range e.methods {
		out = append(out, Made{Template: template.Template{Method: m.Name, Version: m.Learner.Version, Learned: learned, Status: template.StatusLearnFailed}})
	}
	return out
}
