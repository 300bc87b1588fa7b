// Package api serves the extraction of single pages over HTTP. It is built on the library, so
// its answers are those of package winnow.
//
// A request holds one of Options.Requests places from its first byte to the end of its answer,
// and a page holds one of Options.Pages places while it is extracted. A client that sends or
// reads slowly therefore takes none of the second, and the memory of the server is bounded by
// the first.
package api

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/service"
)

// Options bound what a server does at once and what a page may cost. Zeros are the defaults.
type Options struct {
	Pages    int           // pages that are extracted at once; default as many as there are processors
	Requests int           // requests that are answered at once; others are refused with 429; default 32
	MaxPage  int64         // bytes of a page; default 16 MiB
	Time     time.Duration // for a page to arrive, to wait for its turn, and to be extracted, each; default 30 s

	Fetch        bool // GET /extract?url= fetches pages from web servers
	AllowPrivate bool // a web server may be this machine, or in its network
}

func (o *Options) setDefaults() {
	if o.Pages <= 0 {
		o.Pages = runtime.GOMAXPROCS(0)
	}
	if o.Requests <= 0 {
		o.Requests = 32
	}
	if o.MaxPage <= 0 {
		o.MaxPage = 16 << 20
	}
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
}

// Server answers requests. Make it with New.
type Server struct {
	options  Options
	requests chan struct{} // one element for each request in progress
	pool     *pool
	metrics  *metrics
	registry *prometheus.Registry
	ending   context.Context // ends when the server begins to end
	end      context.CancelFunc
}

// New returns a server.
func New(o Options) *Server {
	o.setDefaults()
	s := &Server{options: o, requests: make(chan struct{}, o.Requests), pool: newPool(o), registry: service.NewRegistry()}
	s.ending, s.end = context.WithCancel(context.Background())
	s.metrics = newMetrics(s.registry)
	return s
}

// Serve listens on an address, says where on stdout, and answers until ctx ends. It then takes
// no further request and answers those that have begun.
func (s *Server) Serve(ctx context.Context, listen string, stdout io.Writer) error {
	l, err := service.Listen(listen)
	if err != nil {
		return fmt.Errorf("api: %w", err)
	}
	// A page arrives, waits for its turn, is extracted, and its answer is read.
	h := service.NewServer(s.Handler(), 4*s.options.Time)
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	fmt.Fprintf(stdout, "winnow api answers at http://%s\n", l.Addr())
	select {
	case err := <-done:
		return fmt.Errorf("api: %w", err)
	case <-ctx.Done():
	}
	s.end()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 4*s.options.Time)
	defer cancel()
	if err := h.Shutdown(closing); err != nil {
		return fmt.Errorf("api: some requests were not answered: %w", err)
	}
	<-done
	return nil
}

//go:embed openapi.json
var description []byte

// Handler returns what answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	service.Probes(mux, s.registry, func() error {
		if s.ending.Err() != nil {
			return errEnding
		}
		return nil
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(description)
	})
	mux.Handle("POST /extract", s.endpoint("extract", s.post))
	mux.Handle("GET /extract", s.endpoint("fetch", s.get))
	mux.Handle("POST /extract/batch", s.endpoint("batch", s.batch))
	return mux
}

var errEnding = errors.New("the server is ending")

// statusGone counts requests whose clients have gone. It has no name in the registry of HTTP;
// proxies use it for the same.
const statusGone = 499

// failure is an error with the status that tells a client whose fault it is.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func failed(status int, format string, args ...any) error {
	return &failure{status, fmt.Errorf(format, args...)}
}

// statusOf returns the status of an answer with an error.
func statusOf(err error) int {
	var f *failure
	if errors.As(err, &f) {
		return f.status
	}
	return http.StatusInternalServerError
}

// endpoint returns the handler of an endpoint. An error of answer is sent to the client, so
// answer must not have written anything then.
func (s *Server) endpoint(name string, answer func(w http.ResponseWriter, r *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		defer func() { s.metrics.requests.WithLabelValues(name, strconv.Itoa(status)).Inc() }()
		refuse := func(err error) {
			status = statusOf(err)
			if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			json.NewEncoder(w).Encode(Problem{Status: status, Error: err.Error()})
		}
		select {
		case s.requests <- struct{}{}:
			defer func() { <-s.requests }()
		default:
			refuse(failed(http.StatusTooManyRequests, "%d requests are in progress, which is the limit: try again later", s.options.Requests))
			return
		}
		s.metrics.inFlight.Inc()
		defer s.metrics.inFlight.Dec()
		if err := answer(w, r); err != nil {
			refuse(err)
		}
	})
}
