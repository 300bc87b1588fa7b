// Command faults runs Winnow's programs while they, the broker, the network, the disk and
// the object store fail, and checks that the tables are those of an undisturbed run.
//
//	go run ./deploy/faults --trials 30 --seed 1
//
// A trial is one run of ingest, some workers and some aggregators over a small crawl, with
// a broker of its own (nats-server, alone or as a cluster of three). Its plan, which faults
// happen when, follows from its seed alone. Processes that ended are started again, as a
// cluster manager would do it. When the run has ended, every row of every table must be
// there as often as after an undisturbed run of "winnow run"; columns that hold durations
// and times of the run itself are left out of this comparison. The manifest must name
// every file that is there with its right digest, and no shard may be left.
//
// The trials of seed S have the seeds S, S+1 and so on, so a trial that failed is repeated
// alone by its own seed. The plan is the same then; the operating system still decides how
// far the programs have come when a fault happens.
//
// Exit code: 0 if every trial passed, 1 if one failed, 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options of a series of trials.
type options struct {
	trials, parallel int
	seed             uint64
	kinds            []kind
	bin, work        string
	crawl            string
	copies           int
	keep             bool
	patience         time.Duration
}

// run is main without its exit.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("faults", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.trials, "trials", 30, "`number` of trials")
	flags.Uint64Var(&o.seed, "seed", 1, "`seed` of the first trial; every further trial has the next number")
	flags.IntVar(&o.parallel, "parallel", 2, "`number` of trials at once")
	faults := flags.String("faults", "all", "`kinds` of faults, separated by commas: "+names(allKinds))
	flags.StringVar(&o.bin, "bin", "", "`folder` with the programs winnow and nats-server; in its folder clock, those whose clock can be set (default: what is not there is built)")
	flags.StringVar(&o.work, "work", "", "`folder` for the trials (default: a temporary one)")
	flags.StringVar(&o.crawl, "crawl", "examples/crawl.warc.gz", "`file` that is run")
	flags.IntVar(&o.copies, "copies", 2, "`number` of input files: copies of the crawl")
	flags.BoolVar(&o.keep, "keep", false, "keep the folders of failed trials, with the logs of all processes")
	flags.DurationVar(&o.patience, "patience", 3*time.Minute, "`time` after the last fault, and after the last line that a program has logged, within which a run must end")
	format := flags.String("format", "text", "text, or json: one object per trial and one for the summary")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	var err error
	o.kinds, err = parseKinds(*faults)
	if err == nil && (o.trials < 1 || o.parallel < 1 || o.copies < 1 || flags.NArg() > 0 || *format != "text" && *format != "json") {
		err = errors.New("--trials, --parallel and --copies are at least 1, --format is text or json, and there are no further arguments")
	}
	if err != nil {
		fmt.Fprintln(stderr, "faults:", err)
		return 2
	}
	var out printer = text{stdout}
	if *format == "json" {
		out = newJSON(stdout)
	}
	failed, err := series(ctx, o, out, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "faults:", err)
		return 1
	}
	if failed > 0 {
		return 1
	}
	return 0
}

// series runs all trials and returns how many failed.
func series(ctx context.Context, o options, out printer, stderr io.Writer) (failed int, err error) {
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "winnow-faults-"); err != nil {
			return 0, err
		}
		if !o.keep {
			defer os.RemoveAll(o.work)
		}
	}
	if slices.Contains(o.kinds, disk) {
		if err := canMount(o.work); err != nil {
			fmt.Fprintf(stderr, "faults: full disks are left out, because no small file system can be mounted here: %v\n", err)
			o.kinds = slices.DeleteFunc(slices.Clone(o.kinds), func(k kind) bool { return k == disk })
		}
	}
	if len(o.kinds) == 0 {
		return 0, errors.New("no fault of --faults is possible here")
	}
	lab, err := prepare(ctx, o)
	if err != nil {
		return 0, err
	}
	var (
		mu      sync.Mutex // guards sum and the output
		sum     summary
		trials  = make(chan int)
		workers sync.WaitGroup
	)
	for range min(o.parallel, o.trials) {
		workers.Go(func() {
			for i := range trials {
				r := lab.trial(ctx, i)
				if ctx.Err() != nil {
					return // the trial was interrupted, which says nothing
				}
				mu.Lock()
				sum.add(r)
				out.trial(r)
				mu.Unlock()
			}
		})
	}
feed:
	for i := range o.trials {
		select {
		case trials <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(trials)
	workers.Wait()
	out.summary(&sum)
	return sum.Failed, context.Cause(ctx)
}

func names(kinds []kind) string {
	var s []string
	for _, k := range kinds {
		s = append(s, string(k))
	}
	return strings.Join(s, ",")
}
