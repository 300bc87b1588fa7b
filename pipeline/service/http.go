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
)

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

// Serve starts to answer on addr ("127.0.0.1:9090", ":9090"). Close the server after
// use. ready may be nil.
func Serve(addr string, reg prometheus.Gatherer, ready func() error) (*Server, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("service: metrics: %w", err)
	}
	mux := http.NewServeMux()
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
	s := &Server{
		Addr: ln.Addr().String(),
		http: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 1 << 16},
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
