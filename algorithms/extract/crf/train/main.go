// Command train learns the model of the extractor crf from gold test packages, and
// measures it.
//
//	go run ./algorithms/extract/crf/train --packages DIR
//	go run ./algorithms/extract/crf/train --packages DIR --on cleaneval-dev --variance 0.01,0.1,1,10,100 --private --out /tmp/crf-cleaneval.model --measure cleaneval-final
//
// The first makes the model that the program ships. The second, crf-cleaneval, is
// the setting of the paper; CleanEval states no licence, so its model is not
// shipped. With --folds 4 models are trained that have not seen a quarter of the
// registered domains each, and measured there.
//
// The model depends on the packages of --on and on this program alone: the same
// bytes on any amd64 machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms/extract/crf"
	"github.com/winnow/winnow/algorithms/extract/internal/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// shipped is the file that the program embeds.
const shipped = "algorithms/extract/crf/crf.model"

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(stderr)
	packages := f.String("packages", "", "`folder` of gold test packages, as folders or archives")
	on := f.String("on", "wcxb-dev", "package to train on")
	first := f.Int("first", 0, "train on the first `n` pages alone, and measure --on on the others; 0 for all")
	measure := f.String("measure", "", "packages to measure the model on, separated by commas")
	folds := f.Int("folds", 0, "measure --on out of this many folds")
	private := f.Bool("private", false, "the model is not for shipping: any licence will do")
	out := f.String("out", shipped, "`file` for the model")
	settings := defaults
	variances := f.String("variance", fmt.Sprint(defaults.variance), "expected `variance` of the weights; of several, separated by commas, the best out of five folds is taken")
	f.IntVar(&settings.iterations, "iterations", defaults.iterations, "of L-BFGS, at most")
	if err := f.Parse(args); err != nil {
		return err
	}
	p, err := corpus.ToTrain(ctx, *packages, *on, *private, *out, shipped)
	if err != nil {
		return err
	}
	pages, others := p.Documents, []*corpus.Document(nil)
	if *first > 0 && *first < len(pages) {
		pages, others = pages[:*first], pages[*first:]
	}
	sequences := sequencesOf(pages)
	if settings.variance, err = choose(*variances, settings, pages, sequences, stderr); err != nil {
		return err
	}
	file := settings.train(sequences, stderr).Encode(corpus.Digest(pages))
	if err := os.WriteFile(*out, file, 0o644); err != nil {
		return err
	}
	show := func(name string, e []byte, pages []*corpus.Document) error {
		figures, err := corpus.Measure(crf.New(e), pages)
		if err == nil {
			fmt.Fprintf(stdout, "%s: %v\n", name, &figures)
		}
		return err
	}
	if len(others) > 0 {
		if err := show(fmt.Sprintf("%s without its first %d", *on, *first), file, others); err != nil {
			return err
		}
	}
	if *folds > 1 {
		if err := outOfFold(*on, *folds, settings, pages, sequences, stdout, stderr); err != nil {
			return err
		}
	}
	for _, name := range strings.FieldsFunc(*measure, func(r rune) bool { return r == ',' }) {
		other, err := corpus.Read(ctx, *packages, name)
		if err != nil {
			return err
		}
		if err := show(name, file, other.Documents); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the one of the listed variances under which labels of pages that a
// model has not seen are likeliest.
func choose(list string, s settings, pages []*corpus.Document, sequences []sequence, log io.Writer) (float64, error) {
	const folds = 5
	var values []float64
	for _, word := range strings.Split(list, ",") {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("read --variance: %q is no number above 0", word)
		}
		values = append(values, v)
	}
	if len(values) == 1 {
		return values[0], nil
	}
	best, least := 0.0, math.Inf(1)
	for _, s.variance = range values {
		loss := 0.0
		for fold := range folds {
			var seen, held []sequence
			for i, d := range pages {
				if d.Fold(folds) == fold {
					held = append(held, sequences[i])
				} else {
					seen = append(seen, sequences[i])
				}
			}
			loss += lossOf(s.train(seen, io.Discard), held)
		}
		fmt.Fprintf(log, "variance %g: negative log-likelihood %.1f out of fold\n", s.variance, loss)
		if loss < least {
			best, least = s.variance, loss
		}
	}
	return best, nil
}

// outOfFold measures every page with a model that has seen no page of its domain.
func outOfFold(name string, folds int, s settings, pages []*corpus.Document, sequences []sequence, stdout, log io.Writer) error {
	var all corpus.Figures
	for fold := range folds {
		var seen []sequence
		var held []*corpus.Document
		for i, d := range pages {
			if d.Fold(folds) == fold {
				held = append(held, d)
			} else {
				seen = append(seen, sequences[i])
			}
		}
		figures, err := corpus.Measure(crf.New(s.train(seen, log).Encode(0)), held)
		if err != nil {
			return err
		}
		all.Add(figures)
	}
	fmt.Fprintf(stdout, "%s out of %d folds: %v\n", name, folds, &all)
	return nil
}
