package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// counter is a budget that allows everything and counts.
type counter struct {
	mu        sync.Mutex
	asked     map[string]int
	throttled []time.Duration
}

func (c *counter) Wait(ctx context.Context, server string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[server]++
	return ctx.Err()
}

func (c *counter) Throttled(_ context.Context, _ string, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.throttled = append(c.throttled, wait)
}

// refusing answers the first requests with the statuses, and counts all.
type refusing struct {
	mu       sync.Mutex
	statuses []int
	requests int
	next     http.Handler
}

func (r *refusing) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.requests++
	status := 0
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	r.mu.Unlock()
	if status == 0 {
		r.next.ServeHTTP(w, req)
		return
	}
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(status)
}

// Every request to a web server asks the budget first, and the budget is told of every
// answer that says that there were too many.
func TestBudgetOfAWebServer(t *testing.T) {
	files := &refusing{statuses: []int{503, 429}, next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.warc", time.Unix(1, 0), strings.NewReader("grain and chaff"))
	})}
	server := httptest.NewServer(files)
	defer server.Close()
	budget := &counter{asked: map[string]int{}}
	c := New(Options{Budget: budget, Retry: Retry{Base: time.Millisecond}})
	defer c.Close()
	obj, err := c.Stat(t.Context(), server.URL+"/a.warc")
	if err != nil {
		t.Fatal(err)
	}
	src, err := c.Open(t.Context(), obj)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	text, err := io.ReadAll(io.NewSectionReader(src, 0, obj.Size))
	if err != nil || string(text) != "grain and chaff" {
		t.Fatalf("%q %v", text, err)
	}
	host := strings.TrimPrefix(server.URL, "http://")
	if files.requests < 4 || budget.asked[host] != files.requests || len(budget.asked) != 1 {
		t.Errorf("%d requests, asked for %v", files.requests, budget.asked)
	}
	if len(budget.throttled) != 2 || budget.throttled[0] != time.Second {
		t.Errorf("throttled: %v", budget.throttled)
	}
}

// So does every request to an object store, those that its library repeats included.
func TestBudgetOfABucket(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("tables"); err != nil {
		t.Fatal(err)
	}
	s3 := &refusing{statuses: []int{503, 403}, next: gofakes3.New(backend).Server()}
	server := httptest.NewServer(s3)
	defer server.Close()
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "eu-west-1", "AWS_EC2_METADATA_DISABLED": "true"} {
		t.Setenv(name, value)
	}
	budget := &counter{asked: map[string]int{}}
	c := New(Options{Budget: budget, Retry: Retry{Base: time.Millisecond}})
	defer c.Close()
	at := "s3://tables/out?" + url.Values{"endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
	if _, err := c.Store(t.Context(), at); !errors.Is(err, ErrDenied) { // the 403, after a 503 that is retried
		t.Fatal(err)
	}
	store, err := c.Store(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteAll(t.Context(), store, "a", []byte("grain")); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadAll(t.Context(), store, "a", 100); err != nil || string(text) != "grain" {
		t.Fatalf("%q %v", text, err)
	}
	host := strings.TrimPrefix(server.URL, "http://")
	if s3.requests < 5 || budget.asked[host] != s3.requests || len(budget.asked) != 1 {
		t.Errorf("%d requests, asked for %v", s3.requests, budget.asked)
	}
	if len(budget.throttled) != 2 {
		t.Errorf("throttled: %v", budget.throttled)
	}
}

// A request that the budget does not allow is not sent.
func TestBudgetThatEnds(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	files := &refusing{next: http.NotFoundHandler()}
	server.Config.Handler = files
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := New(Options{Budget: &counter{asked: map[string]int{}}})
	defer c.Close()
	if _, err := c.Stat(ctx, server.URL+"/a.warc"); !errors.Is(err, context.Canceled) || files.requests > 0 {
		t.Errorf("%v, %d requests", err, files.requests)
	}
}

// Local files cost no request and ask no budget.
func TestBudgetOfLocalFiles(t *testing.T) {
	budget := &counter{asked: map[string]int{}}
	c := New(Options{Budget: budget})
	defer c.Close()
	store, err := c.Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteAll(t.Context(), store, "a", []byte("grain")); err != nil {
		t.Fatal(err)
	}
	if len(budget.asked) > 0 {
		t.Errorf("asked for %v", budget.asked)
	}
}
