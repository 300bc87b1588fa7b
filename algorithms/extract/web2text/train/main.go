// Command train learns the model of the extractor web2text from gold test packages, and
// measures it.
//
//	go run ./algorithms/extract/web2text/train --packages DIR
//	go run ./algorithms/extract/web2text/train --packages DIR --on cleaneval-final --first 61 --private --out /tmp/web2text-cleaneval.model
//
// The first makes the model that the program ships. The second, web2text-cleaneval,
// is the setting of the paper; CleanEval states no licence, so its model is not
// shipped.
//
// The model depends on the packages of --on and on this program alone: the same
// bytes on any amd64 machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/winnow/winnow/algorithms/extract/internal/corpus"
	"github.com/winnow/winnow/algorithms/extract/web2text"
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
const shipped = "algorithms/extract/web2text/web2text.model"

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(stderr)
	packages := f.String("packages", "", "`folder` of gold test packages, as folders or archives")
	on := f.String("on", "wcxb-dev", "package to train on")
	first := f.Int("first", 0, "train on the first `n` pages alone, and measure --on on the others; 0 for all")
	without := f.Int("without", -1, "train without this fifth of the registered domains, 0 to 4, and measure on it")
	measure := f.String("measure", "", "packages to measure the model on, separated by commas")
	private := f.Bool("private", false, "the model is not for shipping: any licence will do")
	out := f.String("out", shipped, "`file` for the model")
	steps := f.Int("steps", blockSettings.steps, "of each network")
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
	if *without >= 0 {
		if *without >= fifths || len(others) > 0 || filepath.Clean(*out) == shipped {
			return fmt.Errorf("train without fifth %d: it must be 0 to %d, there must be no --first, and --out must not be the program's model", *without, fifths-1)
		}
		pages, others = split(pages, *without)
	}
	m := train(pages, *steps)
	fmt.Fprintf(stderr, "%d pages, lambda %g\n", len(pages), m.Lambda)
	file := m.Encode(corpus.Digest(pages))
	if err := os.WriteFile(*out, file, 0o644); err != nil {
		return err
	}
	show := func(name string, pages []*corpus.Document) error {
		figures, err := corpus.Measure(web2text.New(file), pages)
		if err == nil {
			fmt.Fprintf(stdout, "%s: %v\n", name, &figures)
		}
		return err
	}
	if len(others) > 0 {
		if err := show(*on+", what was not trained on", others); err != nil {
			return err
		}
	}
	for _, name := range strings.FieldsFunc(*measure, func(r rune) bool { return r == ',' }) {
		other, err := corpus.Read(ctx, *packages, name)
		if err != nil {
			return err
		}
		if err := show(name, other.Documents); err != nil {
			return err
		}
	}
	return nil
}

// fifths is how many parts --without divides the domains into.
const fifths = 5

// split divides pages into those outside and those in a fifth of the domains.
func split(pages []*corpus.Document, fifth int) (seen, held []*corpus.Document) {
	for _, d := range pages {
		if d.Fold(fifths) == fifth {
			held = append(held, d)
		} else {
			seen = append(seen, d)
		}
	}
	return seen, held
}
