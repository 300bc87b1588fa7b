// Package retry repeats operations while they fail with temporary errors. The pauses are
// those of github.com/cenkalti/backoff. What is temporary, for how long it is retried and
// who is notified are the caller's policy:
//
//	policy := retry.Policy{First: time.Second, Longest: 30 * time.Second, Temporary: temporary}
//	err := policy.Do(ctx, func() error { return store.Publish(ctx, name) })
//
// Operations that can make some progress before they fail, such as reading a stream, call
// Begin, and Progress and Wait of its result, instead of Do.
//
// This package is internal to Winnow and may change in any release.
package retry

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Policy determines which errors are retried, how often and with which pauses. First, Longest
// and Temporary are needed.
type Policy struct {
	First   time.Duration // the pause after the first failed attempt; each is twice the one before
	Longest time.Duration // bound of the pauses, at least First
	Spread  bool          // each pause is random between 0 and that, so that many clients do not return at once

	Attempts int           // number of failed attempts after which the last error is returned; 0 for no bound
	For      time.Duration // an attempt that fails so long after Begin is the last one; 0 for no bound

	// Temporary reports whether an attempt that failed with err may succeed later, and
	// how long the other side asked the client to wait, which is added to the pause.
	Temporary func(err error) (wait time.Duration, yes bool)

	// Waiting is called before each pause, unless it is nil.
	Waiting func(err error, pause time.Duration)
}

// Do calls f until it succeeds and returns nil, or the error that ended the attempts: see
// Attempts.Wait.
func (p Policy) Do(ctx context.Context, f func() error) error {
	a := p.Begin()
	for {
		err := f()
		if err == nil {
			return nil
		}
		if err := a.Wait(ctx, err); err != nil {
			return err
		}
	}
}

// Attempts counts the failed attempts of one operation. It belongs to one goroutine.
type Attempts struct {
	policy Policy
	pauses backoff.ExponentialBackOff
	failed int
	began  time.Time
}

// Begin returns the Attempts of an operation that begins now.
func (p Policy) Begin() *Attempts {
	a := &Attempts{policy: p, began: time.Now()}
	a.pauses = backoff.ExponentialBackOff{InitialInterval: p.First, MaxInterval: p.Longest, Multiplier: 2}
	if p.Spread { // the library's pauses are random around the interval
		a.pauses.InitialInterval, a.pauses.MaxInterval, a.pauses.RandomizationFactor = p.First/2, p.Longest/2, 1
	}
	return a
}

// Progress makes the next failed attempt count as the first one.
func (a *Attempts) Progress() {
	if a.failed == 0 {
		return // the usual case costs no look at the clock
	}
	a.failed, a.began = 0, time.Now()
	a.pauses.Reset()
}

// Wait pauses after an attempt that failed with err and returns nil when it is time for
// the next one. It returns err if err is not temporary or the policy allows no further
// attempt, and the cause of ctx when ctx ends.
func (a *Attempts) Wait(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	a.failed++
	asked, temporary := a.policy.Temporary(err)
	switch {
	case !temporary,
		a.policy.Attempts > 0 && a.failed >= a.policy.Attempts,
		a.policy.For > 0 && time.Since(a.began) > a.policy.For:
		return err
	}
	pause := a.pauses.NextBackOff() + asked
	if a.policy.Waiting != nil {
		a.policy.Waiting(err, pause)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
