package queue

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Many clients, each with a connection to the broker of its own, send as many requests as
// they may to a server that counts. At every moment the server has got no more than the
// budget allows since the beginning; and all requests are sent.
func TestClientsShareABudget(t *testing.T) {
	const clients, each, rate = 8, 50, 200
	s := serve(t)
	connected(t, s)
	var (
		mu       sync.Mutex
		arrivals []time.Time
	)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		arrivals = append(arrivals, time.Now())
	}))
	defer server.Close()
	began := time.Now()
	var all sync.WaitGroup
	for range clients {
		q, err := Dial(t.Context(), Options{InProcess: s})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		b := q.NewBudget(rate)
		for range 2 { // two goroutines of each client
			all.Go(func() {
				for range each / 2 {
					if err := b.Wait(t.Context(), "example.org:80"); err != nil {
						t.Error(err)
						return
					}
					resp, err := http.Get(server.URL)
					if err != nil {
						t.Error(err)
						return
					}
					resp.Body.Close()
				}
			})
		}
	}
	all.Wait()
	if len(arrivals) != clients*each {
		t.Fatalf("%d requests, want %d", len(arrivals), clients*each)
	}
	for i, at := range arrivals {
		// A reservation may be used from its beginning.
		if allowed := rate*at.Sub(began).Seconds() + rate/budgetShare + 1; float64(i+1) > allowed {
			t.Fatalf("%d requests after %v, want at most %.0f", i+1, at.Sub(began), allowed)
		}
	}
}

// When a server tells one client that it gets too many requests, all pause.
func TestThrottlingStopsAllClients(t *testing.T) {
	s := serve(t)
	told, other := connected(t, s).NewBudget(1000), connected(t, s).NewBudget(1000)
	if err := other.Wait(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := told.Throttled(t.Context(), "a", time.Minute); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Budget{"told": told, "other": other} {
		a := b.of("a")
		a.mu.Lock()
		a.left = 0 // what was reserved before may still be sent
		a.mu.Unlock()
		if err := b.refill(t.Context(), "a", a); err != nil {
			t.Fatal(err)
		}
		if pause := time.Until(a.from); pause < 30*time.Second || pause > 2*time.Minute {
			t.Errorf("the client %s waits %v", name, pause)
		}
	}
	if err := other.Wait(t.Context(), "b"); err != nil { // another server
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if err := other.Wait(ctx, "a"); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

func TestPauseIsBounded(t *testing.T) {
	b := (*Queue)(nil).NewBudget(10)
	for server, wait := range map[string]time.Duration{"none": 0, "year": 365 * 24 * time.Hour} {
		if err := b.Throttled(t.Context(), server, wait); err != nil {
			t.Fatal(err)
		}
		if pause := time.Until(b.next[server]); pause <= 0 || pause > mostPause {
			t.Errorf("%s: %v", server, pause)
		}
	}
}

// A process that sends nothing for a while cannot save its requests for later.
func TestUnusedReservationsAreForfeited(t *testing.T) {
	a := &allowance{left: 5, from: time.Now().Add(-time.Hour), until: time.Now().Add(-time.Minute)}
	if _, taken := a.take(time.Now()); taken {
		t.Error("an old reservation was used")
	}
}

// Without the bucket, which ingest makes, the budget is of this process alone.
func TestBudgetWithoutItsBucket(t *testing.T) {
	q, err := Dial(t.Context(), Options{InProcess: serve(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	b := q.NewBudget(1000)
	for range 3 {
		if err := b.Wait(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if b.next["a"].IsZero() {
		t.Error("no request was counted")
	}
}

// A clock that is years ahead stops nobody.
func TestBudgetOfAWrongClock(t *testing.T) {
	q := connected(t, serve(t))
	b := q.NewBudget(1000)
	if _, err := b.move(t.Context(), "a", func(time.Time) time.Time { return time.Now().AddDate(3, 0, 0) }); err != nil {
		t.Fatal(err)
	}
	if err := b.Wait(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
}

func TestBudgetKey(t *testing.T) {
	for server, want := range map[string]string{
		"data.commoncrawl.org": "data_commoncrawl_org", "127.0.0.1:9000": "127_0_0_1_9000", "[::1]:80": "___1__80", "*.>": "___",
	} {
		if got := budgetKey(server); got != want {
			t.Errorf("%s: %s, want %s", server, got, want)
		}
	}
}
