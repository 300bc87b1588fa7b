package request

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// Service holds the flags of the programs that serve one run after another: worker
// and aggregate.
type Service struct {
	Broker       Broker
	Log          Log
	Run          string
	ExitWhenDone bool
	RunWait      time.Duration
	Metrics      string
	Check        bool
}

// Register adds the flags to a command. The help texts of --run and --check come from
// run and check.
func (s *Service) Register(f *pflag.FlagSet, run, check string) {
	s.Broker.Register(f, "`URL` of the broker")
	service.Group(f, "What to do", func(f *pflag.FlagSet) {
		f.StringVar(&s.Run, "run", "", run)
		f.BoolVar(&s.ExitWhenDone, "exit-when-done", false, "end when the run is over, or when no run is active")
		f.BoolVar(&s.Check, "check", false, check)
	})
	service.Rare(f, "What to do", func(f *pflag.FlagSet) {
		RegisterTime(f, &s.RunWait, "run-wait", 5*time.Minute, "with --run and --exit-when-done: how long to wait for a run that is not published yet")
	})
	service.Group(f, "Log and metrics", func(f *pflag.FlagSet) {
		f.StringVar(&s.Metrics, "metrics", "", "`address` to answer /metrics, /healthz and /readyz on, such as :9090")
	})
	s.Log.Register(f, "info")
}

// Validate returns a service.UsageError if a flag is wrong.
func (s *Service) Validate() error {
	if err := s.Broker.Validate(); err != nil {
		return err
	}
	if s.Run == "" {
		return nil
	}
	if err := schemas.RunID(s.Run).Check(); err != nil {
		return service.UsageError{Err: err}
	}
	return nil
}

// Start connects the named program to the broker, and serves the metrics in reg if a
// flag gives an address. The program reports that it is ready when the broker answers
// and the function ready, unless it is nil, returns no error. stop closes the
// connection and the metrics server.
func (s *Service) Start(ctx context.Context, name string, reg *prometheus.Registry, ready func() error, log *slog.Logger) (q *queue.Queue, stop func() error, err error) {
	if q, err = s.Broker.Dial(ctx, name, log); err != nil {
		return nil, nil, err
	}
	if s.Metrics == "" {
		return q, func() error { q.Close(); return nil }, nil
	}
	srv, err := service.Serve(s.Metrics, reg, func() error {
		err := q.Ready()
		if err == nil && ready != nil {
			err = ready()
		}
		return err
	})
	if err != nil {
		q.Close()
		return nil, nil, err
	}
	log.Info("metrics", "address", srv.Addr)
	return q, func() error { defer q.Close(); return srv.Close() }, nil
}

// Await waits for the run of --run that this program is to end with, for at most --run-wait.
func (s *Service) Await(ctx context.Context, q *queue.Queue, log *slog.Logger) error {
	if s.Run == "" || !s.ExitWhenDone {
		return nil
	}
	return q.AwaitRun(ctx, schemas.RunID(s.Run), s.RunWait, log)
}
