// Command train learns the model of the extractor web2text from gold test packages, and
// measures it.
//
//	go -C eval run ./train/web2text --packages DIR
//	go -C eval run ./train/web2text --packages DIR --on cleaneval-final --first 61 --private --out /tmp/web2text-cleaneval.model
//
// The first makes the model that the program ships. The second, web2text-cleaneval,
// is the setting of the paper; CleanEval states no licence, so its model is not
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
	"os"
	"os/signal"

	"github.com/winnow/winnow/algorithms/extract/web2text"
	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
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
const shipped = "../algorithms/extract/web2text/web2text.model"

//go:embed notes.md
var notes string

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(stderr)
	var t corpus.Training
	t.Flags(f, shipped)
	steps := f.Int("steps", blockSettings.steps, "of each network")
	if err := f.Parse(args); err != nil {
		return err
	}
	p, pages, others, err := t.Read(ctx)
	if err != nil {
		return err
	}
	model := func(pages []*corpus.Document) *nets.Model {
		m := train(pages, *steps)
		fmt.Fprintf(stderr, "%d pages, lambda %g\n", len(pages), m.Lambda)
		return m
	}
	whole := model(pages)
	m := corpus.Trained{
		Extractor: "web2text", Kind: nets.File(), Settings: describe(*steps, whole.Lambda), Notes: notes, New: web2text.New,
		File:  whole.Encode(corpus.Digest(pages)),
		Train: func(pages []*corpus.Document) []byte { return model(pages).Encode(corpus.Digest(pages)) },
	}
	return t.Finish(ctx, stdout, &m, p, pages, others)
}

// describe says how a model was trained, for the model card.
func describe(steps int, lambda float32) string {
	return fmt.Sprintf("Adam, %d steps of %d windows of %d blocks (of pairs: %d), rate %g, penalty of weights %g, a step keeps %g of the weights (of pairs: %g); "+
		"the weight of pairs, %g, is chosen on a tenth of the domains.",
		steps, blockSettings.batch, blockSettings.window, edgeSettings.window, blockSettings.rate, blockSettings.decay, blockSettings.keep, edgeSettings.keep, lambda)
}
