package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/report/paired"
)

// These are the number of replicates of a bootstrap, and its seed.
const (
	replicates = 2000
	seed       = 23
)

// sample holds the word F1 of all extractors that answered a set of pages.
type sample struct {
	pages     int
	names     []string
	bootstrap *paired.Bootstrap
}

// words returns the word F1 of the pages of a package that have a gold text, or only of
// those of one type. Clusters of the bootstrap are registered domains.
func (r *record) words(pkg int, kind string) *sample {
	s := &sample{}
	var chosen, clusters []int
	number := make(map[string]int)
	for i, p := range r.packages[pkg].Pages {
		if !p.HasText || kind != "" && p.Type != kind {
			continue
		}
		n, known := number[p.Domain]
		if !known {
			n = len(number)
			number[p.Domain] = n
		}
		chosen, clusters = append(chosen, i), append(clusters, n)
	}
	s.pages = len(chosen)
	var scores [][]float64
	for _, e := range r.methods {
		answers := r.answers[pkg][e.Name]
		if answers == nil {
			continue
		}
		s.names = append(s.names, e.Name)
		f1 := make([]float64, len(chosen))
		for k, i := range chosen {
			f1[k] = answers[i].F1
		}
		scores = append(scores, f1)
	}
	s.bootstrap = paired.NewBootstrap(scores, clusters, replicates, seed)
	return s
}

func (s *sample) index(name string) int { return slices.Index(s.names, name) }

// mean returns the word F1 of an extractor; ok is false if it was not measured.
func (s *sample) mean(name string) (f1, low, high float64, ok bool) {
	m := s.index(name)
	if m < 0 || s.pages == 0 {
		return 0, 0, 0, false
	}
	low, high = s.bootstrap.Interval(m)
	return s.bootstrap.Mean(m), low, high, true
}

// segments holds the pooled figures of a package whose gold consists of segments that
// the answer must contain and of segments that it must not contain.
type segments struct {
	precision, recall, f, low, high float64
}

// segmentsOf returns the figures of one extractor; ok is false if it was not measured
// or answered no page.
func (r *record) segmentsOf(pkg int, name string) (s segments, ok bool) {
	answers := r.answers[pkg][name]
	if !slices.ContainsFunc(answers, func(a Answer) bool { return a.Outcome != algorithms.Skipped }) {
		return s, false
	}
	type counts struct{ found, all, with float64 }
	var by []counts
	number := make(map[string]int)
	var total counts
	for i, p := range r.packages[pkg].Pages {
		n, known := number[p.Domain]
		if !known {
			n = len(by)
			number[p.Domain] = n
			by = append(by, counts{})
		}
		c := counts{float64(answers[i].Found), float64(answers[i].FoundAll), float64(p.With)}
		for _, to := range []*counts{&by[n], &total} {
			to.found += c.found
			to.all += c.all
			to.with += c.with
		}
	}
	f := func(c counts) float64 { return 2 * c.found / max(1, c.all+c.with) }
	random := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]float64, replicates)
	for k := range drawn {
		var sum counts
		for range by {
			c := by[random.IntN(len(by))]
			sum.found += c.found
			sum.all += c.all
			sum.with += c.with
		}
		drawn[k] = f(sum)
	}
	slices.Sort(drawn)
	return segments{total.found / max(1, total.all), total.found / max(1, total.with), f(total),
		drawn[replicates/40], drawn[replicates-1-replicates/40]}, true
}

// gaps counts the pages for which an extractor had no answer.
type gaps struct {
	pages, failed, skipped, empty int
	wrong                         int // empty answers to pages whose gold is not empty
	reasons                       map[string]int
}

func (r *record) gapsOf(name string) gaps {
	g := gaps{reasons: make(map[string]int)}
	for k, p := range r.packages {
		answers := r.answers[k][name]
		for i := range answers {
			g.pages++
			switch a := &answers[i]; a.Outcome {
			case algorithms.Failed:
				g.failed++
				g.reasons[string(a.Reason)]++
			case algorithms.Skipped:
				g.skipped++
				g.reasons[string(a.Reason)]++
			case algorithms.Empty:
				g.empty++
				if p.Pages[i].With > 0 || p.Pages[i].HasText && !p.Pages[i].GoldEmpty {
					g.wrong++
				}
			}
		}
	}
	return g
}

// cost is the processor time of an extractor, including parsing.
type cost struct {
	perSecond float64 // pages
	megabytes float64 // of HTML a second
	hours     float64 // for a billion pages
	dollars   float64
}

func (r *record) costOf(name string, p price) (c cost, ok bool) {
	took, ok := r.speed.Took[name]
	if !ok || took <= 0 {
		return c, false
	}
	c.perSecond = float64(r.speed.Pages) / took.Seconds()
	c.megabytes = float64(r.speed.Bytes) / 1e6 / took.Seconds()
	c.hours = 1e9 / c.perSecond / 3600
	if p.PageBytes > 0 {
		c.hours = 1e9 * float64(p.PageBytes) / 1e6 / c.megabytes / 3600
	}
	c.dollars = c.hours * p.CoreHour
	return c, true
}

// percent formats a share.
func percent(x float64) string { return fmt.Sprintf("%.1f", 100*x) }

// interval formats a share with its interval.
func interval(x, low, high float64) string {
	return fmt.Sprintf("%.1f [%.1f, %.1f]", 100*x, 100*low, 100*high)
}

// thousands formats a number with two digits, or as an integer with separators.
func thousands(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
