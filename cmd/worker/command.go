package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/align"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/isolate"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// options are the flags.
type options struct {
	broker       request.Broker
	log          request.Log
	run          string
	name         string
	slots        int
	exitWhenDone bool
	metrics      string
	templates    string
	scoring      string
	check        bool
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Work on the items of runs",
		Long: `Work on the items of all active runs, or of one: read byte ranges of WARC files,
run the chosen methods over every page, and publish the rows.

Any number of workers may join and leave at any time. The first SIGTERM has a
worker finish the items it has; a second ends it at once, and its items go to
others when their lease is over.

Buckets are reached as in 'ingest --help'. A worker that may not use the output
folder of a run leaves that run alone.`,
		Example: `  worker --nats nats://nats:4222 --metrics :9090
  worker --nats nats://nats:4222 --run may --exit-when-done`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.work(cmd.Context(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	o.broker.Register(f, "`URL` of the broker")
	f.StringVar(&o.run, "run", "", "work for the run of this `id` only (default all)")
	f.StringVar(&o.name, "name", "", "of this worker in reports (default host and process id)")
	f.IntVar(&o.slots, "slots", 0, "items at once (default one per core)")
	f.BoolVar(&o.exitWhenDone, "exit-when-done", false, "end when the run is over, or when no run is active")
	f.StringVar(&o.templates, "templates-memory", "256MiB", "`size` of the site templates that are held ready, over all slots")
	f.StringVar(&o.scoring, "score-memory", "512MiB", "`size` of the memory that scoring takes at once, over all slots; large pages wait for each other")
	f.StringVar(&o.metrics, "metrics", "", "`address` to answer /metrics, /healthz and /readyz on, such as :9090")
	f.BoolVar(&o.check, "check", false, "check flags and methods, and do no work")
	o.log.Register(f, "info")
	return cmd
}

func (o *options) work(ctx context.Context, stderr io.Writer) (err error) {
	log, err := service.Logger(stderr, o.log.Format, o.log.Level)
	if err != nil {
		return err
	}
	if o.slots < 0 || o.slots > 1024 {
		return service.Usagef("--slots %d: want 1 to 1024", o.slots)
	}
	templates, err := service.ParseBytes(o.templates)
	if err != nil || templates <= 0 {
		return service.Usagef("--templates-memory %q: want a size such as 256MiB", o.templates)
	}
	scoring, err := service.ParseBytes(o.scoring)
	if err != nil || scoring <= 0 {
		return service.Usagef("--score-memory %q: want a size such as 512MiB", o.scoring)
	}
	if o.run != "" {
		if err := schemas.RunID(o.run).Check(); err != nil {
			return service.UsageError{Err: err}
		}
	}
	if err := algorithms.Validate(suite.Extractors(), suite.Scorers()); err != nil {
		return err
	}
	if o.check {
		return nil
	}
	reg := service.NewRegistry()
	q, err := o.broker.Dial(ctx, "worker", log)
	if err != nil {
		return err
	}
	defer q.Close()
	if o.metrics != "" {
		srv, err := service.Serve(o.metrics, reg, q.Ready)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, srv.Close()) }()
		log.Info("metrics", "address", srv.Addr)
	}
	blobs := blob.New(blob.Options{Metrics: blob.NewMetrics(reg)})
	defer func() { err = errors.Join(err, blobs.Close()) }()
	begun := time.Now()
	err = worker.Run(ctx, worker.Options{
		Queue: q, Blobs: blobs, Extractors: suite.Extractors(), Scorers: suite.Scorers(), Build: service.Version(),
		Slots: o.slots, Name: o.name, Run: schemas.RunID(o.run), ExitWhenDone: o.exitWhenDone,
		TemplateBytes: templates, ScoreMemory: scoring,
		Isolate: func() (driver.Isolate, func()) {
			cage := isolate.New(isolate.Options{})
			return cage.Run, cage.Close
		},
		Align:   func() func(*page.Selection, *page.Body, string) { return new(align.Aligner).Text },
		Metrics: worker.NewMetrics(reg), Log: log,
	})
	log.Info("worker ends", "after", time.Since(begun).Round(time.Second).String())
	return err
}
