// Command train learns the model of the extractor crf from gold test packages, and
// measures it.
//
//	go -C eval run ./train/crf --packages DIR
//	go -C eval run ./train/crf --packages DIR --on cleaneval-dev --variance 0.01,0.1,1,10,100 --private --out /tmp/crf-cleaneval.model --measure cleaneval-final
//
// The first makes the model that the program ships. The second, crf-cleaneval, is
// the setting of the paper; CleanEval states no licence, so its model is not
// shipped. With --folds 4, four further models are trained, each without a quarter of
// the registered domains, and measured on the pages that it has not seen; --keep
// writes them to a folder, and --card writes a model card with their figures.
//
// The model depends on the packages of --on and on this program alone: the same
// bytes on any amd64 machine.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms/extract/crf"
	"github.com/winnow/winnow/algorithms/extract/crf/chain"
	"github.com/winnow/winnow/eval/corpus"
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
const shipped = "../algorithms/extract/crf/crf.model"

//go:embed notes.md
var notes string

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(stderr)
	var t corpus.Training
	t.Flags(f, shipped)
	settings := defaults
	variances := f.String("variance", fmt.Sprint(defaults.variance), "expected `variance` of the weights; of several, separated by commas, the best out of five folds is taken")
	f.IntVar(&settings.iterations, "iterations", defaults.iterations, "of L-BFGS, at most")
	if err := f.Parse(args); err != nil {
		return err
	}
	p, pages, others, err := t.Read(ctx)
	if err != nil {
		return err
	}
	sequences := sequencesOf(pages)
	if settings.variance, err = choose(*variances, settings, pages, sequences, stderr); err != nil {
		return err
	}
	m := corpus.Trained{
		Extractor: "crf", Kind: chain.File(), Settings: settings.String(), Notes: notes, New: crf.New,
		File: settings.train(sequences, stderr).Encode(corpus.Digest(pages)),
		Train: func(pages []*corpus.Document) []byte {
			return settings.train(sequencesOf(pages), stderr).Encode(corpus.Digest(pages))
		},
	}
	return t.Finish(ctx, stdout, &m, p, pages, others)
}

// choose returns the listed variance under which the labels of pages that a model was
// not trained on are likeliest.
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
