package cmd

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/pipeline/queue"
)

// throttlingStore is an S3 server that refuses requests above a rate, and counts all.
type throttlingStore struct {
	next http.Handler

	mu       sync.Mutex
	rate     float64 // a second
	tokens   float64
	at       time.Time
	arrivals []time.Time
	refused  int
}

func (s *throttlingStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	now := time.Now()
	s.arrivals = append(s.arrivals, now)
	s.tokens, s.at = min(s.rate, s.tokens+s.rate*now.Sub(s.at).Seconds()), now
	refuse := s.tokens < 1
	if refuse {
		s.refused++
	} else {
		s.tokens--
	}
	s.mu.Unlock()
	if refuse {
		http.Error(w, "<Error><Code>SlowDown</Code></Error>", http.StatusServiceUnavailable)
		return
	}
	s.next.ServeHTTP(w, r)
}

// Programs that share a budget of requests do not exceed it together, whatever an object
// store that throttles makes them repeat, and finish with the rows of one machine.
func TestProgramsShareABudgetOfRequests(t *testing.T) {
	setup(t)
	const budget = "250"
	backend := s3mem.New()
	if err := backend.CreateBucket("tables"); err != nil {
		t.Fatal(err)
	}
	store := &throttlingStore{next: gofakes3.New(backend).Server(), rate: 220, at: time.Now()}
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "eu-west-1", "AWS_EC2_METADATA_DISABLED": "true",
		"WINNOW_MAX_REQUESTS": budget, // for ingest, the workers and the aggregator
	} {
		t.Setenv(name, value)
	}
	began := time.Now()
	c := newClusterTo(t, &built.task, "s3://tables/out?"+url.Values{"endpoint": {server.URL}, "use_path_style": {"true"}}.Encode(), 3)
	c.finish()
	if got := len(store.arrivals); got < 200 {
		t.Errorf("only %d requests", got)
	}
	for i, at := range store.arrivals {
		// One reservation, of a tenth of a second's requests, may be used at once.
		if allowed := 250*at.Sub(began).Seconds() + 25 + 1; float64(i+1) > allowed {
			t.Fatalf("%d requests after %v, want at most %.0f", i+1, at.Sub(began), allowed)
		}
	}
	t.Logf("%d requests in %v, %d of them refused", len(store.arrivals), time.Since(began).Round(time.Second), store.refused)
}

// The users of deploy/nats/roles.conf may use the budget.
func TestRolesMayUseTheBudget(t *testing.T) {
	broker, url, seeds := secured(t)
	for i, role := range []string{"ingest", "worker", "aggregate"} {
		q, err := queue.Dial(t.Context(), queue.Options{URL: url, NKey: seeds[role], Inbox: "_INBOX.winnow." + role})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		if role == "ingest" {
			if err := q.Setup(t.Context(), queue.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.NewBudget(1000).Wait(t.Context(), "example.org"); err != nil {
			t.Errorf("%s: %v", role, err)
		}
		_, js := connectAs(t, url, "operator", seeds["operator"])
		kv, err := js.KeyValue(t.Context(), "winnow_budget")
		if err != nil {
			t.Fatal(err)
		}
		if e, err := kv.Get(t.Context(), "example_org"); err != nil || e.Revision() != uint64(i+1) {
			t.Errorf("%s has not used the budget: %+v %v", role, e, err)
		}
	}
	if strings.Contains(broker.out.String(), "iolation") {
		t.Errorf("a right is missing: %s", broker.out.String())
	}
}
