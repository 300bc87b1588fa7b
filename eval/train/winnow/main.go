// Command train learns the model of the extractor winnow from gold test packages,
// measures it on pages that it has not seen, and writes a model card.
//
//	go -C eval run ./train/winnow --packages DIR
//
// DIR has the packages as folders or archives. The model depends on the packages of
// --on and on this program alone: on any amd64 machine the same bytes. Packages that
// are marked held out, or whose licence does not allow it, are not trained on.
//
//	packages ──> documents.go                pages, golds, folds by registered domain
//	pages    ──> graft.go age.go script.go   pages made of others
//	         ──> labels.go learn.go          rows of features with labels; forests, out of fold
//	rows     ──> boost.go                    one forest
//	models   ──> evaluate.go card.go         figures, docs/models/winnow.md
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
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
	"github.com/winnow/winnow/eval/corpus"
	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/pipeline/extract/process"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	packages, on, measure string
	out, card, keep       string
	rival                 string
	plain, read           bool
	leave, pages          string
	settings              settings
	data                  *data
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := options{settings: defaults}
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.packages, "packages", "", "`folder` of gold test packages")
	f.StringVar(&o.on, "on", "wcxb-dev,multilingual-dev,forums-dev,readability", "packages to train on")
	f.StringVar(&o.measure, "measure", "", "packages to measure on besides")
	f.StringVar(&o.out, "out", "../algorithms/extract/winnow/winnow.model", "`file` for the model")
	f.StringVar(&o.card, "card", "", "`file` for the model card (../docs/models/winnow.md); empty for none")
	f.StringVar(&o.keep, "keep", "", "`folder` for the models of the folds and of --leave, and a list of the pages that each of the folds has not seen")
	f.BoolVar(&o.read, "read", false, "measure the models in --keep, and learn nothing")
	f.StringVar(&o.rival, "against", "", "extractor to compare with on the pages that are trained on (trafilatura)")
	f.BoolVar(&o.plain, "plain", false, "leave out rewritten pages")
	f.StringVar(&o.leave, "leave", "", "packages of --on to measure by a model that was trained without them, too")
	f.StringVar(&o.pages, "pages", "", "`file` for the figures of every page, separated by tabs")
	f.IntVar(&o.settings.only, "only", defaults.only, "for a quick comparison, hold out this `fold` of the four alone; -1: each in turn")
	f.IntVar(&o.settings.members, "members", defaults.members, "forests of each stage whose mean is used")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.settings.only >= 0 && o.card != "" {
		return errors.New("write model card: the figures of one fold are not those of the model; leave out --only or --card")
	}
	return o.train(ctx, stdout, stderr)
}

func (o *options) train(ctx context.Context, stdout, stderr io.Writer) error {
	started := time.Now()
	c := card{rival: o.rival}
	var rival *algorithms.Extractor
	if o.rival != "" {
		chosen, err := choose.Extractors(programs.Extractors(), o.rival)
		if err != nil {
			return err
		}
		rival = chosen[0]
		if rival.Command != nil {
			if _, err := process.New(process.Options{}).Check(ctx, rival); err != nil {
				return fmt.Errorf("compare with %s: %w; install it first: go -C ../peers install ./winnow-peers", o.rival, err)
			}
		}
	}
	var pages []*document
	for _, name := range list(o.on) {
		p, documents, err := read(ctx, o.packages, name)
		if err != nil {
			return err
		}
		if err := cmp.Or(corpus.MayTrain(p.Info), corpus.MayShip(p.Info)); err != nil {
			return err
		}
		c.trained = append(c.trained, p)
		pages = append(pages, documents...)
	}
	if !o.plain {
		c.made = rewrite(pages)
	}
	models, err := o.models(append(pages[:len(pages):len(pages)], c.made...), started, stderr)
	if err != nil {
		return err
	}
	c.model, c.file = models[none], models[none].Encode()
	if !o.read {
		if err := os.WriteFile(o.out, c.file, 0o644); err != nil {
			return err
		}
	}
	if o.settings.only >= 0 {
		pages = slices.DeleteFunc(pages, func(d *document) bool { return d.fold() != o.settings.only })
	}
	var lines strings.Builder
	report := func(kind, name string, results []result) {
		show(stdout, kind+" "+name, results)
		for _, r := range results {
			fmt.Fprintf(&lines, "%s\t%s\t%s\t%.4f\t%.4f\t%t\n", kind, name, r.ID, r.vec, r.f1, r.empty)
		}
	}
	var extractors [folds + 1]*algorithms.Extractor
	for o, m := range models {
		if m != nil {
			extractors[o] = extractorOf(m)
		}
	}
	c.results = measure(pages, by(func(d *document) *algorithms.Extractor { return extractors[d.fold()] }))
	for _, p := range c.trained {
		report("out-of-fold", p.Info.Name, slices.DeleteFunc(slices.Clone(c.results), func(r result) bool { return r.Package != p.Info.Name }))
	}
	for _, p := range c.trained {
		if slices.Contains(list(o.leave), p.Info.Name) {
			m, err := o.modelWithout(p.Info.Name)
			if err != nil {
				return err
			}
			c.left = append(c.left, measured{p.Info.Name, measure(documentsOf(p), always(extractorOf(m)))})
			report("left-out", p.Info.Name, c.left[len(c.left)-1].results)
		}
	}
	if rival != nil {
		c.rivals = measure(pages, always(rival))
		show(stdout, o.on+" "+o.rival, c.rivals)
	}
	for _, name := range list(o.measure) {
		_, documents, err := read(ctx, o.packages, name)
		if err != nil {
			return err
		}
		m := measured{name, measure(documents, always(extractors[none]))}
		report("left-out", name, m.results)
		c.others = append(c.others, m)
	}
	if o.pages != "" {
		if err := os.WriteFile(o.pages, []byte(lines.String()), 0o644); err != nil {
			return err
		}
	}
	if o.card == "" {
		return nil
	}
	var text strings.Builder
	c.write(&text)
	return os.WriteFile(o.card, []byte(text.String()), 0o644)
}

// extractorOf returns the extractor with the given model.
func extractorOf(m *model.Model) *algorithms.Extractor {
	e, err := winnow.WithModel(m.Encode())
	if err != nil {
		panic(err) // what Encode writes can be read
	}
	return e
}

// models learns the models of the folds, or reads them.
func (o *options) models(pages []*document, started time.Time, log io.Writer) (models [folds + 1]*model.Model, err error) {
	name := func(fold int) string { return filepath.Join(o.keep, corpus.ModelFile(fold)) }
	if o.read {
		for fold := range models {
			if !o.settings.needs(fold) {
				continue
			}
			file, err := os.ReadFile(name(fold))
			if err != nil {
				return models, err
			}
			if models[fold], err = model.Decode(file); err != nil {
				return models, err
			}
		}
		return models, nil
	}
	o.data = prepare(pages, log, started)
	models = o.data.learn(o.settings)
	if o.keep == "" {
		return models, nil
	}
	if err := os.MkdirAll(o.keep, 0o755); err != nil {
		return models, err
	}
	held := corpus.Folds{Folds: folds}
	for _, d := range pages {
		if d.made == real {
			held.Add(d.Package, d.ID, d.fold())
		}
	}
	if err := held.Write(o.keep); err != nil {
		return models, err
	}
	for fold, m := range models {
		if !o.settings.needs(fold) {
			continue
		}
		if err := os.WriteFile(name(fold), m.Encode(), 0o644); err != nil {
			return models, err
		}
	}
	return models, nil
}

// modelWithout learns the model of all packages but one, or reads it. It has one member,
// which takes a third of the time.
func (o *options) modelWithout(name string) (*model.Model, error) {
	path := filepath.Join(o.keep, "without-"+name+".model")
	if o.read {
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return model.Decode(file)
	}
	s := o.settings
	s.only, s.members = none, 1
	m := o.data.without(name).learn(s)[none]
	if o.keep == "" {
		return m, nil
	}
	return m, os.WriteFile(path, m.Encode(), 0o644)
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}
