package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// endless is an extractor or scorer that does not return before the test ends. It
// signals that it has begun, and keeps reading and writing its input.
type endless struct{ began, end chan struct{} }

func newEndless(t *testing.T) *endless {
	e := &endless{make(chan struct{}), make(chan struct{})}
	t.Cleanup(func() { close(e.end) })
	return e
}

func (e *endless) run(work func()) {
	e.began <- struct{}{}
	for {
		select {
		case <-e.end:
			return
		default:
			work()
		}
	}
}

// driveWith returns a function that runs d on a page. Whenever one of several
// extractors is seen to be endless, that function ends the time of the current step.
func driveWith(t *testing.T, d *Driver, several ...*endless) func(in Input) *Result {
	d.overdue = make(chan struct{})
	for _, e := range several {
		go func() {
			for range e.began {
				d.overdue <- struct{}{}
			}
		}()
		t.Cleanup(func() { close(e.began) })
	}
	return func(in Input) *Result {
		t.Helper()
		r, err := d.Page(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// TestEndlessExtractor checks that an extractor that never returns only affects its own
// row: the extractors before and after it, and later pages, have the same results as
// without it.
func TestEndlessExtractor(t *testing.T) {
	e := newEndless(t)
	hangs := false
	spins := extractor("spins", func(p *algorithms.Pass) error {
		if hangs {
			e.run(func() {
				p.Out.AddSpan(p.Body, page.Span{Start: 0, End: 1})
				p.Out.Reset()
			})
		}
		return everything(p)
	})
	length := &algorithms.Scorer{Description: algorithms.Description{Name: "length"}, Score: func(t *algorithms.Trial) algorithms.Score {
		return algorithms.FromCounts(1, int64(len(t.Text)), int64(len(t.Gold.Page.Body().Text)))
	}}
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{extractor("first", everything), spins, extractor("last", everything)},
		Scorers:    []*algorithms.Scorer{length}, MethodTime: time.Hour,
	})
	drive := driveWith(t, d, e)
	in := func(i int) Input {
		return Input{HTML: fmt.Appendf(nil, "<p>Page %d of grain", i), Gold: &Gold{Text: "grain"}}
	}
	for i := range 4 {
		hangs = i%2 == 1
		r := drive(in(i))
		if r.Stuck != hangs {
			t.Errorf("page %d: stuck is %v, want %v", i, r.Stuck, hangs)
		}
		for k, x := range r.Extractions {
			want := fmt.Sprintf("ok  Page %d of grain 15 15 ", i)
			if k == 1 && hangs {
				want = "failed timeout  0 0 no_answer"
			}
			s := x.Scores[0].Score
			if got := fmt.Sprintln(x.Outcome, x.Reason, strings.TrimSpace(string(x.Text)), s.Extracted, s.Gold, s.Reason); got != want+"\n" {
				t.Errorf("page %d, %s: %q, want %q", i, x.Extractor.Name, got, want)
			}
		}
	}
}

// TestEndlessScorer checks that a scorer that never returns only affects its own
// score, and keeps no memory of the budget.
func TestEndlessScorer(t *testing.T) {
	e, budget := newEndless(t), newLedger(1<<20)
	scorer := func(name string) *algorithms.Scorer {
		return &algorithms.Scorer{Description: algorithms.Description{Name: name}, Score: func(t *algorithms.Trial) algorithms.Score {
			if name == "spins" && strings.HasPrefix(string(t.Text), "Grain") {
				sum := 0
				e.run(func() {
					for _, c := range t.Text {
						sum += int(c)
					}
				})
			}
			return algorithms.FromCounts(1, int64(len(t.Text)), int64(len(t.Gold.Page.Body().Text)))
		}}
	}
	half := extractor("half", func(p *algorithms.Pass) error {
		p.Out.AddSpan(p.Body, page.Span{Start: 6, End: 9})
		return nil
	})
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{half, extractor("all", everything), extractor("same", everything), named(half, "half again")},
		Scorers:    []*algorithms.Scorer{scorer("before"), scorer("spins"), scorer("after")}, MethodTime: time.Hour,
		Budget: budget,
	})
	drive := driveWith(t, d, e)
	defer func() {
		if budget.held != 0 {
			t.Errorf("%d bytes are held", budget.held)
		}
	}()
	for _, first := range []string{"Grain", "Chaff", "Grain"} {
		hangs := first == "Grain"
		r := drive(Input{HTML: []byte("<p>" + first + " and chaff"), Gold: &Gold{Text: "gold"}})
		if r.Stuck != hangs {
			t.Errorf("%s: stuck is %v, want %v", first, r.Stuck, hangs)
		}
		for _, x := range r.Extractions {
			for j, s := range x.Scores {
				want := algorithms.FromCounts(1, int64(len(x.Text)), 15)
				if hangs && j == 1 && len(x.Text) > 4 {
					want = algorithms.Score{Reason: algorithms.ReasonTimeout}
				}
				if s.Score != want {
					t.Errorf("%s, %s of %s (%q): %+v, want %+v", first, s.Scorer.Name, x.Extractor.Name, x.Text, s.Score, want)
				}
			}
		}
	}
}

// named returns a copy of e with another name.
func named(e *algorithms.Extractor, name string) *algorithms.Extractor {
	second := *e
	second.Name = name
	return &second
}

// TestUnwatched checks that without a time bound the caller's goroutine does all work.
func TestUnwatched(t *testing.T) {
	var stack []byte
	d := newDriver(t, Config{MethodTime: -1, Extractors: []*algorithms.Extractor{extractor("all", func(p *algorithms.Pass) error {
		stack = debug.Stack()
		return everything(p)
	})}})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil || r.Extractions[0].Outcome != algorithms.OK || !bytes.Contains(stack, []byte("TestUnwatched(")) {
		t.Errorf("%+v, %v, in\n%s", r, err, stack)
	}
}

// TestUnlimited checks that programs and the wait for memory may take any time.
func TestUnlimited(t *testing.T) {
	var w watched
	w.unlimited()
	w.renew()
	if rest, _ := w.rest(time.Nanosecond); rest != time.Nanosecond || w.left {
		t.Errorf("%v is left, abandoned %v", rest, w.left)
	}
	w.enter(step{0, extracting})
	if rest, at := w.rest(0); rest > 0 || !w.left || at != (step{0, extracting}) {
		t.Errorf("%v is left of step %v, abandoned %v", rest, at, w.left)
	}
}

// TestPanicOutsideOfMethods checks that a panic that belongs to no method costs its page
// and no other.
func TestPanicOutsideOfMethods(t *testing.T) {
	broken := true
	program := &algorithms.Extractor{Description: algorithms.Description{Name: "program"}, Command: []string{"program"}}
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{extractor("all", everything), program},
		Isolate: func(context.Context, *algorithms.Extractor, Input, time.Duration) (Answer, error) {
			if broken {
				panic("a defect")
			}
			return Answer{Text: "Grain"}, nil
		},
	})
	in := Input{HTML: []byte(html)}
	var panicked *PanicError
	if _, err := d.Page(t.Context(), in); !errors.As(err, &panicked) || panicked.Value != "a defect" {
		t.Errorf("error %v", err)
	}
	broken = false
	r, err := d.Page(t.Context(), in)
	if err != nil || string(r.Extractions[1].Text) != "Grain" || r.Extractions[0].Outcome != algorithms.OK || r.Stuck {
		t.Errorf("%+v, %v", r, err)
	}
}
