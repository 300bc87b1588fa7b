package driver

import (
	"context"
	"math"

	"github.com/winnow/winnow/algorithms"
)

// Timing determines how often an extractor runs on a page to measure its time.
type Timing string

const (
	// Single measures the one execution that produces the answer. It is the default; the
	// empty Timing means the same.
	Single Timing = "single"
	// Window runs every extractor again until its time is steady, as Alarte and
	// Silva do: for measuring, since it costs 11 to 101 executions. The answer
	// is that of the first.
	Window Timing = "window"
)

const (
	windowLength = 10   // last executions whose times must agree
	windowSpread = 0.10 // the times agree if their standard deviation is below this part of their mean
	maxWindow    = 100  // executions after the first, even if the times do not agree
)

// Timings are the values that a Timing may have.
var Timings = []Timing{Single, Window}

// window holds the times of the latest executions.
type window struct {
	last [windowLength]int64 // nanoseconds, in a ring
	n    int                 // number of executions that were added
}

func (w *window) add(ns int64) {
	w.last[w.n%windowLength] = ns
	w.n++
}

// over reports whether the times agree or the maximum of executions is reached.
func (w *window) over() bool {
	if w.n < windowLength {
		return false
	}
	mean, sd := w.moments()
	return w.n >= maxWindow || sd < windowSpread*mean || sd == 0 // all times are 0 if the clock is coarse
}

// mean returns the mean of the window, in nanoseconds, rounded.
func (w *window) mean() int64 {
	mean, _ := w.moments()
	return int64(math.Round(mean))
}

// moments returns the mean and the sample standard deviation of the window.
func (w *window) moments() (mean, sd float64) {
	times := w.last[:min(w.n, windowLength)]
	for _, t := range times {
		mean += float64(t) / float64(len(times))
	}
	for _, t := range times {
		sd += float64((float64(t) - mean) * (float64(t) - mean))
	}
	return mean, math.Sqrt(sd / float64(len(times)-1))
}

// steady runs x's extractor again after its first execution and stores the mean of the
// last window of times in x. An execution that fails, as that of a program near
// its time limit may, ends the repetition with the times measured so far; the answer
// stays that of the first execution.
func (h *workspace) steady(ctx context.Context, x *Extraction, in Input) error {
	again := &h.again // x keeps its answer
	again.Extractor = x.Extractor
	var w window
	for !w.over() {
		if err := ctx.Err(); err != nil {
			return err
		}
		again.reset()
		h.renew()
		ns := h.execute(ctx, again, in)
		if again.Outcome == algorithms.Failed || again.Outcome == algorithms.Skipped {
			break
		}
		w.add(ns)
	}
	if w.n > 0 {
		x.ExtractNS = w.mean()
	}
	return nil
}
