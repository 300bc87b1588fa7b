package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/estimate"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/internal/work"
	"github.com/winnow/winnow/cmd/winnow/internal/plan"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// planOptions are the flags of the verb plan.
type planOptions struct {
	request request.Run
	log     request.Log
	workers int
	cluster bool
	sample  int64
	format  request.Format
}

func newPlanCommand() *cobra.Command {
	var o planOptions
	cmd := &cobra.Command{
		Use:   "plan INPUT...",
		Short: "Print what a run would do, and what it needs: items, core-hours, memory and output",
		Long: `Print what a run of the same inputs and flags would do and need. Nothing is written,
and no broker is needed.

Files, items and bytes are those of the run. All other figures are predicted from a
sample: records in 16 ranges of the input, with the same number of bytes between them,
which are processed for real, with all stages and tables, in a temporary folder. The
sample of an input is always the same. If the whole input is not larger than the sample,
pages and rows are counted.

Work is CPU time of this machine, measured by the system (getrusage) for this process
and its child processes, and not the time that has passed. Hours are for workers that
have a core each and do not wait for their input. Output is the tables in one copy.`,
		Example: `  winnow plan crawl/
  winnow plan --extractors winnow --scorers none --texts jsonl --workers 64 --cluster s3://bucket/crawl/
  winnow plan --workers 1000 --cluster --trust-names --base https://data.commoncrawl.org/ warc.paths.gz
  winnow plan --format json crawl/ | jq .estimate.core_hours`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	service.Group(f, "What to run", func(f *pflag.FlagSet) {
		f.IntVar(&o.workers, "workers", 0, "`slots` of all workers together, each with a core (default one per core of this machine)")
		f.BoolVar(&o.cluster, "cluster", false, "cut files into items as 'winnow ingest' does; the default is as 'winnow run' does with the same --workers")
		request.RegisterSize(f, &o.sample, "sample", "8MiB", "`size` of the part of the input that is processed")
	})
	o.request.Register(f)
	o.request.Programs.RegisterAnswers(f)
	service.Group(f, "Output", o.format.Register)
	o.log.Register(f, "warn")
	const gone = "gone: multiply the core-hours and the sizes by your prices"
	service.Formerly(f, map[string]string{"price-core-hour": gone, "price-gb": gone, "price-read-gb": gone})
	return cmd
}

func (o *planOptions) validate(inputs []string) error {
	const maxLocal, maxCluster = 1024, 1_000_000
	most := maxLocal
	if o.cluster {
		most = maxCluster
	}
	switch {
	case len(inputs) == 0 && o.request.RetryFailed == "":
		return service.Usagef("no INPUT is given")
	case o.workers < 0 || o.workers > most:
		return service.Usagef("--workers %d: want 1 to %d, or with --cluster to %d", o.workers, maxLocal, maxCluster)
	}
	return nil
}

func (o *planOptions) run(ctx context.Context, inputs []string, stdout, stderr io.Writer) (err error) {
	if err := o.validate(inputs); err != nil {
		return err
	}
	log, err := service.Logger(stderr, o.log.Format, o.log.Level)
	if err != nil {
		return err
	}
	o.request.Fill(time.Now())
	blobs := blob.New(o.request.Reach.Options())
	defer func() { err = errors.Join(err, blobs.Close()) }()
	options, err := o.request.Options(ctx, blobs, inputs)
	if err != nil {
		return err
	}
	extractors, err := o.request.Programs.Check(ctx, log)
	if err != nil {
		return err
	}
	scratch, discard, err := blobs.Scratch(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	workers := o.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	options.Store, options.Note = scratch, func(what string) { log.Warn(what) }
	if !o.cluster {
		options.Workers = workers
	}
	run, err := ingest.Plan(ctx, blobs, options)
	if errors.Is(err, ingest.ErrNothingFailed) {
		_, err := fmt.Fprintf(stderr, "winnow: %v: there is nothing to do again\n", err)
		return err
	}
	if err != nil {
		return request.Advise(err)
	}
	e, err := estimate.Of(ctx, run, scratch, estimate.Options{
		Local: local.Options{
			Blobs: blobs, Extract: work.Extraction(extractors),
			Worker: worker.Options{Slots: min(workers, runtime.GOMAXPROCS(0))},
		},
		Bytes: o.sample, Workers: workers,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // the items are known nevertheless
		log.Warn("what the run needs is not known", "reason", err)
	}
	if o.format.JSON() {
		return request.WriteJSON(stdout, struct {
			*schemas.Run
			Estimate *estimate.Estimate `json:"estimate,omitempty"`
		}{run, e})
	}
	if flags := o.request.StandsFor(); flags != "" {
		if _, err := fmt.Fprintf(stdout, "--for %s: %s\n\n", o.request.For, flags); err != nil {
			return err
		}
	}
	return plan.Text(stdout, run, e)
}
