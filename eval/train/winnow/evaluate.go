package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/gottron"
	"github.com/winnow/winnow/algorithms/score/wcxb"
	"github.com/winnow/winnow/pipeline/extract/process"
)

// result is the evaluation of the answer to one page.
type result struct {
	*document
	precision, recall, f1                  float64 // of wcxb-word-f1
	vec                                    float64 // of the scorer vec: words by script
	empty                                  bool
	wanted, found, unwanted, unwantedFound int // segments
}

// answerer returns a function that answers pages, one after the other.
type answerer func() func(d *document) []byte

// always answers each page with the given page-level extractor.
func always(e *algorithms.Extractor) answerer {
	return by(func(*document) *algorithms.Extractor { return e })
}

// by answers each page with the page-level extractor that of returns for it.
func by(of func(d *document) *algorithms.Extractor) answerer {
	return func() func(d *document) []byte {
		var pg page.Page
		var pass algorithms.Pass
		processes := process.New(process.Options{}) // end with this process
		return func(d *document) []byte {
			e := of(d)
			if e.Command != nil {
				answer, err := processes.Run(context.Background(), e, driver.Input{HTML: d.HTML, URL: d.URL}, time.Minute)
				if err != nil {
					return nil // finding no article is also an answer
				}
				return []byte(answer.Text)
			}
			pg.Parse(d.HTML, page.Options{})
			pass.Reset(&pg, d.URL)
			if err := e.Run(&pass); err != nil {
				return nil
			}
			return pass.AppendText(nil)
		}
	}
}

// measure scores the answers to documents with the official word F1 of WCXB, and
// counts segments.
func measure(documents []*document, answers answerer) []result {
	results := make([]result, len(documents))
	each(len(documents), func() func(int) {
		answer := answers()
		var gold algorithms.Gold
		var trial algorithms.Trial
		return func(i int) {
			d := documents[i]
			r := result{document: d, f1: math.NaN()}
			text := answer(d)
			if d.HasText {
				gold.Reset()
				gold.Text = d.Gold
				trial.Reset(&gold, text, nil, false)
				score := wcxb.WordF1.Score(&trial)
				r.precision, r.recall, r.f1 = score.Precision, score.Recall, score.F1
				r.vec = gottron.Vec.Score(&trial).F1
			}
			r.empty = len(text) == 0
			folded := fold(text)
			for _, s := range d.With {
				r.wanted++
				if bytes.Contains(folded, fold([]byte(s))) {
					r.found++
				}
			}
			for _, s := range d.Without {
				r.unwanted++
				if bytes.Contains(folded, fold([]byte(s))) {
					r.unwantedFound++
				}
			}
			results[i] = r
		}
	})
	return results
}

// fold replaces each run of white space by one blank.
func fold(text []byte) []byte { return bytes.Join(bytes.Fields(text), []byte(" ")) }

// figures holds means over the pages that have a gold text.
type figures struct {
	pages, empty          int
	precision, recall, f1 float64
	vec                   float64
}

func mean(results []result) (m figures) {
	for _, r := range results {
		if !math.IsNaN(r.f1) {
			m.f1 += r.f1
			m.vec += r.vec
			m.precision += r.precision
			m.recall += r.recall
			m.pages++
			if r.empty && len(wordsIn(r.Gold)) > 50 {
				m.empty++
			}
		}
	}
	n := max(1, float64(m.pages))
	m.f1, m.precision, m.recall, m.vec = m.f1/n, m.precision/n, m.recall/n, m.vec/n
	return m
}

func (m figures) String() string {
	return fmt.Sprintf("%5d pages  vec %.4f  word F1 %.4f  P %.4f  R %.4f  %d empty", m.pages, m.vec, m.f1, m.precision, m.recall, m.empty)
}

// segments returns precision, recall and F as trafilatura's own evaluation defines
// them.
func segments(results []result) (p, r, f float64) {
	var found, wanted, wrong float64
	for _, x := range results {
		found += float64(x.found)
		wanted += float64(x.wanted)
		wrong += float64(x.unwantedFound)
	}
	p, r = found/max(1, found+wrong), found/max(1, wanted)
	return p, r, 2 * p * r / max(1e-9, p+r)
}

// interval returns the 95 % cluster-bootstrap interval of the mean of values: domains
// are drawn, each with all its pages.
func interval(results []result, value func(i int) float64) (low, high float64) {
	by := make(map[string][]int)
	for i, r := range results {
		if v := value(i); !math.IsNaN(v) {
			by[r.Domain] = append(by[r.Domain], i)
		}
	}
	domains := slices.Sorted(maps.Keys(by))
	if len(domains) == 0 {
		return math.NaN(), math.NaN()
	}
	rng := rand.New(rand.NewPCG(23, 29))
	const draws = 2000
	means := make([]float64, draws)
	for k := range means {
		sum, n := 0.0, 0
		for range domains {
			for _, i := range by[domains[rng.IntN(len(domains))]] {
				sum += value(i)
				n++
			}
		}
		means[k] = sum / float64(n)
	}
	slices.Sort(means)
	return means[draws/40], means[draws-1-draws/40]
}

// groups groups the results by a property that only some of them may have.
func groups(results []result, of func(r *result) string) (names []string, by map[string][]result) {
	by = make(map[string][]result)
	for i := range results {
		if g := of(&results[i]); g != "" {
			by[g] = append(by[g], results[i])
		}
	}
	return slices.Sorted(maps.Keys(by)), by
}

func byKind(r *result) string { return r.Type }

func byLanguage(r *result) string {
	l, _, _ := strings.Cut(strings.ToLower(r.Language), "-")
	if l == "" {
		return "(none)"
	}
	return l
}

// show writes the figures of one package as lines of a table.
func show(w io.Writer, name string, results []result) {
	if m := mean(results); m.pages > 0 {
		low, high := interval(results, func(i int) float64 { return results[i].vec })
		fmt.Fprintf(w, "%-18s %v  [%.4f, %.4f]\n", name, m, low, high)
		names, by := groups(results, byKind)
		if len(names) > 1 {
			for _, k := range names {
				fmt.Fprintf(w, "    %-14s %v\n", k, mean(by[k]))
			}
		}
		return
	}
	p, r, f := segments(results)
	fmt.Fprintf(w, "%-18s %5d pages  segments P %.4f R %.4f F %.4f\n", name, len(results), p, r, f)
	names, by := groups(results, byLanguage)
	for _, l := range names {
		p, r, f := segments(by[l])
		if len(by[l]) >= 10 {
			fmt.Fprintf(w, "    %-14s %5d pages  segments P %.4f R %.4f F %.4f\n", l, len(by[l]), p, r, f)
		}
	}
}
