package corpus

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/modelfile"
)

// Training holds what the commands that train a model have in common: their flags, and
// what is done with the model.
type Training struct {
	Packages, On, Measure, Out, Keep, Card string
	First, Folds                           int
	Private                                bool

	shipped string
}

// Flags declares the flags of t. shipped is the file of the embedded model.
func (t *Training) Flags(f *flag.FlagSet, shipped string) {
	t.shipped = shipped
	f.StringVar(&t.Packages, "packages", "", "`folder` of gold test packages, as folders or archives")
	f.StringVar(&t.On, "on", "wcxb-dev", "package to train on")
	f.IntVar(&t.First, "first", 0, "train on the first `n` pages alone, and measure --on on the others; 0 for all")
	f.StringVar(&t.Measure, "measure", "", "packages to measure the model on, separated by commas")
	f.IntVar(&t.Folds, "folds", 0, "train as many further models, each without the pages of one fold, and measure it on these")
	f.StringVar(&t.Keep, "keep", "", "`folder` for the models of the --folds")
	f.StringVar(&t.Card, "card", "", "`file` for the model card, with the figures of the --folds; empty for none")
	f.BoolVar(&t.Private, "private", false, "the model is not for shipping: any licence will do")
	f.StringVar(&t.Out, "out", shipped, "`file` for the model")
}

// Read reads the package to train on. pages are the pages to train on; others are those
// that --first excludes.
func (t *Training) Read(ctx context.Context) (p *Package, pages, others []*Document, err error) {
	if (t.Keep != "" || t.Card != "") && (t.Folds < 2 || t.First > 0) {
		return nil, nil, nil, errors.New("train with --keep or --card: there must be --folds of 2 or more, and no --first")
	}
	if p, err = ToTrain(ctx, t.Packages, t.On, t.Private, t.Out, t.shipped); err != nil {
		return nil, nil, nil, err
	}
	if t.First > 0 && t.First < len(p.Documents) {
		return p, p.Documents[:t.First], p.Documents[t.First:], nil
	}
	return p, p.Documents, nil, nil
}

// Trained is a model, and functions that make others like it.
type Trained struct {
	Extractor string
	Kind      modelfile.Kind
	Settings  string // of the training, as a sentence
	Notes     string // for the model card
	File      []byte // the model

	New   func(file []byte) *algorithms.Extractor // returns the extractor with a model
	Train func(pages []*Document) []byte          // returns a model of other pages
}

// Finish writes the model of the given pages of p to its file, measures it, and does
// what further flags ask for. It writes figures to out.
func (t *Training) Finish(ctx context.Context, out io.Writer, m *Trained, p *Package, pages, others []*Document) error {
	if err := os.WriteFile(t.Out, m.File, 0o644); err != nil {
		return err
	}
	show := func(name string, results []Result) {
		figures := Sum(results)
		fmt.Fprintf(out, "%s: %v\n", name, &figures)
	}
	if len(others) > 0 {
		results, err := Measure(m.New(m.File), others)
		if err != nil {
			return err
		}
		show(fmt.Sprintf("%s without its first %d", t.On, t.First), results)
	}
	c := card{Trained: m, on: p, folds: t.Folds}
	if t.Folds > 1 {
		var models [][]byte
		for fold := range t.Folds {
			seen, held := Split(pages, fold, t.Folds)
			models = append(models, m.Train(seen))
			results, err := Measure(m.New(models[fold]), held)
			if err != nil {
				return err
			}
			c.held = append(c.held, results...)
		}
		show(fmt.Sprintf("%s out of %d folds", t.On, t.Folds), c.held)
		if t.Keep != "" {
			if err := p.Keep(t.Keep, append(models, m.File)); err != nil {
				return err
			}
		}
	}
	for _, name := range strings.FieldsFunc(t.Measure, func(r rune) bool { return r == ',' }) {
		other, err := Read(ctx, t.Packages, name)
		if err != nil {
			return err
		}
		results, err := Measure(m.New(m.File), other.Documents)
		if err != nil {
			return err
		}
		show(name, results)
		c.others = append(c.others, measured{name, results})
	}
	if t.Card == "" {
		return nil
	}
	var text bytes.Buffer
	c.write(&text)
	return os.WriteFile(t.Card, text.Bytes(), 0o644)
}
