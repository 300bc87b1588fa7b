// Package aggregate is the command that makes the tables of runs from the reports of
// workers. The program cmd/aggregate and the verb "winnow aggregate" execute it.
package aggregate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// options are the flags.
type options struct {
	service  request.Service
	budget   blob.Budget
	out      string
	tempDir  string
	quiet    time.Duration
	format   string
	packages int
}

// NewCommand returns the command with all its flags.
func NewCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "aggregate --nats URL",
		Short: "Make the tables of runs",
		Long: `Make the tables of all runs, several at a time, or of one run: publish its items
to the workers, check their reports, compact their shards into parts, commit these, prove that no
record is missing, and publish the statistics. Started again, it goes on after
the last committed part.

Several aggregates may run at once: one at a time has leased a run, and the others
wait, or work on other runs. When it ends, or is silent for longer than the run's
lease (ingest --lease), another one takes the run over; the first can then commit
nothing more.

The summary of every run that ends is written to standard output, or is a line of
the log (--format log, which is the default if --log-format is json).`,
		Example: `  aggregate --nats nats://nats:4222 --metrics :9090
  aggregate --nats nats://nats:4222 --run may --exit-when-done`,
		Args: service.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.aggregate(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	o.service.Register(f, "make the tables of the run of this `id` only (default all)", "check flags, and do no work")
	service.Group(f, "What to do", func(f *pflag.FlagSet) {
		f.StringVar(&o.out, "out", "", "output `folder` of --run, if this program sees it under another name than ingest did")
		request.RegisterTime(f, &o.quiet, "quiet", 15*time.Second, "how long nothing may be reported before lost items are looked for and published again")
	})
	service.Rare(f, "Output", func(f *pflag.FlagSet) {
		request.RegisterChoice(f, &o.format, "format", "auto", "of the summary: text, json, log for a line of the log, or auto: log with --log-format json, else text", "auto", "text", "json", "log")
		f.IntVar(&o.packages, "packages", 50, "number of packages in the summary at most, 0 for all")
		f.StringVar(&o.tempDir, "temp", "", "`folder` for temporary files (default the system's)")
	})
	request.RegisterBudget(f, &o.budget)
	return cmd
}

func (o *options) aggregate(ctx context.Context, stdout, stderr io.Writer) (err error) {
	log, err := service.Logger(stderr, o.service.Log.Format, o.service.Log.Level)
	if err != nil {
		return err
	}
	if o.format == "auto" {
		o.format = "text"
		if o.service.Log.Format == "json" {
			o.format = "log"
		}
	}
	if o.out != "" && o.service.Run == "" {
		return service.Usagef("--out %s: it is the folder of one run: give its id, too (--run)", o.out)
	}
	if err := o.service.Validate(); err != nil {
		return err
	}
	if o.service.Check {
		return nil
	}
	reg := service.NewRegistry()
	m := newMetrics(reg)
	q, stop, err := o.service.Start(ctx, "aggregate", reg, nil, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	reg.MustRegister(brokerLoad(q, log))
	blobs := blob.New(blob.Options{Metrics: blob.NewMetrics(reg), Budget: o.budget})
	defer func() { err = errors.Join(err, blobs.Close()) }()
	var refused service.RefusedError // the refused documents of all runs
	var unmade int64                 // the missing scores of all runs
	if err := o.service.Await(ctx, q, log); err != nil {
		return err
	}
	err = commit.Serve(ctx, commit.ServeOptions{
		Queue: q, Blobs: blobs, Log: log, Run: schemas.RunID(o.service.Run), Out: o.out, ExitWhenDone: o.service.ExitWhenDone,
		Commit: commit.Options{TempDir: o.tempDir, Quiet: o.quiet, Progress: m.progress, Refused: m.refused.Inc,
			Report: func(ctx context.Context, store blob.Store) error {
				return overview.Write(ctx, store, overview.Options{})
			}},
		Begins: m.begin,
		Ends:   func(outcome commit.Outcome) { m.runs.WithLabelValues(string(outcome)).Inc() },
		Done: func(store blob.Store, sum *stats.Summary) error {
			m.scores(sum)
			refused = refused.Plus(request.Lost(sum))
			unmade += sum.Unmade
			if o.format == "log" {
				logSummary(log, store, sum)
				return nil
			}
			return o.print(stdout, store, sum)
		},
	})
	switch {
	case err != nil:
		return err
	case unmade > 0:
		return service.DefectError{Scores: unmade}
	}
	return refused.Err()
}

// logSummary writes the sums of a run as one line of the log. The figures of its packages
// are in the tables, because there may be many packages.
func logSummary(log *slog.Logger, store blob.Store, sum *stats.Summary) {
	log.Info("tables are published", "run", sum.Run, "out", store.URL(), "records", sum.Records, "pages", sum.Pages,
		"unchanged", sum.Unchanged, "not_html", sum.NotHTML, "refused", sum.Refused, "dead", sum.Dead, "unmade", sum.Unmade,
		"packages", len(sum.Packages), "files_with_losses", len(sum.Losses), "bytes_lost", sum.LostBytes(),
		"skipped", len(sum.Skipped))
}

// print writes the summary of a run.
func (o *options) print(w io.Writer, store blob.Store, sum *stats.Summary) error {
	if o.format == "json" {
		return request.WriteJSON(w, sum)
	}
	columns, _ := service.Size(w)
	if err := sum.Table(w, o.packages, max(stats.Columns, columns)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "tables are in %s\nthe report is %s\n", store.URL(), blob.Below(store.URL(), overview.File))
	return err
}
