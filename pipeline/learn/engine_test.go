package learn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
)

// hundred words, so that every page is eligible.
var hundred = strings.Repeat("grain and chaff part in the wind of ", 13)

// fakeCrawl has pages by their number, which is also their rank.
type fakeCrawl struct {
	html  map[uint64]string
	reads []uint64

	sought []uint64
}

func (f *fakeCrawl) Page(c *schemas.Candidate) ([]byte, error) {
	f.reads = append(f.reads, c.Rank)
	html, ok := f.html[c.Rank]
	if !ok {
		return nil, ErrNoPage
	}
	if html == "away" {
		return nil, errAway
	}
	return []byte(html), nil
}

var errAway = errors.New("the store is away")

func (f *fakeCrawl) Seek(ranks []uint64) error {
	f.sought = ranks
	return nil
}

func (f *fakeCrawl) Captures(rank uint64) []*schemas.Candidate {
	if _, ok := f.html[rank]; !ok {
		return nil
	}
	return []*schemas.Candidate{{Site: "a.example", Rank: rank, URL: fmt.Sprintf("http://a.example/%d", rank)}}
}

func numbered(n int) []*schemas.Candidate {
	var out []*schemas.Candidate
	for i := range n {
		out = append(out, &schemas.Candidate{Site: "a.example", Rank: uint64(i + 1), URL: fmt.Sprintf("http://a.example/%d", i+1)})
	}
	return out
}

// lister is an extractor whose template is the list of the pages that it was given.
func lister(name string, sketch func(p *algorithms.Pass) ([]byte, error)) template.Method {
	return template.Method{Name: name, Learner: &algorithms.Learner{Version: 2, MinPages: 3, Sketch: sketch,
		Finish: func(s *algorithms.Sample) (algorithms.Learned, error) {
			var body []byte
			for _, p := range s.Pages {
				body = binary.BigEndian.AppendUint64(body, p.Rank)
			}
			return algorithms.Learned{Body: body, Notes: []string{"b", "a"}}, nil
		},
		Open: func(b []byte) (any, error) { return len(b), nil },
	}}
}

func number(p *algorithms.Pass) uint64 {
	var n uint64
	fmt.Sscanf(p.URL, "http://a.example/%d", &n)
	return n
}

func TestSampleIsTheFirstPagesThatCanBeSketched(t *testing.T) {
	crawl := &fakeCrawl{html: map[uint64]string{}}
	for i := range 30 {
		crawl.html[uint64(i+1)] = "<p>" + hundred
	}
	delete(crawl.html, 4) // the page is not in the crawl any more
	engine := NewEngine([]template.Method{
		lister("all", func(*algorithms.Pass) ([]byte, error) { return []byte("x"), nil }),
		lister("even", func(p *algorithms.Pass) ([]byte, error) {
			if number(p)%2 == 1 {
				return nil, algorithms.ErrPageTooLarge
			}
			return []byte("x"), nil
		}),
		lister("panics", func(p *algorithms.Pass) ([]byte, error) {
			if number(p) > 2 {
				panic("own defect")
			}
			return []byte("x"), nil
		}),
		lister("vast", func(p *algorithms.Pass) ([]byte, error) {
			if number(p) < 4 {
				return make([]byte, algorithms.MaxSketch+1), nil
			}
			return make([]byte, algorithms.MaxSketch), nil
		}),
	}, page.Options{})
	for range 2 { // the second round finds nothing left of the site before
		crawl.reads = nil
		made, err := engine.Site(numbered(30), crawl, nil, 77)
		if err != nil {
			t.Fatal(err)
		}
		if len(crawl.reads) != 30 {
			t.Errorf("%d pages were read, want 30: one method wanted more", len(crawl.reads))
		}
		all := made[0]
		if all.Status != template.StatusOK || len(all.Ranks) != template.SamplePages || all.Ranks[0] != 1 || all.Ranks[24] != 26 || all.Learned != 77 || all.Version != 2 {
			t.Errorf("all: %+v", all.Template)
		}
		if fmt.Sprint(all.Notes) != "[a b]" || len(all.Body) != 25*8 {
			t.Errorf("all: notes %v, %d bytes", all.Notes, len(all.Body))
		}
		if even := made[1]; even.Status != template.StatusOK || fmt.Sprint(even.Ranks) != "[2 6 8 10 12 14 16 18 20 22 24 26 28 30]" || !slices.Contains(even.Notes, template.FlagSmallSample) {
			t.Errorf("even: %+v", even.Template)
		}
		if p := made[2]; p.Status != template.StatusLearnFailed || len(p.Body) != 0 || !strings.Contains(p.Detail, "own defect") {
			t.Errorf("panics: %+v, %.60s", p.Template, p.Detail)
		}
		// The bound of 16 MiB admits 32 of the largest sketches. The sketches of 5 to
		// 30 are smaller in total.
		if v := made[3]; v.Status != template.StatusOK || len(v.Ranks) != 25 || v.Ranks[0] != 5 {
			t.Errorf("vast: %+v", v.Template.Ranks)
		}
	}
	crawl.html[1] = "away"
	if _, err := engine.Site(numbered(30), crawl, nil, 77); !errors.Is(err, errAway) {
		t.Errorf("a store that is away: %v", err)
	}
}

// An extractor may want a larger sample than others. Its long list is longer, and the
// long lists of the others are not.
func TestSampleOfAnotherSize(t *testing.T) {
	crawl := &fakeCrawl{html: map[uint64]string{}}
	kept := numbered(schemas.SitePages)
	for i, c := range kept {
		crawl.html[c.Rank], c.TextHash = "<p>"+hundred, uint64(i)
	}
	few := func(p *algorithms.Pass) ([]byte, error) {
		if number(p) < 20 {
			return nil, algorithms.ErrPageTooLarge
		}
		return []byte("x"), nil
	}
	large, usual := lister("large", few), lister("usual", few)
	large.Learner.Pages = 40
	engine := NewEngine([]template.Method{large, usual}, page.Options{})
	long := engine.Long(kept)
	if len(long) != 48 || longFor(64) != 64 || longFor(template.SamplePages) != template.LongList(template.SamplePages) {
		t.Errorf("long list of %d pages, want 40 and a fifth", len(long))
	}
	made, err := engine.Site(long, crawl, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if r := made[0].Ranks; len(r) != 29 || r[28] != 48 || !slices.Contains(made[0].Notes, template.FlagSmallSample) {
		t.Errorf("large: %v %v", r, made[0].Notes)
	}
	if r := made[1].Ranks; len(r) != 11 || r[10] != 30 {
		t.Errorf("usual: %v", r)
	}
	if made, err = NewEngine([]template.Method{large}, page.Options{}).Site(kept[20:], crawl, nil, 0); err != nil || len(made[0].Ranks) != 40 || slices.Contains(made[0].Notes, template.FlagSmallSample) {
		t.Errorf("of enough pages: %v, %v", made, err)
	}
}

// Five pages link to a few others. The pages with the most links come first, and pages
// with equally many links are ordered by rank. Targets with one link, targets that are
// not in the crawl, and targets that are not eligible pages do not count.
func TestLinkCandidates(t *testing.T) {
	links := map[uint64][]string{1: {"/a", "/b", "/c", "/d", "/e"}, 2: {"/a", "/b", "/d", "/e"}, 3: {"/a", "/e"}}
	crawl := &fakeCrawl{html: map[uint64]string{}}
	rank := func(path string) uint64 { return website.RankOf("http://a.example" + path) }
	for n, to := range links {
		var b strings.Builder
		for _, path := range to {
			fmt.Fprintf(&b, "<a href='%s'>%s</a> ", path, path)
		}
		crawl.html[n] = "<p>" + hundred + b.String()
	}
	crawl.html[rank("/a")] = "<p>" + hundred
	crawl.html[rank("/b")] = "<p>" + hundred
	crawl.html[rank("/c")] = "<p>" + hundred
	crawl.html[rank("/d")] = "<p>few words"
	// "/e" was not captured
	var got []uint64
	m := lister("links", func(p *algorithms.Pass) ([]byte, error) { return []byte(p.URL), nil })
	m.Learner.Linked = true
	m.Learner.Finish = func(s *algorithms.Sample) (algorithms.Learned, error) {
		got = nil
		for _, l := range s.Linked {
			got = append(got, l.Rank)
		}
		return algorithms.Learned{}, nil
	}
	made, err := NewEngine([]template.Method{m}, page.Options{}).Site(numbered(3), crawl, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{rank("/a"), rank("/e")}; len(crawl.sought) != 4 || !slices.Contains(crawl.sought[:2], want[0]) || !slices.Contains(crawl.sought[:2], want[1]) {
		t.Errorf("sought %x, want four, of which %x first", crawl.sought, want)
	}
	if want := []uint64{rank("/a"), rank("/b")}; !slices.Equal(got, want) || made[0].Linked != 2 {
		t.Errorf("linked %x, want %x", got, want)
	}
}

// Only links of sample pages count. A page that is too large for the extractors that
// follow links is not in their samples, so its links do not count.
func TestLinksOfPagesOutsideTheSample(t *testing.T) {
	crawl := &fakeCrawl{html: map[uint64]string{}}
	for n, path := range map[uint64]string{1: "/a", 2: "/b", 3: "/a", 4: "/b", 5: "/b"} {
		crawl.html[n] = "<p>" + hundred + "<a href='" + path + "'>x</a>"
	}
	for _, path := range []string{"/a", "/b"} {
		crawl.html[website.RankOf("http://a.example"+path)] = "<p>" + hundred
	}
	follows := lister("follows", func(p *algorithms.Pass) ([]byte, error) {
		if n := number(p); n == 2 || n == 4 {
			return nil, algorithms.ErrPageTooLarge
		}
		return []byte("x"), nil
	})
	follows.Learner.Linked = true
	other := lister("other", func(*algorithms.Pass) ([]byte, error) { return []byte("x"), nil })
	made, err := NewEngine([]template.Method{follows, other}, page.Options{}).Site(numbered(5), crawl, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{website.RankOf("http://a.example/a")}; !slices.Equal(crawl.sought, want) || made[0].Linked != 1 {
		t.Errorf("sought %x, %d linked; want %x: one page of the sample links to the other", crawl.sought, made[0].Linked, want)
	}
}

func TestWhatFinishSaysBecomesTheStatus(t *testing.T) {
	crawl := &fakeCrawl{html: map[uint64]string{1: "<p>" + hundred, 2: "<p>" + hundred, 3: "<p>" + hundred}}
	for want, finish := range map[string]func() (algorithms.Learned, error){
		template.StatusOK:          func() (algorithms.Learned, error) { return algorithms.Learned{Body: []byte("x")}, nil },
		template.StatusEmpty:       func() (algorithms.Learned, error) { return algorithms.Learned{Nothing: true}, nil },
		template.StatusTooFewPages: func() (algorithms.Learned, error) { return algorithms.Learned{}, algorithms.ErrTooFewPages },
		template.StatusOversize:    func() (algorithms.Learned, error) { return algorithms.Learned{}, algorithms.ErrOversize },
		template.StatusLearnFailed: func() (algorithms.Learned, error) { panic("own defect") },
	} {
		m := lister("m", func(*algorithms.Pass) ([]byte, error) { return []byte("x"), nil })
		m.Learner.Finish = func(*algorithms.Sample) (algorithms.Learned, error) { return finish() }
		made, err := NewEngine([]template.Method{m}, page.Options{}).Site(numbered(3), crawl, nil, 0)
		if err != nil || made[0].Status != want {
			t.Errorf("%s: %s, %v", want, made[0].Status, err)
		}
		made, err = NewEngine([]template.Method{m}, page.Options{}).Site(numbered(2), crawl, nil, 0)
		if err != nil || made[0].Status != template.StatusTooFewPages || len(made[0].Ranks) != 2 {
			t.Errorf("%s with two pages: %+v, %v", want, made[0].Template, err)
		}
	}
}
