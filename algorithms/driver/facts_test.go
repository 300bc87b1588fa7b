package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// newFact returns a fact with one column of the page or of the text.
func newFact(name string, ofPage, ofText func(*fact.Subject) error) *fact.Fact {
	f := &fact.Fact{Description: algorithms.Description{Name: name}}
	column := []fact.Column{{Name: name, Kind: fact.KindText}}
	if ofPage != nil {
		f.Page = &fact.Finder{Columns: column, Find: ofPage}
	}
	if ofText != nil {
		f.Text = &fact.Finder{Columns: column, Find: ofText}
	}
	return f
}

func says(text string) func(*fact.Subject) error {
	return func(s *fact.Subject) error { s.Out[0].SetText(text); return nil }
}

// repeats counts its calls and finds the text itself.
func repeats(calls *int) func(*fact.Subject) error {
	return func(s *fact.Subject) error {
		*calls++
		s.Out[0].SetText(fmt.Sprintf("%d bytes of %s", len(s.Text), s.Headers[0].Value))
		return nil
	}
}

func panics(s *fact.Subject) error { s.Out[0].SetText("half done"); panic("a defect") }

func fails(s *fact.Subject) error {
	s.Out[0].SetText("half done")
	return errors.New("a defect")
}

// shown returns all facts of a result in a line, with those that failed.
func shown(r *Result) string {
	var b strings.Builder
	line := func(values []fact.Value, unfound []Unfound) {
		for _, v := range values {
			fmt.Fprintf(&b, "%q ", v.Text)
		}
		for _, u := range unfound {
			fmt.Fprintf(&b, "%s:%s ", u.Fact, u.Reason)
		}
	}
	line(r.Facts, r.Unfound)
	for i := range r.Extractions {
		x := &r.Extractions[i]
		fmt.Fprintf(&b, "| %s ", x.Extractor.Name)
		line(x.Facts, x.Unfound)
	}
	return strings.TrimSpace(b.String())
}

func factInput() Input {
	return Input{HTML: []byte(html), Headers: []fact.Header{{Name: "content-language", Value: "en"}}}
}

// TestFacts checks that the facts of a page and of its texts are found in the order of
// the configuration, that a fact that fails leaves nulls and a reason and nothing else,
// and that equal texts are read once.
func TestFacts(t *testing.T) {
	calls := 0
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{
			extractor("all", everything), extractor("broken", func(*algorithms.Pass) error { return errors.New("a defect") }),
			extractor("same", everything), extractor("none", func(*algorithms.Pass) error { return nil }),
		},
		Facts: []*fact.Fact{
			newFact("both", says("page"), repeats(&calls)), newFact("panics", panics, panics), newFact("fails", fails, fails), newFact("long", says(strings.Repeat("ü", maxFactText)), nil),
		},
	})
	for range 2 {
		calls = 0
		r, err := d.Page(t.Context(), factInput())
		if err != nil {
			t.Fatal(err)
		}
		long := r.Facts[3].Text
		if len(long) != maxFactText || strings.Trim(long, "ü") != "" {
			t.Errorf("a long text has %d bytes", len(long))
		}
		r.Facts[3].Text = ""
		const want = `"page" "" "" "" panics:panic fails:error ` +
			`| all "22 bytes of en" "" "" panics:panic fails:error | broken "" "" "" ` +
			`| same "22 bytes of en" "" "" panics:panic fails:error | none "0 bytes of en" "" "" panics:panic fails:error`
		if got := shown(r); got != want || calls != 2 {
			t.Errorf("%d calls:\n got %s\nwant %s", calls, got, want)
		}
		if !strings.Contains(r.Unfound[0].Detail, "facts_test.go") || r.Unfound[1].Detail != "a defect" {
			t.Errorf("details %q", r.Unfound)
		}
	}
}

// TestEndlessFact checks that a fact that never returns leaves only its own columns
// null: what was found before it, after it and on later pages is as without it.
func TestEndlessFact(t *testing.T) {
	e := newEndless(t)
	stuck := true
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{extractor("all", everything)},
		Facts: []*fact.Fact{
			newFact("before", says("before"), says("before")),
			newFact("endless", nil, func(s *fact.Subject) error {
				if stuck {
					e.run(func() { s.Out[0].SetText(string(s.Text[:1])) })
				}
				s.Out[0].SetText("done")
				return nil
			}),
			newFact("after", says("after"), says("after")),
		},
	})
	run := driveWith(t, d, e)
	r := run(factInput())
	if got, want := shown(r), `"before" "after" | all "before" "" "after" endless:timeout`; got != want || !r.Stuck {
		t.Errorf("stuck %v:\n got %s\nwant %s", r.Stuck, got, want)
	}
	stuck = false
	if got, want := shown(run(factInput())), `"before" "after" | all "before" "done" "after"`; got != want {
		t.Errorf("the page after:\n got %s\nwant %s", got, want)
	}
}

func TestFactsAreChosenOnce(t *testing.T) {
	f := newFact("a", says("a"), nil)
	if _, err := New(Config{Facts: []*fact.Fact{f, f}}); err == nil || !strings.Contains(err.Error(), "fact a is chosen twice") {
		t.Errorf("a fact that is chosen twice: %v", err)
	}
}
