package blob

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Budget bounds the requests to web servers and object stores. Goroutines may share it. A
// server is named by its host and port.
type Budget interface {
	// Wait returns when one more request may be sent to a server.
	Wait(ctx context.Context, server string) error
	// Throttled notes that a server answered that it gets too many requests, and for how
	// long it asked its clients to wait; 0 if it did not say.
	Throttled(ctx context.Context, server string, wait time.Duration)
}

// transport returns base, or one that asks the budget before every request.
func (r Retry) transport(base http.RoundTripper) http.RoundTripper {
	if r.budget == nil {
		return base
	}
	return &budgeted{r.budget, base}
}

// doer sends requests, as an http.Client does.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// client returns base, or one that asks the budget before every request. It is for the
// libraries of providers, whose own retries then ask, too.
func (r Retry) client(base doer) doer {
	if r.budget == nil {
		return base
	}
	return budgetedClient{r.budget, base}
}

// budgeted is a transport with a budget.
type budgeted struct {
	budget Budget
	base   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *budgeted) RoundTrip(r *http.Request) (*http.Response, error) {
	return send(t.budget, r, t.base.RoundTrip)
}

// CloseIdleConnections is called by http.Client.
func (t *budgeted) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// budgetedClient is a client with a budget.
type budgetedClient struct {
	budget Budget
	base   doer
}

// Do sends a request when the budget allows it.
func (c budgetedClient) Do(r *http.Request) (*http.Response, error) {
	return send(c.budget, r, c.base.Do)
}

// send waits for the budget, sends a request, and notes if there were too many.
func send(b Budget, r *http.Request, do func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	if err := b.Wait(r.Context(), r.URL.Host); err != nil {
		if r.Body != nil {
			r.Body.Close() // the sender of a request closes its body
		}
		return nil, fmt.Errorf("wait for the budget of requests: %w", err)
	}
	resp, err := do(r)
	if err == nil && throttled(resp.StatusCode) {
		b.Throttled(r.Context(), r.URL.Host, time.Duration(retryAfter(resp.Header, time.Now()))) // the caller repeats the request
	}
	return resp, err
}

// throttled reports whether servers use a status to report too many requests.
// Some use 403, which cannot be distinguished from a lack of rights; a short pause does no harm
// then.
func throttled(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable || status == http.StatusForbidden
}
