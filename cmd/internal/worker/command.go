// Package worker is the command that takes items from the queue and writes their rows.
// The program cmd/worker and the verb "winnow worker" execute it.
package worker

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/internal/work"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// options are the flags.
type options struct {
	service   request.Service
	name      string
	slots     int
	templates int64
	scoring   int64
	reach     request.Reach
	programs  request.Programs
	budget    blob.Budget
	giveUp    time.Duration
}

// NewCommand returns the command with all its flags.
func NewCommand() *cobra.Command {
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
folder of a run leaves that run alone.

A worker that cannot read any input of a run, or cannot write its output (a volume
that is not mounted, full or read-only, no rights), gives its items back and takes
no more of that run until it can; /readyz and the log say why. An input that cannot
be read though others can is tried again, and its items are given up after
--give-up-after, or after a fifth of that when two workers could not read it. A
server that does not answer, or asks to be asked later, is tried again 24 times as
long.

An extractor of a run that is a program of its own runs only if this worker has it in
--extractor-command; else the log says what is missing, and the worker leaves that run
to others.`,
		Example: `  worker --nats nats://nats:4222 --metrics :9090
  worker --nats nats://nats:4222 --run may --exit-when-done`,
		Args: service.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.work(cmd.Context(), cmd.ErrOrStderr()) },
	}
	f := cmd.Flags()
	o.service.Register(f, "work for the run of this `id` only (default all)", "check flags, extractors and scorers, and do no work")
	service.Group(f, "What to do", func(f *pflag.FlagSet) {
		f.IntVar(&o.slots, "slots", 0, "items at once (default one per core)")
		f.StringVar(&o.name, "name", "", "of this worker in reports (default host and process id)")
	})
	service.Rare(f, "Limits", func(f *pflag.FlagSet) {
		request.RegisterSize(f, &o.templates, "templates-memory", "256MiB", "`size` of the site templates that are held ready, over all slots")
		request.RegisterSize(f, &o.scoring, "score-memory", "512MiB", "`size` of the memory that scoring takes at once, over all slots; large pages wait for each other")
		request.RegisterTime(f, &o.giveUp, "give-up-after", 10*time.Minute, "`time` for which an input that cannot be read is tried again before its items are given up")
	})
	o.programs.Register(f)
	o.reach.Register(f)
	request.RegisterBudget(f, &o.budget)
	return cmd
}

func (o *options) work(ctx context.Context, stderr io.Writer) (err error) {
	log, err := service.Logger(stderr, o.service.Log.Format, o.service.Log.Level)
	if err != nil {
		return err
	}
	if o.slots < 0 || o.slots > 1024 {
		return service.Usagef("--slots %d: want 1 to 1024", o.slots)
	}
	if err := o.service.Validate(); err != nil {
		return err
	}
	if err := errors.Join(algorithms.Validate(suite.Extractors(), suite.Scorers()), fact.Validate(suite.Facts())); err != nil {
		return err
	}
	extractors, err := o.programs.Check(ctx, log)
	if err != nil {
		return err
	}
	if o.service.Check {
		return nil
	}
	reg := service.NewRegistry()
	var health worker.Health
	q, stop, err := o.service.Start(ctx, "worker", reg, health.Ready, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	reach := o.reach.Options()
	reach.Metrics, reach.Budget = blob.NewMetrics(reg), o.budget
	blobs := blob.New(reach)
	defer func() { err = errors.Join(err, blobs.Close()) }()
	begun := time.Now()
	opt := worker.Options{
		Queue: q, Blobs: blobs, Build: service.Version(),
		Slots: o.slots, Name: o.name, Run: schemas.RunID(o.service.Run), ExitWhenDone: o.service.ExitWhenDone,
		Restarted: !o.service.ExitWhenDone, GiveUpAfter: o.giveUp, Health: &health,
		Metrics: worker.NewMetrics(reg), Log: log,
	}
	extraction := work.Extraction(extractors)
	extraction.TemplateBytes, extraction.ScoreMemory, extraction.Metrics = o.templates, o.scoring, extract.NewMetrics(reg)
	learning := learn.Options{Extractors: extraction.Extractors, Metrics: learn.NewMetrics(reg)}
	opt.Tasks = learn.Tasks(learning, extract.New(extraction))
	if err := o.service.Await(ctx, q, log); err != nil {
		return err
	}
	err = worker.Run(ctx, opt)
	log.Info("worker ends", "after", time.Since(begun).Round(time.Second).String())
	return err
}
