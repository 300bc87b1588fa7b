package blob

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A server that reports too many requests gets none from this process for the time
// that it asks for, within these bounds.
const (
	minPause = time.Second
	maxPause = 5 * time.Minute
)

// limiter is a Budget with a number of requests a second for each server. It is of this process
// alone.
type limiter struct {
	perSecond float64
	mu        sync.Mutex
	servers   map[string]*server
}

// server is the state of a limiter for one server.
type server struct {
	*rate.Limiter
	paused time.Time // until when no request is sent
}

// NewBudget returns a budget of perSecond requests a second, which must be positive, to each
// server.
func NewBudget(perSecond float64) Budget {
	return &limiter{perSecond: perSecond, servers: map[string]*server{}}
}

func (l *limiter) server(name string) *server {
	s := l.servers[name]
	if s == nil {
		// A tenth of a second's requests may be sent at once.
		s = &server{Limiter: rate.NewLimiter(rate.Limit(l.perSecond), max(1, int(l.perSecond/10)))}
		l.servers[name] = s
	}
	return s
}

// Wait implements Budget.
func (l *limiter) Wait(ctx context.Context, name string) error {
	for {
		l.mu.Lock()
		s := l.server(name)
		pause := time.Until(s.paused)
		l.mu.Unlock()
		if pause <= 0 {
			return s.Limiter.Wait(ctx)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Throttled implements Budget.
func (l *limiter) Throttled(_ context.Context, name string, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.server(name)
	if end := time.Now().Add(min(max(wait, minPause), maxPause)); end.After(s.paused) {
		s.paused = end
	}
}
