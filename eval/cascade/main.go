// Cascade measures what a second extractor is worth on the pages on which winnow is not
// confident (ensemble-cascade): the mean word F1 of both together and the time of a page, for
// several confidences below which the second answers. Pages that winnow has learned from are
// answered by the model of their fold, which has not seen them.
//
//	go -C eval run ./train/winnow --packages DIR --folds 4 --keep FOLDS
//	go -C eval run ./cascade --packages DIR --folds FOLDS --package wcxb-dev \
//	    --then 'trafilatura=winnow-peers trafilatura' --then 'readability-js=node peers/node/readability.mjs'
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	"github.com/winnow/winnow/eval/corpus"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
)

func main() {
	dir := flag.String("packages", "", "`folder` of gold packages, as archives")
	folds := flag.String("folds", "", "`folder` with the models of folds of winnow")
	name := flag.String("package", "wcxb-dev", "package to measure")
	var second []*algorithms.Extractor
	flag.Func("then", "second extractor, as `NAME=COMMAND`; repeatable", func(definition string) error {
		e, err := process.Parse(definition)
		second = append(second, e)
		return err
	})
	flag.Parse()
	if err := run(os.Stdout, filepath.Join(*dir, *name+".tar.xz"), *name, *folds, second); err != nil {
		fmt.Fprintln(os.Stderr, "cascade:", err)
		os.Exit(1)
	}
}

// answer is what an extractor did on a page.
type answer struct{ f1, confidence, seconds float64 }

// run writes the table of the package in a file.
func run(w io.Writer, file, name, folds string, second []*algorithms.Extractor) error {
	if len(second) == 0 {
		return errors.New("give --then: the second extractor")
	}
	drivers, foldOf, err := read(folds, name, second)
	if err != nil {
		return err
	}
	p, err := gold.Open(file, gold.Limits{})
	if err != nil {
		return err
	}
	defer p.Close()
	src := source.NewPackage(context.Background(), name, p)
	defer src.Close()
	var pages [][]answer // for each page, the answer of winnow and that of each second extractor
	for at, err := range source.Pages(context.Background(), name, src) {
		if err != nil {
			return err
		}
		if at.Gold == nil || at.Gold.Text == nil {
			continue
		}
		fold, held := foldOf[at.Gold.ID]
		if !held {
			fold = len(drivers) - 1 // no model has learned from this page
		}
		result, err := drivers[fold].Page(context.Background(), driver.Input{HTML: at.HTML, URL: at.Gold.URL, Gold: &driver.Gold{Text: *at.Gold.Text}})
		if err != nil {
			return fmt.Errorf("page %s: %w", at.Gold.ID, err)
		}
		parsing := float64(result.ParseNS) / 1e9
		var answers []answer
		for i := range result.Extractions {
			x := &result.Extractions[i]
			a := answer{confidence: float64(x.Confidence), seconds: float64(x.ExtractNS) / 1e9}
			if x.Outcome != algorithms.Failed && x.Outcome != algorithms.Skipped {
				a.f1 = x.Scores[0].Score.F1
			}
			if i == 0 {
				a.seconds += parsing
			}
			answers = append(answers, a)
		}
		pages = append(pages, answers)
	}
	fmt.Fprintf(w, "%s, %d pages\n\n| extractor | second on | word F1 | difference | ms a page |\n|---|--:|--:|--:|--:|\n", name, len(pages))
	row(w, "`winnow`", pages, 0, 0)
	for i, e := range second {
		for _, below := range []float64{0.4, 0.5, 0.6, 0.7, 0.8} {
			row(w, fmt.Sprintf("`ensemble-cascade:then=%s:below=%g`", e.Name, below), pages, i+1, below)
		}
		row(w, "`"+e.Name+"` alone", pages, i+1, 2)
	}
	return nil
}

// read returns a driver for each fold, and the fold of each page of a package. The last
// driver has the shipped model.
func read(folds, name string, second []*algorithms.Extractor) (drivers []*driver.Driver, foldOf map[string]int, err error) {
	list, models, err := corpus.ReadFolds(folds)
	if err != nil {
		return nil, nil, err
	}
	isolate := process.New(process.Options{}).Run // its processes end with this one
	for _, model := range models {
		first, err := winnow.WithModel(model)
		if err != nil {
			return nil, nil, err
		}
		d, err := driver.New(driver.Config{
			Extractors: append([]*algorithms.Extractor{first}, second...), Scorers: []*algorithms.Scorer{wcxb.WordF1},
			SuperlinearBytes: 1 << 30, TextTime: 2 * time.Minute, // programs get large pages, too, and may take their time
			Align: new(align.Aligner).Text, Isolate: isolate,
		})
		if err != nil {
			return nil, nil, err
		}
		drivers = append(drivers, d)
	}
	return drivers, list.Pages[name], nil
}

// row writes the figures of a cascade: winnow answers each page, and extractor number at (an
// index into a page's answers) answers instead where winnow is less confident than below. If
// below exceeds 1, extractor at answers alone, and winnow's time is not counted.
func row(w io.Writer, what string, pages [][]answer, at int, below float64) {
	var calls, f1, seconds, difference, squares float64
	n := float64(len(pages))
	for _, p := range pages {
		x := p[0]
		if below > 1 {
			x = p[at]
			calls++
		} else if p[0].confidence < below {
			x = p[at]
			x.seconds += p[0].seconds
			calls++
		}
		f1 += x.f1
		seconds += x.seconds
		d := x.f1 - p[0].f1
		difference += d
		squares += d * d
	}
	difference /= n
	deviation := math.Sqrt((squares/n - difference*difference) / n)
	fmt.Fprintf(w, "| %s | %.1f %% | %.4f | %+.4f ± %.4f | %.2f |\n", what, 100*calls/n, f1/n, difference, deviation, 1000*seconds/n)
}
