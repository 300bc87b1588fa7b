// Command node runs the overlays on a real Kubernetes node while their pods are disturbed,
// and checks that the tables are those of one machine.
//
//	go -C eval run ./node --scripts DIR
//
// It starts a node with the scripts in DIR (up.sh, down.sh, image.py), builds the images,
// applies the overlays as the handbook says, and makes one run after the other. The first
// ones are of the overlay "local", each with another disturbance:
//
//	none     nothing
//	kill     the pods of worker, aggregator and broker are killed without notice
//	scale    the workers are scaled to three, to none, and to two
//	image    workers and aggregator get another image, by a rolling update
//	drain    the node is drained, and takes pods again a little later
//	restart  everything on the node ends, Kubernetes too, and is started again
//	hostile  the crawl has a page that needs more memory than a worker may have
//	alerts   with the component "monitoring": a Prometheus scrapes the pods and raises the
//	         alert about dead items, because an input was removed
//
// The others have an S3 server on this machine, and a broker of three servers with users
// and certificates (broker.yaml, in place of the NATS chart):
//
//	cluster     the overlay "cluster"; a server of the broker and the workers are killed
//	autoscaled  the overlay "autoscaled"; the workers are scaled by hand, as in "scale"
//	nightly     four nights of the overlay "nightly", whose Job is made by hand: an empty
//	            inbox, six files, three more files, and nothing new. Each must do the files
//	            that are new, and nothing else
//	keda        the overlay "autoscaled" with KEDA, which must start workers for two runs
//	            and end them when the runs are over. It is built first, which takes long, so
//	            this trial runs only if it is named (--trials keda)
//
// The overlays are changed where one small node demands it: fewer workers, which request
// less of a core, and the addresses of the S3 server.
//
// A disturbance happens when the first shards of the run are there. When the run has ended,
// every row of every table must be there as often as after "winnow run" of the same
// files; in the trials hostile and alerts, the rows of the page or file itself are left out
// of this, and the table of failures must name it. At the end the node is stopped, and
// nothing of its pods is left on the machine: no process, no network interface, no namespace.
//
// It needs root and a machine of which it may change the network (the scripts add a bridge).
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
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options of the program.
type options struct {
	scripts, work, overlays, crawl string
	trials                         []trial
	patience                       time.Duration
}

// run is main without its exit.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.scripts, "scripts", "", "`folder` with up.sh, down.sh and image.py")
	flags.StringVar(&o.work, "work", "", "`folder` for the node; programs that up.sh has built there are used again (default: a temporary one)")
	flags.StringVar(&o.overlays, "overlays", "../deploy/k8s/overlays", "`folder` of the overlays")
	flags.StringVar(&o.crawl, "crawl", "../examples/crawl.warc.gz", "`file` that is run, several times over")
	flags.DurationVar(&o.patience, "patience", 10*time.Minute, "`time` within which each run must end")
	chosen := flags.String("trials", "all", "`names` of trials, separated by commas: "+names())
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	var err error
	if o.trials, err = parseTrials(*chosen); err == nil && (flags.NArg() > 0 || o.scripts == "") {
		err = errors.New("--scripts is needed, and there are no further arguments")
	}
	if err != nil {
		fmt.Fprintln(stderr, "node:", err)
		return 2
	}
	failed, err := all(ctx, o, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "node:", err)
	}
	if failed > 0 || err != nil {
		return 1
	}
	return 0
}

// all makes the trials and returns how many failed.
func all(ctx context.Context, o options, out io.Writer) (failed int, err error) {
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "winnow-node-"); err != nil {
			return 0, err
		}
		defer os.RemoveAll(o.work)
	}
	for _, dir := range []*string{&o.work, &o.scripts, &o.overlays} {
		if *dir, err = filepath.Abs(*dir); err != nil {
			return 0, err
		}
	}
	l, err := prepare(ctx, o)
	if err != nil {
		return 0, err
	}
	c := &cluster{scripts: o.scripts, dir: filepath.Join(o.work, "node")}
	defer func() { err = errors.Join(err, c.stop(ctx), l.cloud.close()) }()
	if err := l.install(ctx, c); err != nil {
		return 0, err
	}
	for _, t := range o.trials {
		began := time.Now()
		rows, problems := l.trial(ctx, c, t)
		if ctx.Err() != nil {
			return failed, context.Cause(ctx)
		}
		verdict := "ok"
		if len(problems) > 0 {
			verdict = "FAILED"
			failed++
		}
		fmt.Fprintf(out, "%-6s %-10s %d rows, %.0f s\n", verdict, t.name, rows, time.Since(began).Seconds())
		for _, p := range problems {
			fmt.Fprintf(out, "       %s\n", strings.ReplaceAll(p, "\n", "\n       "))
		}
	}
	fmt.Fprintf(out, "%d trials, %d failed\n", len(o.trials), failed)
	return failed, nil
}

func names() string {
	var s []string
	for _, t := range trials {
		s = append(s, t.name)
	}
	return strings.Join(s, ",")
}

// parseTrials reads the value of --trials.
func parseTrials(s string) ([]trial, error) {
	if s == "all" {
		return slices.DeleteFunc(slices.Clone(trials), func(t trial) bool { return t.byName }), nil
	}
	var chosen []trial
	for name := range strings.SplitSeq(s, ",") {
		i := slices.IndexFunc(trials, func(t trial) bool { return t.name == name })
		if i < 0 {
			return nil, fmt.Errorf("--trials: unknown trial %q: want all, or of %s", name, names())
		}
		chosen = append(chosen, trials[i])
	}
	slices.SortStableFunc(chosen, func(a, b trial) int { return place(a) - place(b) })
	return chosen, nil
}

// place is the place of a trial in the list.
func place(t trial) int {
	return slices.IndexFunc(trials, func(other trial) bool { return other.name == t.name })
}
