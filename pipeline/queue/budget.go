package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/pipeline/retry"
)

// Budget is a token bucket that all programs at a broker share: it bounds the requests a
// second that they together send to one server. It may be used by many goroutines.
//
// The broker holds one number for each server: the time from which on requests may be
// sent that nobody has reserved yet. A program reserves the next n/rate seconds for n
// requests by a conditional write, waits until they begin, and sends its requests. So
// nothing counts requests, and programs that are killed hold nothing. A program reserves
// one request first, and more at once the busier it is, up to a tenth of a second's.
//
// The time is that of the programs' clocks. A clock that is wrong by some seconds makes
// others wait for as long, once; it allows no more requests.
type Budget struct {
	q    *Queue // nil for a budget of this process alone
	rate float64

	mu      sync.Mutex // guards servers and next, and is held for no request
	servers map[string]*allowance
	next    map[string]time.Time // without a broker, or its bucket: what it would hold
	kv      jetstream.KeyValue
}

// allowance is what this process has reserved of one server's budget.
type allowance struct {
	reserving sync.Mutex // held while a reservation is made, so that a process makes one at a time

	mu     sync.Mutex // guards the fields below
	left   int
	from   time.Time // when the requests that are left may be sent
	until  time.Time // when they are forfeited, so that a pause is no reason for a burst
	size   int       // of the next reservation
	paused time.Time // until when this process has made all programs pause
}

const (
	// budgetShare is the part of a second's requests that one reservation may take.
	budgetShare = 10
	// budgetKeep is how long reserved requests can be used.
	budgetKeep = time.Second

	// leastPause and mostPause bound how long all programs pause when a server says that
	// it gets too many requests.
	leastPause = time.Second
	mostPause  = 5 * time.Minute

	// mostAhead bounds how far requests can be reserved ahead. A later time was written by
	// a clock or a program that is wrong, and is ignored.
	mostAhead = time.Hour
)

// NewBudget returns a budget of so many requests a second, which must be positive, for
// each server. All programs should have the same. A nil q is allowed: the budget is then
// of this process alone.
func (q *Queue) NewBudget(perSecond float64) *Budget {
	return &Budget{q: q, rate: perSecond, servers: map[string]*allowance{}, next: map[string]time.Time{}}
}

// Wait returns when one more request may be sent to a server. Its error is the cause of
// ctx's end, or says that the broker did not answer for a minute.
func (b *Budget) Wait(ctx context.Context, server string) error {
	a := b.of(server)
	for {
		from, taken := a.take(time.Now())
		if !taken {
			if err := b.refill(ctx, server, a); err != nil {
				return err
			}
			continue
		}
		return until(ctx, from)
	}
}

// Throttled notes that a server refused a request because there were too many. All
// programs pause for the time that the server asked for, and for a second at least.
func (b *Budget) Throttled(ctx context.Context, server string, wait time.Duration) error {
	a := b.of(server)
	end := time.Now().Add(min(max(wait, leastPause), mostPause))
	a.mu.Lock()
	a.left = 0
	known := end.Sub(a.paused) < leastPause/2 // many requests are refused at once
	if !known {
		a.paused = end
	}
	a.mu.Unlock()
	if known {
		return nil
	}
	_, err := b.move(ctx, server, func(next time.Time) time.Time {
		if next.After(end) {
			return next
		}
		return end
	})
	return err
}

func (b *Budget) of(server string) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.servers[server]
	if a == nil {
		a = &allowance{size: 1}
		b.servers[server] = a
	}
	return a
}

// take takes one of the requests that are left, and returns when it may be sent.
func (a *allowance) take(now time.Time) (from time.Time, taken bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left == 0 || now.After(a.until) {
		return time.Time{}, false
	}
	a.left--
	return a.from, true
}

// refill reserves requests, unless another goroutine has done so meanwhile.
func (b *Budget) refill(ctx context.Context, server string, a *allowance) error {
	a.reserving.Lock()
	defer a.reserving.Unlock()
	now := time.Now()
	a.mu.Lock()
	if a.left > 0 && !now.After(a.until) {
		a.mu.Unlock()
		return nil
	}
	if now.After(a.until) { // the last reservation was not used up in time
		a.size = 1
	} else {
		a.size = min(2*a.size, max(1, int(b.rate/budgetShare)))
	}
	n := a.size
	a.mu.Unlock()
	span := time.Duration(float64(n) / b.rate * float64(time.Second))
	next, err := b.move(ctx, server, func(next time.Time) time.Time {
		if now := time.Now(); next.Before(now) {
			next = now
		}
		return next.Add(span)
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left, a.from = n, next.Add(-span)
	a.until = next.Add(budgetKeep)
	return nil
}

// move replaces the time that the broker holds for a server, and returns the new one. It
// tries until nobody else has replaced it meanwhile.
func (b *Budget) move(ctx context.Context, server string, to func(time.Time) time.Time) (next time.Time, err error) {
	alone := func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.next[server] = to(b.next[server])
		return b.next[server]
	}
	if b.q == nil {
		return alone(), nil
	}
	policy := retry.Policy{First: 5 * time.Millisecond, Longest: 2 * time.Second, Spread: true, For: time.Minute,
		Temporary: func(err error) (time.Duration, bool) { return 0, errors.Is(err, ErrConflict) || Transient(err) }}
	err = policy.Do(ctx, func() error {
		next, err = b.try(ctx, budgetKey(server), to)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return alone(), nil // no run was published since the broker was set up
	}
	if err != nil {
		return next, fmt.Errorf("queue: budget of requests to %s: %w", server, err)
	}
	return next, nil
}

// stored is what the broker holds for a server.
type stored struct {
	Next int64 `json:"next"` // Unix time in microseconds
}

// try makes one attempt at move.
func (b *Budget) try(ctx context.Context, key string, to func(time.Time) time.Time) (next time.Time, err error) {
	b.mu.Lock()
	kv := b.kv
	b.mu.Unlock()
	if kv == nil {
		if kv, err = b.q.kv(ctx, budget); err != nil {
			return next, err
		}
		b.mu.Lock()
		b.kv = kv
		b.mu.Unlock()
	}
	var now stored
	e, err := kv.Get(ctx, key)
	switch {
	case err == nil:
		if err := json.Unmarshal(e.Value(), &now); err != nil {
			return next, err
		}
	case !errors.Is(err, jetstream.ErrKeyNotFound):
		return next, err
	}
	next = time.UnixMicro(now.Next)
	if time.Until(next) > mostAhead {
		next = time.Time{}
	}
	next = to(next)
	data, err := json.Marshal(stored{next.UnixMicro()})
	if err != nil {
		return next, err
	}
	if e == nil {
		_, err = kv.Create(ctx, key, data)
	} else {
		_, err = kv.Update(ctx, key, data, e.Revision())
	}
	if wrongRevision(err) || errors.Is(err, jetstream.ErrKeyExists) {
		err = ErrConflict
	}
	return next, err
}

// budgetKey is the name of a server as one token of a key.
func budgetKey(server string) string {
	return strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' {
			return c
		}
		return '_'
	}, server)
}

// until waits for a time.
func until(ctx context.Context, t time.Time) error {
	d := time.Until(t)
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
