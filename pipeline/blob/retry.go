package blob

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/winnow/winnow/pipeline/retry"
)

// Retry determines how often and how long requests to a faulty server are repeated. Zero
// fields mean the defaults.
type Retry struct {
	// Attempts without progress before a fault is reported; default 8.
	Attempts int
	// Base bounds the first pause. The bound doubles with each attempt, up to Max, and
	// each pause is random below its bound, so that many workers do not return at once.
	// Defaults 250 ms and 30 s.
	Base, Max time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for. The request of a
	// server that asks for a longer pause fails with ErrTransient. Default 5 minutes.
	MaxRetryAfter time.Duration
	// Stall is how long a body may deliver nothing before its request is
	// abandoned and taken up again. Default 60 s.
	Stall time.Duration

	metrics *Metrics
	budget  Budget
}

func (r Retry) withDefaults() Retry {
	fill := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	if r.Attempts <= 0 {
		r.Attempts = 8
	}
	fill(&r.Base, 250*time.Millisecond)
	fill(&r.Max, 30*time.Second)
	fill(&r.MaxRetryAfter, 5*time.Minute)
	fill(&r.Stall, time.Minute)
	return r
}

// waitHint is how long a server asked the client to wait; zero if it did not say.
type waitHint time.Duration

// retryAfter reads the Retry-After header: seconds or a date (RFC 9110, 10.2.3).
func retryAfter(h http.Header, now time.Time) waitHint {
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseInt(v, 10, 32); err == nil && s > 0 {
		return waitHint(time.Duration(s) * time.Second)
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return waitHint(t.Sub(now))
	}
	return 0
}

// policy returns the policy by which requests are retried.
func (r Retry) policy() retry.Policy {
	return retry.Policy{
		First: r.Base, Longest: r.Max, Spread: true, Attempts: r.Attempts,
		Temporary: func(err error) (time.Duration, bool) {
			if errors.Is(err, ErrDenied) {
				r.metrics.retry(err) // the request is retried later, with its item
			}
			var asked time.Duration
			if f := (*failure)(nil); errors.As(err, &f) {
				asked = time.Duration(f.wait)
			}
			return asked, errors.Is(err, ErrTransient) && asked <= r.MaxRetryAfter
		},
		Waiting: func(err error, _ time.Duration) { r.metrics.retry(err) },
	}
}

// do calls f again while it fails with temporary errors.
func (r Retry) do(ctx context.Context, f func() error) error { return r.policy().Do(ctx, f) }
