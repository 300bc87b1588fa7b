package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
)

// sample is one page of the training data and its rows in the table.
type sample struct {
	*document
	from, to int
	use      bool                  // whether the page is used for training
	mean     [folds + 1]blocks.Row // by the fold that is held out
}

// weights are those of pages, by how they were made.
var weights = [...]float32{real: 1, grafted: .4, aged: .4, translated: .4}

// data holds the training pages as columns.
type data struct {
	samples  []sample
	base     [][]uint8            // columns of the features before those of learned names
	names    [folds + 1][][]uint8 // columns of learned names, by the fold that is held out
	tables   nameTables
	label    []float32
	weight   []float32
	comments []float32 // 1 for blocks in a comments section
	shares   []nameShare
	log      io.Writer
	started  time.Time
}

func (d *data) say(format string, args ...any) {
	fmt.Fprintf(d.log, "%6.1fs  %s\n", time.Since(d.started).Seconds(), fmt.Sprintf(format, args...))
}

// part is the result of one goroutine for one page.
type part struct {
	rows   []blocks.Row
	words  []int32
	labels labels
	shares []nameShare
}

// prepare computes the features and labels of all documents.
func prepare(documents []*document, log io.Writer, started time.Time) *data {
	d := &data{log: log, started: started}
	parts := make([]part, len(documents))
	each(len(documents), func() func(int) {
		var r reader
		return func(i int) {
			if !r.parse(documents[i]) {
				return
			}
			p := part{labels: r.label(documents[i])}
			for b := range r.blocks.Blocks {
				p.rows = append(p.rows, r.blocks.Row(b))
				p.words = append(p.words, r.blocks.Blocks[b].Words)
			}
			if s := (sample{document: documents[i]}); s.made == real && s.usable(&p) {
				p.shares = r.nameShares(i, p.labels.content)
			}
			parts[i] = p
		}
	})
	n := 0
	var shares []nameShare
	for i, p := range parts {
		s := sample{document: documents[i], from: n, to: n + len(p.rows)}
		s.use = s.usable(&p)
		d.samples = append(d.samples, s)
		n = s.to
		shares = append(shares, p.shares...)
	}
	d.base = columns(blocks.Learned, n)
	d.label, d.weight, d.comments = make([]float32, n), make([]float32, n), make([]float32, n)
	for i, p := range parts {
		s := &d.samples[i]
		scale := weights[s.made] / float32(max(p.labels.words, 100)+50)
		for b := range p.rows {
			r := s.from + b
			for f := range d.base {
				d.base[f][r] = p.rows[b][f]
			}
			d.label[r] = p.labels.content[b]
			d.weight[r] = float32(p.words[b]) * scale
			if p.labels.comments[b] {
				d.comments[r] = 1
			}
		}
	}
	d.say("%d pages, %d blocks, %d features", len(d.samples), n, len(d.base))
	d.shares = shares
	d.thin(defaults.thin)
	d.learnNames(func(*document) bool { return true })
	return d
}

// learnNames learns the names of elements from the pages for which on returns true.
func (d *data) learnNames(on func(*document) bool) {
	d.tables = learnNames(d.samples, slices.DeleteFunc(slices.Clone(d.shares), func(s nameShare) bool { return !on(d.samples[s.page].document) }))
	d.nameColumns()
	d.say("%d names", len(d.tables[none][innerFolds].Entries()))
}

// without returns the data for a training that does not use the named package.
func (d *data) without(name string) *data {
	c := *d
	c.samples = slices.Clone(d.samples)
	for i := range c.samples {
		if c.samples[i].Package == name {
			c.samples[i].use = false
		}
	}
	c.say("without %s", name)
	c.learnNames(func(d *document) bool { return d.Package != name })
	return &c
}

// usable reports whether the page can be used for training.
func (s *sample) usable(p *part) bool {
	return !s.Unsound && len(p.rows) > 0 && (p.labels.coverage >= .6 || p.labels.words == 0)
}

// nameColumns computes the features of learned names, and the mean rows of pages
// including these features.
func (d *data) nameColumns() {
	for o := range d.names {
		d.names[o] = columns(blocks.Types-blocks.Learned, len(d.label))
	}
	each(len(d.samples), func() func(int) {
		var r reader
		return func(i int) {
			s := &d.samples[i]
			if s.from == s.to {
				return
			}
			r.parse(s.document)
			for o := range d.names {
				r.blocks.SetNames(d.tables.of(o, s.document))
				for b := range r.blocks.Blocks {
					row := r.blocks.Row(b)
					for f := range d.names[o] {
						d.names[o][f][s.from+b] = row[blocks.Learned+f]
					}
				}
				r.blocks.Mean(&s.mean[o])
			}
		}
	})
}

// thin removes, at random, some of the rows of little weight, which most rows are, and
// gives the remaining ones more weight. The expected sums of weights do not change.
func (d *data) thin(below float64) {
	kept := 0
	sum := 0.0
	for _, w := range d.weight {
		sum += float64(w)
	}
	least := float32(below * sum / float64(max(1, len(d.weight))))
	rng := rand.New(rand.NewPCG(31, 37))
	for r, w := range d.weight {
		if w < least && d.comments[r] == 0 { // rows of comments are few and are kept
			d.weight[r] = 0
			if rng.Float32()*least < w {
				d.weight[r] = least
			}
		}
		if d.weight[r] > 0 {
			kept++
		}
	}
	d.say("%d blocks to learn from", kept)
}

func columns(n, rows int) [][]uint8 {
	c := make([][]uint8, n)
	for i := range c {
		c[i] = make([]uint8, rows)
	}
	return c
}

// each calls the function that start returns for all i below n. It uses as many
// goroutines as there are processors, and calls start once in each.
func each(n int, start func() func(int)) {
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			do := start()
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// settings are the settings of all forests.
type settings struct {
	first, second, comments, types growth
	members                        int     // forests of each stage whose mean is used
	thin                           float64 // rows of less weight are thinned; the mean weight is 1
	only                           int     // the only fold that is held out; negative: each in turn
}

// needs reports whether the complete model without fold o is needed. For other folds
// only the first stage is needed, because the second stage is trained on its
// predictions.
func (s *settings) needs(o int) bool { return s.only < 0 || o == s.only || o == none }

var defaults = settings{
	first:    growth{trees: 75, leaves: 20, rate: .13, l2: 2, minRows: 60, minHessian: 1, columns: .3, rows: .5, seed: 1},
	second:   growth{trees: 75, leaves: 16, rate: .13, l2: 2, minRows: 60, minHessian: 1, columns: .3, rows: .5, seed: 2},
	comments: growth{trees: 80, leaves: 16, rate: .1, l2: 2, minRows: 60, minHessian: 1, columns: .3, rows: .5, seed: 3},
	types:    growth{trees: 40, leaves: 6, rate: .15, l2: 2, minRows: 8, minHessian: .5, columns: .3, rows: .7, seed: 4},
	members:  3,
	thin:     1,
	only:     -1,
}

// none stands for holding out no fold: that model is shipped.
const none = folds

// learn fits a model for every fold, on the pages of the other folds, and one on all
// pages. The inputs of a stage come from models that were not trained on the page: its
// type comes from inner folds, and the probabilities of the first stage come from the
// model of the page's fold.
func (d *data) learn(s settings) (models [folds + 1]*model.Model) {
	for o := range models {
		models[o] = &model.Model{Names: d.tables[o][innerFolds]}
	}
	types := make([][][]uint8, folds+1)
	each(folds+1, func() func(int) {
		return func(o int) { types[o] = d.learnTypes(o, s.types, &models[o].Types) }
	})
	d.say("page types")
	each(folds+1, func() func(int) {
		return func(o int) {
			if !s.needs(o) {
				return
			}
			t := d.table(o, types[o], nil, d.comments)
			models[o].Comments = grow(t, d.rows(o, d.forComments), s.comments)
		}
	})
	d.say("comments")
	first := d.members(s, s.first, func(int) bool { return true }, func(o int) *table {
		return d.table(o, types[o], nil, d.label)
	})
	probability := make([]float32, len(d.label))
	each(folds+1, func() func(int) {
		return func(o int) {
			t := d.table(o, types[o], nil, d.label)
			for i := range d.samples {
				if d.samples[i].fold() == o {
					for r := d.samples[i].from; r < d.samples[i].to; r++ {
						probability[r] = model.Probability(sumAt(&first[o], t.columns, int32(r)))
					}
				}
			}
		}
	})
	d.say("first stage")
	ofSecond := d.secondColumns(probability)
	second := d.members(s, s.second, s.needs, func(o int) *table {
		return d.table(o, types[o], ofSecond, d.label)
	})
	for o := range models {
		models[o].First, models[o].Second = first[o], second[o]
	}
	d.say("second stage")
	return models
}

// members fits, for each fold o that is needed, the members of one stage, which differ
// by what is drawn at random, and returns the mean of them.
func (d *data) members(s settings, g growth, needs func(o int) bool, of func(o int) *table) (means [folds + 1]model.Forest) {
	var all [folds + 1][]model.Forest
	for o := range all {
		all[o] = make([]model.Forest, s.members)
	}
	each(len(all)*s.members, func() func(int) {
		return func(i int) {
			o, k := i/s.members, i%s.members
			if needs(o) {
				g := g
				g.seed += uint64(10 * k)
				all[o][k] = grow(of(o), d.rows(o, nil), g)
			}
		}
	})
	for o := range means {
		means[o] = model.Mean(all[o])
	}
	return means
}

// table returns the columns in the order of blocks.Names.
func (d *data) table(o int, types, second [][]uint8, label []float32) *table {
	t := &table{label: label, weight: d.weight}
	t.columns = slices.Concat(d.base, d.names[o], types, second)
	return t
}

// rows returns the rows, of pages outside of fold o, that have words and for which
// also, if it is not nil, returns true.
func (d *data) rows(o int, also func(s *sample, row int) bool) (rows []int32) {
	for i := range d.samples {
		s := &d.samples[i]
		if !s.use || s.fold() == o {
			continue
		}
		for r := s.from; r < s.to; r++ {
			if d.weight[r] > 0 && (also == nil || also(s, r)) {
				rows = append(rows, int32(r))
			}
		}
	}
	return rows
}

// forComments excludes rows that may be both comments and content.
func (d *data) forComments(s *sample, row int) bool {
	return (s.made == real || s.made == grafted) && (d.comments[row] == 0 || s.Type != "forum" && d.label[row] <= .5)
}

// learnTypes fits the forests of the page's type on all pages outside of fold o and
// returns the columns of their probabilities. Pages outside of o get them from forests
// that were not trained on the page's inner fold.
func (d *data) learnTypes(o int, g growth, forests *[7]model.Forest) [][]uint8 {
	pages := columns(blocks.Types, len(d.samples))
	t := &table{columns: pages, label: make([]float32, len(d.samples)), weight: make([]float32, len(d.samples))}
	for i := range d.samples {
		for f := range pages {
			pages[f][i] = d.samples[i].mean[o][f]
		}
		t.weight[i] = 1
		if d.samples[i].made != real {
			t.weight[i] = .5
		}
	}
	out := columns(len(blocks.PageTypes), len(d.label))
	for k, kind := range blocks.PageTypes {
		g.seed++
		for i := range d.samples {
			t.label[i] = 0
			if d.samples[i].Type == kind {
				t.label[i] = 1
			}
		}
		for inner := range innerFolds + 1 {
			var rows []int32
			for i := range d.samples {
				s := &d.samples[i]
				if s.use && s.Type != "" && s.fold() != o && s.inner() != inner {
					rows = append(rows, int32(i))
				}
			}
			forest := grow(t, rows, g)
			if inner == innerFolds {
				forests[k] = forest
			}
			for i := range d.samples {
				s := &d.samples[i]
				if s.fold() != o && s.inner() == inner || s.fold() == o && inner == innerFolds {
					v := blocks.Probability(model.Probability(sumAt(&forest, pages, int32(i))))
					for r := s.from; r < s.to; r++ {
						out[k][r] = v
					}
				}
			}
		}
	}
	return out
}

// secondColumns returns the features of the second stage for the given probabilities of
// the first stage.
func (d *data) secondColumns(first []float32) [][]uint8 {
	out := columns(len(blocks.Names)-blocks.Second, len(d.label))
	each(len(d.samples), func() func(int) {
		var r reader
		return func(i int) {
			s := &d.samples[i]
			if s.from == s.to {
				return
			}
			r.parse(s.document)
			r.blocks.SetSecond(first[s.from:s.to])
			for b := range r.blocks.Blocks {
				row := r.blocks.Row(b)
				for f := range out {
					out[f][s.from+b] = row[blocks.Second+f]
				}
			}
		}
	})
	return out
}
