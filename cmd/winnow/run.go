package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/internal/work"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/worker"
)

// runOptions are the flags of the verb run.
type runOptions struct {
	request  request.Run
	broker   request.Broker
	budget   blob.Budget
	log      request.Log
	workers  int
	store    string
	check    bool
	format   request.Format
	packages int
	quiet    bool
}

func newRunCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run INPUT...",
		Short: "Extract and score the pages of crawl archives or of folders: all stages, on this machine",
		Long: `Run the chosen extractors over every HTML page of WARC files, score the results
against gold where there is any, and write the results as Parquet tables.

An INPUT is a WARC or ARC file (.warc, .warc.gz, .warc.zst, .warc.lz4, .warc.bz2, .arc,
.arc.gz), a WACZ collection, a folder, a glob, a list file (*.paths, *.paths.gz), an
index (*.cdxj, *.cdx, *.parquet, *.csv, *.gz of them), or an http, s3, gs or azblob
URL; or, on a disk, an HTML file, a folder of such files, or a gold test package (see
winnow pack).

Everything happens in this process, on all cores. A run that was interrupted, or
killed, goes on by its --run and --out alone: inputs and settings are those that it
has recorded (run.json).

Output: run.json, pages/, documents/, scores/, agreement/, texts/ (--texts), records/
(--records), inputs/ (of folders), packages.parquet, speed.parquet, agreement.parquet, failures.parquet,
report.html and, when all is done, _SUCCESS.`,
		Annotations: map[string]string{service.More: `HTML files and gold packages are packed into an archive below --out first. From the
archives of an index, the run reads only the records that the index names and that
--select chooses. An http URL may hold a user, a password or a signature; they are used
and not stored.

Ctrl-C lets the pieces that are being worked on finish; a second one ends at once.
Neither loses anything.

Methods that work with site templates (winnow extractors: scope site) learn
before they extract: the input is read twice, sites are sampled by at most 30
pages each, and what was learned is in the table templates/ (winnow
report --table templates OUT). --templates uses the templates of an earlier run. For example:

  winnow run --extractors iwptd,temex --site-by domain --out tables crawl/
  winnow run --extractors iwptd --templates tables --templates-max-age 720h --out new crawl/may/

--only-new OUT leaves out the inputs that a finished run has done, by URL, size, and
etag or time of change. OUT is the output folder of the run, or a folder of such folders.
An input that was not read, or of which an item was given up, is read again. So are HTML
files and gold packages, and the records that an index names. A page that is read is not
extracted if the latest run that has its address found the same status, header fields about
the page, and HTML: it is counted as unchanged and has no rows. Neither the settings of the
earlier runs count nor the dates of records: delete the oldest runs first. A page that a run
has several times, with different content, counts as new in the next run, and so does one
that an extractor failed on or skipped, and a page with gold in every run with scorers. Each
process with workers holds 16 bytes for each address; --limit earlier-pages bounds them, by
leaving out the oldest runs.

--retry-failed OUT does again what the finished run in OUT gave up: items and records that
ended workers or could not be read, and input files that were refused. The new run has the
settings of that run and the present version of the program, its own folder and a link to
that run (retry_of in run.json), and no row twice. Only one run can retry another; what that
one gives up is retried from its own folder. Damaged bytes are not read again.

Facts of every page, such as what its robots rules and licence allow, are columns of
pages (winnow facts; --facts a,b, all or none).

On a terminal, a few lines show how far the run is: items, pages per second, failures, time
left and, with gold, the mean F1 of every extractor so far. Elsewhere, log lines say so every
10 seconds, and later every minute. --quiet leaves both out; --log-level debug adds a line for
every item.

` + request.Buckets},
		Example: `  winnow run --out tables examples/crawl.warc.gz
  winnow run --extractors bte,cetd-ds --scorers str,vec --out tables crawl/*.warc.gz
  winnow run --out tables cleaneval-final.tar.xz my-pages/
  winnow run --extractors justext --scorers none --texts jsonl --out tables s3://bucket/crawl/
  winnow run --select url=https://example.org/news/ --select mime=text/html --out news crawl/index.cdxj
  winnow run --out tables/monday --only-new tables inbox/
  winnow run --out tables/monday-again --retry-failed tables/monday
  winnow run --run may --out tables/may`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args, cmd.Flags(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// register adds the flags to a command.
func (o *runOptions) register(f *pflag.FlagSet) {
	o.request.Register(f)
	o.request.Programs.RegisterAnswers(f)
	service.Group(f, "What to run", func(f *pflag.FlagSet) {
		f.IntVar(&o.workers, "workers", 0, "pieces worked on at once (default one per core)")
	})
	service.Group(f, "Output", func(f *pflag.FlagSet) {
		f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress, and log warnings and errors only")
	})
	service.Rare(f, "Output", func(f *pflag.FlagSet) {
		o.format.Register(f)
		request.RegisterCount(f, &o.packages, "packages", 50, "`number` of packages in the summary at most, 0 for all")
		f.BoolVar(&o.check, "check", false, "check flags and inputs, and do nothing")
	})
	o.broker.Register(f, "`URL` of a broker to use instead of the embedded one")
	service.Rare(f, "Broker", func(f *pflag.FlagSet) {
		f.StringVar(&o.store, "store", "", "`folder` of the embedded broker (default below --out, or a temporary one)")
	})
	request.RegisterBudget(f, &o.budget)
	o.log.Register(f, "")
	f.Lookup("log-format").Usage = "text, json, or auto, which is text" // see logger
}

func (o *runOptions) run(ctx context.Context, inputs []string, flags *pflag.FlagSet, stdout, stderr io.Writer) (err error) {
	if err := o.validate(inputs); err != nil {
		return err
	}
	var status *local.Status // nil shows nothing
	words := stderr          // what is written to while the run goes on
	if !o.quiet {
		status = local.NewStatus(stderr)
		words = status
	}
	log, err := o.logger(words, o.quiet || service.Terminal(stderr))
	if err != nil {
		return err
	}
	named := o.request.ID != ""
	o.request.Fill(time.Now())
	var broker *queue.Queue // nil for the embedded one
	if o.broker.URL != "" && !o.check {
		if broker, err = o.broker.Dial(ctx, "winnow run", log); err != nil {
			return err
		}
		defer broker.Close()
	}
	reach := o.request.Reach.Options()
	reach.Budget = o.budget
	blobs := blob.New(reach)
	defer func() { err = errors.Join(err, blobs.Close()) }()
	plan, err := o.request.Options(ctx, blobs, inputs)
	if err != nil {
		return err
	}
	extractors, err := o.request.Programs.Check(ctx, log)
	if err != nil {
		return err
	}
	given := o.request.Recipe()
	opt := local.Options{
		Blobs: blobs, Plan: plan, Recorded: len(given) == 0, StoreDir: o.store, Status: status, Log: log,
		Worker: worker.Options{Slots: o.workers}, Extract: work.Extraction(extractors),
	}
	if o.check {
		scratch, discard, err := blobs.Scratch(ctx)
		if err != nil {
			return err
		}
		defer discard() // all that remains is in a temporary folder
		opt.Plan.Store = scratch
		_, err = local.Plan(ctx, opt)
		return request.Advise(err)
	}
	opt.Broker = broker
	// A second signal ends the process without another word, so the way to go on is said now.
	said := make(chan string, 1)
	stop := context.AfterFunc(ctx, func() {
		fmt.Fprintln(words, "winnow: interrupted: finishing the pieces that were begun; Ctrl-C again ends at once, and loses nothing")
		hint := o.goOn(context.WithoutCancel(ctx), blobs, flags)
		if hint != "" {
			fmt.Fprintln(words, "winnow: "+hint)
		}
		said <- hint
	})
	sum, err := local.Run(ctx, opt)
	hinted := "" // the hint that was written when the run was interrupted
	if !stop() {
		hinted = <-said
	}
	if errors.Is(err, ingest.ErrNothingFailed) {
		_, err := fmt.Fprintf(stderr, "winnow: %v: there is nothing to do again\n", err)
		return err
	}
	other := errors.Is(err, ingest.ErrOther)
	// A run that another process works on needs no command to go on with it.
	if err != nil && !other && !errors.Is(err, local.ErrInUse) {
		if hint := o.goOn(context.WithoutCancel(ctx), blobs, flags); hint != "" && hint != hinted && (ctx.Err() != nil || strings.HasPrefix(hint, resumes)) {
			fmt.Fprintln(stderr, "winnow: "+hint)
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case other && !named:
		return fmt.Errorf("%w; or, if that run is meant, name it with --run", err)
	case other && len(inputs) == 0 && len(given) > 0:
		return fmt.Errorf("%w; or leave out %s: the run goes on with the settings that it has recorded", err, strings.Join(given, ", "))
	case err != nil:
		return request.Advise(err)
	}
	return o.show(ctx, stdout, blobs, sum)
}

func (o *runOptions) validate(inputs []string) error {
	if err := o.broker.Validate(); err != nil {
		return err
	}
	if o.workers < 0 || o.workers > 1024 {
		return service.Usagef("--workers %d: want 1 to 1024", o.workers)
	}
	if len(inputs) == 0 && o.request.RetryFailed == "" && (o.request.ID == "" || o.request.Out == "") {
		return service.Usagef("no INPUT is given (to go on with a run, give its --run and --out)")
	}
	return nil
}

// logger writes text unless a flag says otherwise, also to a file, because people read
// the log of this program. With few, the default level leaves out what the lines of
// progress on a terminal say, or what --quiet does not want.
func (o *runOptions) logger(w io.Writer, few bool) (*slog.Logger, error) {
	format, level := o.log.Format, o.log.Level
	if format == "auto" {
		format = "text"
	}
	if level == "" {
		if level = "info"; few {
			level = "warn"
		}
	}
	return service.Logger(w, format, level)
}

// show writes the summary. It returns an error if input could not be read or if scores
// are missing. The error sets the exit code.
func (o *runOptions) show(ctx context.Context, w io.Writer, blobs *blob.Client, sum *stats.Summary) error {
	if err := o.print(ctx, w, blobs, sum); err != nil {
		return err
	}
	if sum.Unmade > 0 {
		return service.DefectError{Scores: sum.Unmade}
	}
	return request.Lost(sum).Err()
}

func (o *runOptions) print(ctx context.Context, w io.Writer, blobs *blob.Client, sum *stats.Summary) error {
	if o.format.JSON() {
		return request.WriteJSON(w, sum)
	}
	columns, _ := service.Size(w)
	if err := sum.Table(w, o.packages, max(stats.Columns, columns)); err != nil {
		return err
	}
	out := strings.TrimSuffix(o.request.Out, "/")
	report := "the report is " + blob.Below(out, overview.File)
	// The run is done also if its report could not be written, for example on a full disk.
	if store, err := blobs.Store(ctx, out); err == nil {
		if is, err := blob.Exists(ctx, store, overview.File); err == nil && !is {
			report = "there is no report: 'winnow report " + quoted(out) + "' writes it"
		}
	}
	_, err := fmt.Fprintf(w, "tables are in %s\n%s\n", out, report)
	return err
}
