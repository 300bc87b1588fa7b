// Command quality writes eval/quality.md: how well every extractor does on every gold
// package, what a billion pages cost with it, and which one to take for what.
//
//	go -C eval run ./train/winnow   --packages DIR --keep FOLDS/winnow --out /tmp/winnow.model
//	go -C eval run ./train/crf      --packages DIR --folds 4 --keep FOLDS/crf
//	go -C eval run ./train/web2text --packages DIR --folds 4 --keep FOLDS/web2text
//	go -C eval run ./quality --packages DIR --folds FOLDS --cache CACHE
//
// FOLDS has the models of folds: pages of the package that an extractor learned from
// are answered by a model that has not seen their registered domain. CACHE keeps what
// was measured, by package and extractor. A second run measures again where a package,
// a model or a setting has changed; --again names extractors whose code has. Two runs
// write the same page, but for what depends on speed.
//
//	packages ──> packages.go          pages, golds, domains
//	models   ──> learned.go           the suite with the models of a page's folds
//	both     ──> measure.go cache.go  answers of all extractors to all pages
//	         ──> speed.go             processor time on a sample of pages
//	         ──> sites.go             site-level extractors, by a run of winnow
//	all      ──> figures.go render.go advice.go extractors.go   eval/quality.md
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
	"runtime"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	packages, folds, cache, out, source string
	only, again, sites                  string
	procs, every, rounds                int
	keepSpeed, wholeRun, fromCache      bool
	price                               price
	log                                 io.Writer
}

// price says what a billion pages cost.
type price struct {
	CoreHour  float64 // USD
	PageBytes int     // mean size of the pages; 0 for the mean size of the sample for speed
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	o := options{log: stderr}
	f := flag.NewFlagSet("quality", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.packages, "packages", "", "`folder` with the gold packages' archives")
	f.StringVar(&o.folds, "folds", "", "`folder` with the models of folds, one folder for each learned extractor")
	f.StringVar(&o.cache, "cache", "", "`folder` that keeps what was measured")
	f.StringVar(&o.out, "out", "quality.md", "`file` to write")
	f.StringVar(&o.source, "source", "..", "root `folder` of the source, with the program's models")
	f.StringVar(&o.only, "only", "", "packages to measure, separated by commas; empty for all of the folder")
	f.StringVar(&o.again, "again", "", "extractors to measure anew though they are in the cache, separated by commas; or all")
	f.StringVar(&o.sites, "sites", "cleanportaleval", "package with several pages of each site, for the site-level extractors; empty for none")
	f.IntVar(&o.procs, "procs", runtime.NumCPU(), "pages that are answered at the same time, while no time is taken")
	f.IntVar(&o.every, "speed-every", 20, "measure speed on one page in so many")
	f.IntVar(&o.rounds, "speed-rounds", 3, "measure speed so often, and take the least time")
	f.BoolVar(&o.keepSpeed, "keep-speed", false, "take the speeds of the cache, where it has any")
	f.BoolVar(&o.wholeRun, "speed-run", true, "take the time of a whole run of the program as well; it is built for that")
	f.BoolVar(&o.fromCache, "from-cache", false, "measure nothing, write the page from the cache")
	f.Float64Var(&o.price.CoreHour, "usd-per-core-hour", 0.04, "price of an hour of one core")
	f.IntVar(&o.price.PageBytes, "page-bytes", 0, "mean size of a page of the billion; 0 for that of the pages that speed was measured on")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.cache == "" || o.packages == "" && !o.fromCache {
		return errors.New("measure quality: give --packages, --folds and --cache; or --from-cache and --cache")
	}
	if !o.fromCache {
		var err error
		if o.packages, err = filepath.Abs(o.packages); err != nil { // programs run in --source
			return err
		}
		if err := o.measureAll(ctx); err != nil {
			return err
		}
	}
	r, err := readRecord(o.cache)
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, []byte(r.page(o.price)), 0o644)
}

// measureAll updates the cache.
func (o *options) measureAll(ctx context.Context) error {
	if err := os.MkdirAll(o.cache, 0o755); err != nil {
		return err
	}
	s, err := readSuite(o.folds, o.source)
	if err != nil {
		return err
	}
	names, err := packagesOf(o.packages, list(o.only))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := o.measurePackage(ctx, s, name); err != nil {
			return err
		}
	}
	if err := writeList(o.cache, names); err != nil {
		return err
	}
	if o.sites != "" {
		if err := o.measureSites(ctx, s); err != nil {
			return err
		}
	}
	return o.measureSpeed(ctx, s, names)
}

// anew reports whether the extractor is to be measured although the cache has it. An
// ensemble is measured again if one of its members is.
func (o *options) anew(e *algorithms.Extractor) bool {
	again := list(o.again)
	return slices.Contains(again, "all") || slices.ContainsFunc(algorithms.WithMembers([]*algorithms.Extractor{e}), func(m *algorithms.Extractor) bool {
		return slices.Contains(again, m.Name)
	})
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}
