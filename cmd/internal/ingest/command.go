// Package ingest is the command that plans a run and tells the aggregators of it. The program
// cmd/ingest and the verb "winnow ingest" execute it.
package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// options are the flags.
type options struct {
	request  request.Run
	broker   request.Broker
	budget   blob.Budget
	log      request.Log
	lease    time.Duration
	replicas int
	storage  string
	check    bool
	format   request.Format
}

// NewCommand returns the command with all its flags.
func NewCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "ingest --nats URL --out URL INPUT...",
		Short: "Plan a run over WARC files",
		Long: `Plan a run over WARC files, write the plan to the output folder, and tell the
aggregators of it, which publish its items to the workers.

An INPUT is a .warc, .warc.gz, .warc.zst, .warc.lz4, .warc.bz2, .arc or .arc.gz
file, a WACZ collection (.wacz), a folder, a glob, a list file (*.paths,
*.paths.gz), an index (*.cdxj, *.cdx, *.parquet, *.csv, *.gz of them), or an http,
s3, gs or azblob URL; or, on a disk, an HTML file, a folder of such files, or a gold test package,
which are packed into an archive in the output folder first. Files are cut into
byte ranges by their size; nothing but their first bytes is read, the directory of
a collection, and an index, which is written to the output folder as a table of the
records that it names. An http URL
may hold a user, a password or a signature: they go to the workers through the
broker, which forgets them when the run is over, and are stored nowhere else.

One aggregator makes the tables of a run. If it cannot keep up with the workers, --share
divides the input into several runs, which several aggregators work on side by side.

The run's id is written to standard output. Started again with the same id and
inputs, ingest does what was not done, and tells a broker that has lost its data of
the run. Without --run the id is new each
time, so a program that may be restarted should name one.`,
		Annotations: map[string]string{service.More: request.Buckets},
		Example: `  ingest --nats nats://nats:4222 --run may --out s3://tables/may s3://crawl/2024-05/
  ingest --nats nats://nats:4222 --run may --out s3://tables/may \
    --base https://data.commoncrawl.org/ warc.paths.gz
  ingest --nats nats://nats:4222 --run monday --out s3://tables/monday --only-new s3://tables/ s3://crawl/inbox/
  ingest --nats nats://nats:4222 --run may-03 --out s3://tables/may/03 --share 3/24 s3://crawl/2024-05/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	o.request.Register(f)
	service.Group(f, "Output", o.format.Register)
	service.Rare(f, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&o.check, "check", false, "check flags and inputs, and publish nothing")
	})
	o.broker.Register(f, "`URL` of the broker")
	service.Rare(f, "Broker", func(f *pflag.FlagSet) {
		f.IntVar(&o.replicas, "nats-replicas", 1, "copies of each stream: 1, or 3 in a cluster of brokers")
		f.StringVar(&o.storage, "nats-storage", "", "`size` of all streams together on the broker's disk (default 1.75GiB)")
		f.DurationVar(&o.lease, "lease", queue.DefaultLease, "how long a worker, or an aggregator, may be silent before its item, or the run, is given to another")
	})
	request.RegisterBudget(f, &o.budget)
	o.log.Register(f, "info")
	return cmd
}

func (o *options) run(ctx context.Context, inputs []string, stdout, stderr io.Writer) (err error) {
	log, err := service.Logger(stderr, o.log.Format, o.log.Level)
	if err != nil {
		return err
	}
	switch {
	case len(inputs) == 0 && o.request.RetryFailed == "":
		return service.Usagef("no INPUT is given")
	case o.request.Out == "":
		return service.Usagef("--out is needed: where tables go, as the workers and the aggregator see it")
	case o.lease < time.Second:
		return service.Usagef("--lease %v: must be at least a second", o.lease)
	}
	limits := queue.Limits{Replicas: o.replicas}
	if o.storage != "" {
		if limits.Bytes, err = service.ParseBytes(o.storage); err != nil {
			return service.Usagef("--nats-storage: %w", err)
		}
	}
	if err := o.broker.Validate(); err != nil {
		return err
	}
	o.request.Fill(time.Now())
	reach := o.request.Reach.Options()
	reach.Budget = o.budget
	blobs := blob.New(reach)
	defer func() { err = errors.Join(err, blobs.Close()) }()
	plan, err := o.request.Options(ctx, blobs, inputs)
	if err != nil {
		return err
	}
	plan.Lease = o.lease
	plan.Note = func(what string) { log.Warn(what) }
	store, err := blobs.Store(ctx, plan.Out)
	if err != nil {
		return err
	}
	plan.Out, plan.Store = store.URL(), store
	if o.check {
		scratch, discard, err := blobs.Scratch(ctx)
		if err != nil {
			return err
		}
		defer discard()
		plan.Store = scratch
	}
	planned, err := ingest.Plan(ctx, blobs, plan)
	if errors.Is(err, ingest.ErrNothingFailed) {
		log.Info("nothing is published", "reason", err)
		return nil
	}
	if err != nil {
		return request.Advise(err)
	}
	if o.check {
		return nil
	}
	q, err := o.broker.Dial(ctx, "ingest", log)
	if err != nil {
		return err
	}
	defer q.Close()
	if err := q.Setup(ctx, limits); err != nil {
		return err
	}
	if err := ingest.TakeUp(ctx, blobs, planned); err != nil {
		return err
	}
	_, err = ingest.Submit(ctx, q, store, planned)
	switch {
	case errors.Is(err, ingest.ErrFinished):
		log.Info("run is finished", "run", planned.ID, "out", plan.Out)
	case err != nil:
		return err
	default:
		log.Info("run is published", "run", planned.ID, "files", planned.Sealed.Files, "items", planned.Sealed.Items,
			"bytes", planned.Sealed.Bytes, "out", plan.Out)
	}
	if text := account.LeftOut(planned.Skipped); text != "" {
		log.Info(text, "run", planned.ID, "skipped", len(planned.Skipped))
	}
	return o.print(stdout, planned)
}

// print writes a summary that another program can read.
func (o *options) print(w io.Writer, run *schemas.Run) error {
	if !o.format.JSON() {
		_, err := fmt.Fprintln(w, run.ID)
		return err
	}
	return json.NewEncoder(w).Encode(struct {
		Run     schemas.RunID  `json:"run"`
		Out     string         `json:"out"`
		Sealed  schemas.Sealed `json:"sealed"`
		Skipped int            `json:"skipped"` // files that earlier runs have done
	}{run.ID, run.Out, run.Sealed, len(run.Skipped)})
}
