package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/blob"
)

// impatient has settings with which retries take no time.
var impatient = blob.Options{Retry: blob.Retry{Attempts: 4, Base: time.Microsecond, Max: time.Microsecond, MaxRetryAfter: 10 * time.Millisecond, Stall: time.Second}}

// webServer serves one object as a faulty server might.
type webServer struct {
	mu       sync.Mutex
	data     []byte
	tag      string
	requests []*http.Request
	// before may answer request number n (from 0) itself.
	before func(n int, w http.ResponseWriter, r *http.Request) bool
	whole  bool  // ignore ranges
	cap    int64 // answer at most so many bytes of a range
	cut    int   // break the connection after so many bytes
}

func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, r)
	data, tag := s.data, s.tag
	s.mu.Unlock()
	if s.before != nil && s.before(n, w, r) {
		return
	}
	if tag != "" {
		w.Header().Set("ETag", tag)
	}
	if s.whole {
		r.Header.Del("Range")
	}
	if rg := r.Header.Get("Range"); rg != "" && s.cap > 0 {
		var a, b int64
		fmt.Sscanf(rg, "bytes=%d-%d", &a, &b)
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", a, min(b, a+s.cap-1)))
	}
	if s.cut > 0 {
		w = &cutWriter{w, s.cut}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// cutWriter ends the connection after n bytes.
type cutWriter struct {
	http.ResponseWriter
	n int
}

func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) > c.n {
		c.ResponseWriter.Write(p[:c.n])
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.n -= len(p)
	return c.ResponseWriter.Write(p)
}

func (s *webServer) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(s)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL + "/crawl.warc.gz"
}

func noise(n int) []byte {
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func open(t *testing.T, url string) (blob.Object, blob.Source) {
	t.Helper()
	c := newClient(t, impatient)
	obj, err := c.Stat(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	src, err := c.Open(t.Context(), obj)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return obj, src
}

func readAll(src blob.Source) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
}

func TestWebReadsThroughFaults(t *testing.T) {
	data := noise(9 << 20)
	tests := []struct {
		name   string
		server *webServer
		ranges bool
	}{
		{"plain", &webServer{tag: `"a"`}, true},
		{"no entity tag", &webServer{}, true},
		{"weak entity tag", &webServer{tag: `W/"a"`}, true},
		{"ranges ignored", &webServer{tag: `"a"`, whole: true}, false},
		{"ranges capped", &webServer{tag: `"a"`, cap: 100_000}, true},
		{"connections break", &webServer{tag: `"a"`, cut: 300_000}, true},
		{"busy now and then", &webServer{before: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%2 == 0 {
				w.WriteHeader([]int{429, 503, 500, 408}[n/2%4])
			}
			return n%2 == 0
		}}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.server.data = data
			obj, src := open(t, test.server.start(t))
			if obj.Size != int64(len(data)) || obj.Ranges != test.ranges {
				t.Errorf("stat: size %d, ranges %v; want %d, %v", obj.Size, obj.Ranges, len(data), test.ranges)
			}
			if got, err := readAll(src); err != nil || !bytes.Equal(got, data) {
				t.Errorf("got %d bytes, %v; want %d", len(got), err, len(data))
			}
			for _, r := range test.server.requests {
				if r.Header.Get("Accept-Encoding") != "identity" {
					t.Errorf("request accepts encoding %q", r.Header.Get("Accept-Encoding"))
				}
			}
		})
	}
}

func TestWebReadsAnyRange(t *testing.T) {
	data := noise(5 << 20)
	for _, whole := range []bool{false, true} {
		s := &webServer{data: data, tag: `"a"`, whole: whole}
		_, src := open(t, s.start(t))
		r := rand.New(rand.NewPCG(3, 4))
		var last int64
		for range 60 {
			off := last + r.Int64N(20_000) - 5_000 // mostly near the last, as a reader of records does
			if r.IntN(8) == 0 {
				off = r.Int64N(int64(len(data)))
			}
			off = min(max(0, off), int64(len(data))-1)
			p := make([]byte, min(r.Int64N(200_000)+1, int64(len(data))-off))
			n, err := src.ReadAt(p, off)
			if n != len(p) || err != nil || !bytes.Equal(p, data[off:off+int64(n)]) {
				t.Fatalf("whole=%v: read %d at %d: %d, %v", whole, len(p), off, n, err)
			}
			last = off + int64(n)
		}
		if n, err := src.ReadAt(make([]byte, 10), int64(len(data))-4); n != 4 || err != io.EOF {
			t.Errorf("read over the end: %d, %v; want 4, EOF", n, err)
		}
	}
}

// A range that was announced is one request, and stepping back is none.
func TestWebRequestsAreFew(t *testing.T) {
	data := noise(16 << 20)
	s := &webServer{data: data, tag: `"a"`}
	_, src := open(t, s.start(t))
	src.Expect(10 << 20)
	buf := make([]byte, 64<<10)
	for off := int64(2 << 20); off < 10<<20; off += int64(len(buf)) / 2 { // each byte twice
		if _, err := src.ReadAt(buf, off); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.requests); n != 2 { // one of them Stat's
		t.Errorf("%d requests, want 2", n)
	}
	if got, want := s.requests[1].Header.Get("Range"), fmt.Sprintf("bytes=%d-%d", 2<<20, 10<<20+256<<10-1); got != want {
		t.Errorf("range %q, want %q", got, want)
	}
	if got := s.requests[1].Header.Get("If-Match"); got != `"a"` {
		t.Errorf("If-Match %q, want %q", got, `"a"`)
	}
}

func TestWebNoticesAnotherVersion(t *testing.T) {
	data := noise(3 << 20)
	for name, change := range map[string]func(s *webServer){
		"entity tag":      func(s *webServer) { s.tag = `"b"` },
		"weak entity tag": func(s *webServer) { s.tag = `W/"b"` },
		"size":            func(s *webServer) { s.tag, s.data = "", s.data[:2<<20] },
	} {
		for _, whole := range []bool{false, true} {
			s := &webServer{data: data, tag: `"a"`, whole: whole}
			_, src := open(t, s.start(t))
			s.mu.Lock()
			change(s)
			s.mu.Unlock()
			if _, err := readAll(src); !errors.Is(err, blob.ErrChanged) {
				t.Errorf("%s changed, whole=%v: %v, want %v", name, whole, err, blob.ErrChanged)
			}
		}
	}
}

func TestWebErrorClasses(t *testing.T) {
	answer := func(status int, header ...string) *webServer {
		return &webServer{before: func(n int, w http.ResponseWriter, r *http.Request) bool {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			return true
		}}
	}
	tests := []struct {
		name     string
		server   *webServer
		class    error // nil: final
		requests int
	}{
		{"missing", answer(404), blob.ErrNotFound, 1},
		{"gone", answer(410), blob.ErrNotFound, 1},
		{"forbidden", answer(403), blob.ErrDenied, 1},
		{"unauthorized", answer(401), blob.ErrDenied, 1},
		{"busy", answer(503), blob.ErrTransient, 4},
		{"too many requests", answer(429, "Retry-After", "0"), blob.ErrTransient, 4},
		{"asks for an hour", answer(429, "Retry-After", "3600"), blob.ErrTransient, 1},
		{"asks for tomorrow", answer(503, "Retry-After", time.Now().Add(24*time.Hour).UTC().Format(http.TimeFormat)), blob.ErrTransient, 1},
		{"nonsense range", answer(206, "Content-Range", "bytes 5-2/x"), nil, 1},
		{"no size", answer(206, "Content-Range", "bytes 0-0/*"), nil, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url := test.server.start(t)
			_, err := newClient(t, impatient).Stat(t.Context(), url)
			if err == nil || !strings.Contains(err.Error(), url) {
				t.Errorf("error %v does not name %s", err, url)
			}
			for _, class := range []error{blob.ErrTransient, blob.ErrNotFound, blob.ErrChanged, blob.ErrDenied} {
				if errors.Is(err, class) != (class == test.class) {
					t.Errorf("error %v: is %v = %v", err, class, class != test.class)
				}
			}
			if n := len(test.server.requests); n != test.requests {
				t.Errorf("%d requests, want %d", n, test.requests)
			}
		})
	}
	if _, err := newClient(t, impatient).Stat(t.Context(), "http://127.0.0.1:1/x"); !errors.Is(err, blob.ErrTransient) {
		t.Errorf("nobody listens: %v, want %v", err, blob.ErrTransient)
	}
}

func TestRetriesAreCounted(t *testing.T) {
	f := func(status int, label string) {
		t.Helper()
		s := &webServer{before: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			return true
		}}
		reg := prometheus.NewRegistry()
		c := blob.New(blob.Options{Retry: impatient.Retry, Metrics: blob.NewMetrics(reg)})
		defer c.Close()
		if _, err := c.Stat(t.Context(), s.start(t)); err == nil {
			t.Fatalf("%d is no error", status)
		}
		families, err := reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range families[0].GetMetric() {
			if counted := m.GetCounter().GetValue() > 0; counted != (m.GetLabel()[0].GetValue() == label) {
				t.Errorf("%d: %v", status, m)
			}
		}
	}
	f(429, "429")
	f(503, "503")
	f(403, "403")
	f(404, "") // is no fault
}

func TestWebStalledBodyIsTakenUpAgain(t *testing.T) {
	data := noise(1 << 20)
	s := &webServer{data: data, tag: `"a"`}
	s.before = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n != 1 { // the first read
			return false
		}
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", 256<<10-1, len(data)))
		w.WriteHeader(206)
		w.Write(data[:1000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	_, src := open(t, s.start(t))
	if got, err := readAll(src); err != nil || !bytes.Equal(got, data) {
		t.Errorf("got %d bytes, %v; want %d", len(got), err, len(data))
	}
}

func TestWebServerThatGivesUpEndsTheRead(t *testing.T) {
	s := &webServer{data: noise(1 << 20), tag: `"a"`, cut: 10}
	_, src := open(t, s.start(t))
	if _, err := readAll(src); !errors.Is(err, blob.ErrTransient) {
		t.Errorf("ten bytes a connection: %v, want %v", err, blob.ErrTransient)
	}
}

func TestWebReadEndsWithContextAndClose(t *testing.T) {
	s := &webServer{data: noise(1 << 20), tag: `"a"`}
	s.before = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			<-r.Context().Done()
		}
		return n > 0
	}
	url := s.start(t)
	c := newClient(t, blob.Options{})
	obj, err := c.Stat(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	src, err := c.Open(ctx, obj)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := readAll(src); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, want %v", err, context.Canceled)
	}
	src, err = c.Open(t.Context(), obj)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, func() { src.Close() })
	if _, err := readAll(src); err == nil {
		t.Error("closed: no error")
	}
}

// A cache that answers with another range than was asked for is asked again.
func TestWebWrongRangeIsAskedAgain(t *testing.T) {
	data := noise(1 << 20)
	s := &webServer{data: data, tag: `"a"`}
	wrong := 0
	s.before = func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n != 1 { // the first read
			return false
		}
		wrong++
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 7-1006/%d", len(data)))
		w.WriteHeader(206)
		w.Write(data[7:1007])
		return true
	}
	_, src := open(t, s.start(t))
	if got, err := readAll(src); err != nil || !bytes.Equal(got, data) || wrong != 1 {
		t.Errorf("got %d bytes after %d wrong answers, %v; want %d", len(got), wrong, err, len(data))
	}
}
