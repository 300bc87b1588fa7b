// Command scale measures what a run costs as it grows: bytes, messages, requests and CPU
// time of each program, their memory, and the size of the manifest. From these figures it
// computes what larger runs need, and writes tables of both into eval/scale.md.
//
//	go -C eval run ./scale --pages 1000,10000,100000 --files 100,1000,10000 --mixed 1000
//	go -C eval run ./scale --crawl wcxb-dev.warc.gz --copies 4
//	go -C eval run ./scale            # only writes the tables again
//
// A trial is one run of the real programs: ingest, one worker with two slots and one
// aggregator, with a broker (nats-server, started from its module) and an object store in
// this process that counts requests and bytes. Pages are small and made for the purpose:
//
//	--pages N   N pages, 10,000 of them in each file, so that pages make the cost
//	--files N   N files of one page each, so that files and items make the cost
//	--mixed N   N files of 100 pages each, to check the model
//	--crawl F   an archive of real pages, as often as --copies says
//
// Results replace earlier ones of the same kind and size in eval/scale/figures.json. CPU
// time is that of the operating system for each process, so it hardly depends on what else
// the machine does. Memory is read from /proc (VmHWM), so measuring needs Linux.
//
// Exit code: 0, 1 if a trial failed, 2 for wrong usage.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/winnow/winnow/eval/binaries"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// options of the command.
type options struct {
	pages, files, mixed sizes
	crawl               string
	copies              int
	bin, work           string
	figures, page       string
}

// sizes is a flag of numbers that are separated by commas.
type sizes []int

func (s *sizes) String() string { return "" }

func (s *sizes) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > 10_000_000 {
			return fmt.Errorf("%q: want numbers from 1 to 10000000, separated by commas", part)
		}
		*s = append(*s, n)
	}
	return nil
}

// run is main without its exit.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Var(&o.pages, "pages", "`numbers` of pages of runs with few files")
	flags.Var(&o.files, "files", "`numbers` of files of runs with one page in each file")
	flags.Var(&o.mixed, "mixed", "`numbers` of files of runs with 100 pages in each file")
	flags.StringVar(&o.crawl, "crawl", "", "archive `file` of real pages")
	flags.IntVar(&o.copies, "copies", 1, "`number` of input files that are made of --crawl")
	flags.StringVar(&o.bin, "bin", "", "`folder` with the programs winnow and nats-server (default: they are built)")
	flags.StringVar(&o.work, "work", "", "`folder` for the broker and logs (default: a temporary one)")
	flags.StringVar(&o.figures, "figures", "scale/figures.json", "`file` of all figures")
	flags.StringVar(&o.page, "page", "scale.md", "`file` that the tables are written into")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0 || o.copies < 1:
		fmt.Fprintln(stderr, "scale: --copies is at least 1, and there are no further arguments")
		return 2
	}
	if err := o.all(ctx, stderr); err != nil {
		fmt.Fprintln(stderr, "scale:", err)
		return 1
	}
	return 0
}

// all makes the trials and writes the tables.
func (o *options) all(ctx context.Context, stderr io.Writer) error {
	var trials []trial
	for _, n := range o.pages {
		trials = append(trials, trial{Kind: pagesKind, Files: max(1, n/pagesPerFile), Pages: n})
	}
	for _, n := range o.files {
		trials = append(trials, trial{Kind: filesKind, Files: n, Pages: n})
	}
	for _, n := range o.mixed {
		trials = append(trials, trial{Kind: mixedKind, Files: n, Pages: 100 * n})
	}
	if o.crawl != "" {
		trials = append(trials, trial{Kind: crawlKind, Files: o.copies, input: o.crawl})
	}
	if len(trials) > 0 {
		if err := o.measure(ctx, trials, stderr); err != nil {
			return err
		}
	}
	f, err := load(o.figures)
	if err != nil {
		return err
	}
	return render(o.page, f)
}

// measure makes trials, one after the other, and adds their results to the figures.
func (o *options) measure(ctx context.Context, trials []trial, stderr io.Writer) (err error) {
	work := o.work
	if work == "" {
		if work, err = os.MkdirTemp("", "winnow-scale-*"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	}
	bin, err := filepath.Abs(cmp.Or(o.bin, filepath.Join(work, "bin")))
	if err != nil {
		return err
	}
	if o.bin == "" {
		if err := binaries.Build(ctx, bin); err != nil {
			return err
		}
	}
	for i := range trials {
		t := &trials[i]
		r, err := t.measure(ctx, bin, filepath.Join(work, fmt.Sprintf("%s-%d", t.Kind, t.Files)))
		if err != nil {
			return fmt.Errorf("%s, %d files: %w", t.Kind, t.Files, err)
		}
		fmt.Fprintf(stderr, "%s: %d pages, %d files, %d items in %.0f s\n", r.Kind, r.Pages, r.Files, r.Items, r.Seconds)
		if err := add(o.figures, r); err != nil {
			return err
		}
	}
	return nil
}
