package driver

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// Winnow's own extractors and scorers limit their work by counting, not by a clock, so
// that the same page has the same rows on every machine. The clock only catches defects:
// an extractor that is still running after Config.MethodTime is assumed never to return.
// The largest pages take seconds, so no machine is slow enough for this to be wrong.
//
// A goroutine cannot be stopped. A page is therefore worked on in a goroutine that can be
// abandoned together with its workspace: page, features and scratch memory. The driver
// notes the step that did not return, creates a new workspace and begins the page again.
// There the step has the reason "timeout" and is left out, so that the defect costs one
// row and not those of all extractors. The abandoned goroutine occupies a processor until
// the process ends, so Result.Stuck reports it, and a worker exits after the item.
//
//	workspace 1   parse, a, b, b, b, b, b … abandoned
//	workspace 2                          parse, a, c, d, scores
//
// Programs (Extractor.Command) are limited by Config.TextTime instead, in a process that
// can be killed (Isolate).
//
// To end the process and leave the page to the crash journal of a worker would be no
// substitute. The library and its HTTP server, which limit the time of every page, must
// not end the process of their caller. In a run it would cost the page five deliveries of
// MethodTime each and the rows of all extractors, and the other slots their items each time.

// DefaultMethodTime is about a hundred times what any extractor needs for the largest
// page.
const DefaultMethodTime = 5 * time.Minute

// watched records what the goroutine of a workspace is doing, and since when.
type watched struct {
	late []step // steps of the page that do not return, and are left out

	mu    sync.Mutex // guards the rest
	step  step
	began time.Time // zero if the time of the step is not limited
	left  bool      // the workspace was abandoned
}

// step is one unit of work: running an extractor, a find of a fact, or a scorer on one
// extraction.
type step struct{ extractor, scorer int }

const (
	parsing    = -1 // replaces the number of an extractor while the page is parsed
	extracting = -1 // replaces the number of a scorer while an extractor runs
)

// noAnswer is the detail of a step that is left out.
const noAnswer = "it did not return"

// enter records that s begins, and reports whether it may: it must be left out if it does
// not return.
func (w *watched) enter(s step) bool {
	if slices.Contains(w.late, s) {
		return false
	}
	w.begin(s, time.Now())
	return true
}

// unlimited records that what follows may take any time: a program, which has a limit of
// its own, or waiting for memory.
func (w *watched) unlimited() { w.begin(step{}, time.Time{}) }

// begin ends the goroutine if its workspace was abandoned.
func (w *watched) begin(s step, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left {
		runtime.Goexit()
	}
	w.step, w.began = s, at
}

// renew restarts the time of the current step.
func (w *watched) renew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.began.IsZero() {
		w.began = time.Now()
	}
}

// rest returns how much of limit the current step has left. If nothing is left, rest
// abandons the workspace and returns its step in at.
func (w *watched) rest(limit time.Duration) (rest time.Duration, at step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		return limit, w.step
	}
	rest = limit - time.Since(w.began)
	w.left = rest <= 0
	return rest, w.step
}

// watch runs work in another goroutine: all of a page, so that its stack grows only once.
// If a step of it does not return in time, stuck is that step.
func (d *Driver) watch(work func() error) (stuck *step, err error) {
	limit := d.config.MethodTime
	if limit < 0 {
		return nil, work()
	}
	done := make(chan error, 1) // buffered: an abandoned goroutine can still end
	go func() { done <- work() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case err := <-done:
			return nil, err
		case <-timer.C:
		case <-d.overdue:
			limit = 0
		}
		rest, at := d.workspace.rest(limit)
		if rest <= 0 {
			return &at, nil
		}
		timer.Reset(rest)
	}
}
