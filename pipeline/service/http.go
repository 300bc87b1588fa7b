package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
)

// maxConnections is the number of connections that a server has open at once. Further ones
// wait until one is closed.
const maxConnections = 256

// Listen listens on a TCP address for a server of NewServer.
func Listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(l, maxConnections), nil
}

// NewServer returns a server for requests without a body. A client that does not finish its
// request, does not read the answer, or asks for nothing more loses its connection. answer
// is the time from the request to the end of the answer.
func NewServer(h http.Handler, answer time.Duration) *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength == 0 {
				// The request is complete. When its read deadline passes, net/http would
				// cancel the context of an answer that takes longer.
				_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
			}
			h.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: answer, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
	}
}

// NewRegistry returns a new registry with the runtime's metrics and winnow_build_info.
// It does not use the global registry.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	version, revision, goVersion := build()
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "winnow_build_info", Help: "1, labelled with what was built.",
	}, []string{"version", "revision", "goversion"})
	info.WithLabelValues(version, revision, goVersion).Set(1)
	r.MustRegister(info)
	return r
}

// Server answers probes and scrapes:
//
//	/healthz  200 while the process lives. It does not depend on the broker:
//	          restarting this process would not bring the broker back.
//	/readyz   200 if Ready says so, else 503 with the reason
//	/metrics  the registry, in Prometheus' text format
type Server struct {
	// Addr is where it listens, with the port that was chosen.
	Addr string

	http *http.Server
	done chan error
}

// Probes adds what a Server answers to another server. ready may be nil.
func Probes(mux *http.ServeMux, reg prometheus.Gatherer, ready func() error) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ready != nil {
			if err := ready(); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
		}
		fmt.Fprintln(w, "ok")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
}

// Serve starts to answer on addr ("127.0.0.1:9090", ":9090"). Close the server after
// use. ready may be nil.
func Serve(addr string, reg prometheus.Gatherer, ready func() error) (*Server, error) {
	ln, err := Listen(addr)
	if err != nil {
		return nil, fmt.Errorf("service: metrics: %w", err)
	}
	mux := http.NewServeMux()
	Probes(mux, reg, ready)
	s := &Server{
		Addr: ln.Addr().String(),
		http: NewServer(mux, 30*time.Second),
		done: make(chan error, 1),
	}
	go func() { s.done <- s.http.Serve(ln) }()
	return s, nil
}

// Close stops listening and waits for answers that are being sent.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	if err != nil {
		return fmt.Errorf("service: metrics: %w", err)
	}
	return nil
}
