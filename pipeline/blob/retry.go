package blob

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Retry says how often and how long requests to a faulty server are repeated. Zero
// fields mean the defaults.
type Retry struct {
	// Attempts without progress before a fault is reported; default 8.
	Attempts int
	// Base is the first pause; it doubles up to Max. A random part of it is
	// waited ("full jitter"), so that many workers do not return at once.
	// Defaults 250 ms and 30 s.
	Base, Max time.Duration
	// Patience is the longest Retry-After that is honoured; a server that asks
	// for more is given up for now, as a transient error. Default 5 minutes.
	Patience time.Duration
	// Stall is how long a body may deliver nothing before its request is
	// abandoned and taken up again. Default 60 s.
	Stall time.Duration

	metrics *Metrics
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
	fill(&r.Patience, 5*time.Minute)
	fill(&r.Stall, time.Minute)
	return r
}

// waitHint returns how long a server asked the client to wait; zero if it did not say.
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

// pause waits before attempt number n (from 1) after err, or returns the error
// that ends the attempts: err itself when it is final, attempts are used up or
// the server asks for a longer pause than Patience; the cause of ctx when that ends.
func (r Retry) pause(ctx context.Context, n int, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, ErrDenied) {
		r.metrics.retry(err) // the request is retried later, with its item
	}
	if !errors.Is(err, ErrTransient) || n >= r.Attempts {
		return err
	}
	ceiling := r.Base << min(n-1, 16)
	if ceiling > r.Max || ceiling <= 0 {
		ceiling = r.Max
	}
	wait := rand.N(ceiling) + 1
	var f *failure
	if errors.As(err, &f) && f.wait > 0 {
		if time.Duration(f.wait) > r.Patience {
			return err
		}
		wait += time.Duration(f.wait)
	}
	r.metrics.retry(err)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// do calls f until it succeeds or pause gives up.
func (r Retry) do(ctx context.Context, f func() error) error {
	for n := 1; ; n++ {
		err := f()
		if err == nil {
			return nil
		}
		if end := r.pause(ctx, n, err); end != nil {
			return end
		}
	}
}
