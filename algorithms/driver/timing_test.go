package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// repeat returns n copies of values, one after the other.
func repeat(n int, values ...int64) (all []int64) {
	for range n {
		all = append(all, values...)
	}
	return all
}

// TestWindow checks the protocol on times computed by hand. The first execution is left
// out, and the others continue until the sample standard deviation of the last ten is
// below a tenth of their mean.
func TestWindow(t *testing.T) {
	tests := []struct {
		name       string
		times      []int64 // one for each execution
		executions int
		want       int64
	}{
		{"steady at once", append([]int64{5000}, repeat(10, 100)...), 11, 100},
		// Five times 91 and 109 have the mean 100 and the SD 9·sqrt(10/9) = 9.49.
		{"just steady", append([]int64{5000}, repeat(5, 91, 109)...), 11, 100},
		// Five times 90 and 110 have the SD 10.54, which is too large.
		{"never steady", append([]int64{5000}, repeat(50, 90, 110)...), 101, 100},
		// One 200 and nine times 100 have the mean 110 and the SD 31.6, until the 200
		// leaves the window.
		{"one slow", append([]int64{5000, 200}, repeat(10, 100)...), 12, 100},
		{"becomes steady", slices.Concat([]int64{5000}, repeat(3, 200, 400), repeat(10, 120)), 17, 120},
		{"coarse clock", repeat(11, 0), 11, 0},
		{"rounded", slices.Concat([]int64{9}, repeat(9, 10), []int64{11}), 11, 10},
	}
	for _, test := range tests {
		var clock int64
		calls := 0
		slow := &algorithms.Feature[int]{Name: "slow", Compute: func(dst *int, p *algorithms.Pass) { clock += 77 }}
		e := extractor("e", func(p *algorithms.Pass) error {
			slow.Of(p)
			clock += test.times[calls]
			calls++
			return everything(p)
		})
		d := newDriver(t, Config{Extractors: []*algorithms.Extractor{e, extractor("after", everything)}, Timing: Window})
		d.now = func() int64 { return clock }
		r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
		if err != nil {
			t.Fatal(err)
		}
		if calls != test.executions || r.Extractions[0].ExtractNS != test.want || r.FeatureNS != 77 || r.Extractions[1].ExtractNS != 0 {
			t.Errorf("%s: %d executions, %d ns, features %d ns; want %d, %d, 77", test.name, calls, r.Extractions[0].ExtractNS, r.FeatureNS, test.executions, test.want)
		}
	}
}

// TestWindowLeavesTheAnswer checks that the answer is that of the first execution,
// whatever later ones do, and that only the time differs from a single execution.
func TestWindowLeavesTheAnswer(t *testing.T) {
	methods := func(calls map[string]int) []*algorithms.Extractor {
		noting := extractor("noting", func(p *algorithms.Pass) error {
			p.Notes = append(p.Notes, "remark")
			p.Order = append(p.Order, page.Span{Start: 17, End: 22}, page.Span{Start: 0, End: 16})
			return everything(p)
		})
		wears := extractor("wears-out", func(p *algorithms.Pass) error {
			if calls["wears-out"]++; calls["wears-out"]%4 == 0 {
				panic("once too often")
			}
			return everything(p)
		})
		fails := extractor("fails", func(*algorithms.Pass) error { calls["fails"]++; return errors.New("own defect") })
		skips := extractor("skips", func(*algorithms.Pass) error { calls["skips"]++; return algorithms.ErrPageTooLarge })
		return []*algorithms.Extractor{noting, wears, fails, skips, command("library"), extractor("after", everything)}
	}
	type seen struct {
		outcome   algorithms.Outcome
		reason    algorithms.Reason
		text      string
		hash      uint64
		chars     int
		notes     []string
		spans     []page.Span
		selection bool
	}
	calls := map[Timing]map[string]int{}
	got := map[Timing][]seen{}
	for _, timing := range Timings {
		calls[timing] = map[string]int{}
		d := newDriver(t, Config{
			Extractors: methods(calls[timing]), Timing: timing,
			Isolate: func(context.Context, *algorithms.Extractor, Input, time.Duration) (Answer, error) {
				if calls[timing]["library"]++; calls[timing]["library"] > 3 {
					return Answer{}, errors.New("enough")
				}
				return Answer{Text: fmt.Sprint("Wind ", calls[timing]["library"])}, nil
			},
		})
		r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Extractions {
			x := &r.Extractions[i]
			got[timing] = append(got[timing], seen{x.Outcome, x.Reason, string(x.Text), x.TextHash, x.TextChars,
				slices.Clone(x.Notes), slices.Clone(x.Selection.Spans), x.HasSelection})
		}
	}
	if !reflect.DeepEqual(got[Single], got[Window]) {
		t.Errorf("once    %+v\nwindow  %+v", got[Single], got[Window])
	}
	if want := map[string]int{"wears-out": 1, "fails": 1, "skips": 1, "library": 1}; !reflect.DeepEqual(calls[Single], want) {
		t.Errorf("single executions: %v", calls[Single])
	}
	if want := map[string]int{"wears-out": 4, "fails": 1, "skips": 1, "library": 4}; !reflect.DeepEqual(calls[Window], want) {
		t.Errorf("executions in a window: %v", calls[Window])
	}
}

// TestWindowEnds checks that the repetition ends between two executions when its
// context ends.
func TestWindowEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	d := newDriver(t, Config{Timing: Window, Extractors: []*algorithms.Extractor{extractor("e", func(p *algorithms.Pass) error {
		if calls++; calls == 3 {
			cancel()
		}
		return everything(p)
	})}})
	if _, err := d.Page(ctx, Input{HTML: []byte(html)}); !errors.Is(err, context.Canceled) || calls != 3 {
		t.Errorf("error %v after %d executions", err, calls)
	}
	if _, err := New(Config{Timing: "twice"}); err == nil {
		t.Error("a timing that does not exist is accepted")
	}
}
