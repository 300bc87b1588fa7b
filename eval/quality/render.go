package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// typed is the package whose pages have many types; extractors are ranked by their
// figures on it. ours is the extractor that others are compared with.
const (
	typed = "wcxb-dev"
	ours  = "winnow"
)

// writer writes the page.
type writer struct {
	*record
	price
	strings.Builder

	ranked []*algorithms.Extractor // best first
	wcxb   *sample                 // nil if the package was not measured
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// page returns the text of the page.
func (r *record) page(p price) string {
	w := &writer{record: r, price: p}
	if i := r.find(typed); i >= 0 {
		w.wcxb = r.words(i, "")
	}
	w.ranked = slices.Clone(r.methods)
	slices.SortStableFunc(w.ranked, func(a, b *algorithms.Extractor) int { return cmp.Compare(w.rank(b), w.rank(a)) })
	w.line("# Where it pays and where not\n")
	w.line("Written by `go -C eval run ./quality` from the gold test packages; not by hand. Figures of quality are percentages.\n")
	w.writeHow()
	w.writeSummary()
	w.writeAdvice()
	w.writeAnchors()
	w.writePackages()
	w.writeTypes()
	w.writeGaps()
	w.writeSites()
	return w.String()
}

func (r *record) find(pkg string) int {
	return slices.IndexFunc(r.packages, func(p *packageRecord) bool { return p.Name == pkg })
}

// rank returns what extractors are ordered by: word F1 on the package of many types.
func (w *writer) rank(e *algorithms.Extractor) float64 {
	if w.wcxb == nil {
		return 0
	}
	f1, _, _, _ := w.wcxb.mean(e.Name)
	return f1
}

func (w *writer) writeHow() {
	w.line("- Every extractor that works on single pages answered every page, as in a run; only the libraries, run as programs, also got the pages above 1 MiB,")
	w.line("  which a run spares them. A page that an extractor skips or fails on counts as one that it answered by nothing.")
	w.line("- Extractors that are learned from a package answered its pages out of fold: by a model that has seen no page of the same registered")
	w.line("  domain. So did the ensembles that they vote in.")
	w.line("- Word F1 is WCXB's official measure, the mean over pages. In brackets is the 95 %% interval of a bootstrap that draws registered domains,")
	w.line("  with all their pages; it says little where a package has only a few.")
	if w.speed.Pages > 0 {
		mean := float64(w.speed.Bytes) / float64(w.speed.Pages)
		size := "of that size"
		if w.PageBytes > 0 {
			size = fmt.Sprintf("of %s bytes, at the same speed in MB/s", thousands(float64(w.PageBytes)))
		}
		w.line("- Speed is processor time of one core (%s) for parsing and extracting, garbage collection included, in one run over %d pages: one in %d",
			w.speed.Machine, w.speed.Pages, w.speed.Every)
		w.line("  of all packages, %s bytes in the mean. Costs are of a billion pages %s, at %.2f USD for an hour of a core: an", thousands(mean), size, w.CoreHour)
		w.line("  assumption, which `--usd-per-core-hour` and `--page-bytes` change. Extractors take turns, so that other work of the machine slows all alike:")
		w.line("  ratios are firmer than the figures.")
		if c, ok := w.costOf("", w.price); ok {
			w.line("- Parsing alone runs at %s MB/s in the same measurement.", thousands(c.megabytes))
		}
		if run := w.speed.Run; run.Took > 0 {
			speed := float64(run.Bytes) / 1e6 / run.Took.Seconds()
			size := cmp.Or(float64(w.PageBytes), mean)
			hours := 1e9 * size / 1e6 / speed / 3600
			w.line("- A whole `winnow %s`, from a gzipped WARC file with the pages of %s to texts and tables, runs at", runCommand, run.Package)
			w.line("  %s MB/s of HTML for each second of a core: %s core-hours and %s USD for the billion pages.", thousands(speed), thousands(hours), thousands(hours*w.CoreHour))
		}
	}
	w.line("- The [model cards](../docs/models) tell which packages a model was trained on. The others were looked at while `%s` was made, to find what goes", ours)
	w.line("  wrong: they are no blind test of it.\n")
	w.line("| package | pages | domains | MB | gold text | its measure |\n|---|--:|--:|--:|--:|---|")
	for _, p := range w.packages {
		size, texts := 0, 0
		domains := make(map[string]bool)
		for _, x := range p.Pages {
			size += x.Bytes
			if x.HasText {
				texts++
			}
			domains[x.Domain] = true
		}
		w.line("| %s | %d | %d | %.1f | %d | %s |", p.Name, len(p.Pages), len(domains), float64(size)/1e6, texts, measures[p.Name])
	}
}

// kind says what kind of source an extractor comes from.
func kind(e *algorithms.Extractor) string {
	switch {
	case e.Oracle:
		return "bound"
	case len(e.Members) > 0:
		return "ensemble"
	case e.Command != nil:
		return "library"
	case slices.ContainsFunc(learners(), func(l *learned) bool { return l.name == e.Name }):
		return "learned"
	}
	return "rules"
}

func (w *writer) writeSummary() {
	w.line("\n## All extractors\n")
	w.line("Best on %s first. The difference is paired, on the same pages. `trafilatura-dev` is F of segments; its pages are mostly not", typed)
	w.line("in English.\n")
	w.line("| extractor | kind | word F1, %s | difference from `%s` | F, trafilatura-dev | MB/s | pages/s | core-hours for 10⁹ pages | USD | good for |", typed, ours)
	w.line("|---|---|--:|--:|--:|--:|--:|--:|--:|---|")
	segmented := w.find("trafilatura-dev")
	for _, e := range w.ranked {
		f1, difference, f := "", "", ""
		if w.wcxb != nil {
			if x, low, high, ok := w.wcxb.mean(e.Name); ok {
				f1 = interval(x, low, high)
				if m := w.wcxb.index(ours); m >= 0 && e.Name != ours {
					d, low, high, _ := w.wcxb.bootstrap.Difference(w.wcxb.index(e.Name), m)
					difference = fmt.Sprintf("%+.1f [%+.1f, %+.1f]", 100*d, 100*low, 100*high)
				}
			}
		}
		if segmented >= 0 {
			if s, ok := w.segmentsOf(segmented, e.Name); ok {
				f = percent(s.f)
			}
		}
		speed := "| | | |"
		if c, ok := w.costOf(e.Name, w.price); ok {
			speed = fmt.Sprintf("| %s | %s | %s | %s |", thousands(c.megabytes), thousands(c.perSecond), thousands(c.hours), thousands(c.dollars))
		}
		w.line("| `%s` | %s | %s | %s | %s %s %s |", e.Name, kind(e), f1, difference, f, speed, purpose[e.Name])
	}
}

func (w *writer) writePackages() {
	w.line("\n## By package\n")
	w.line("Word F1; for trafilatura-dev precision, recall and F of its segments, pooled.\n")
	head, rule := "| extractor |", "|---|"
	segmented := w.find("trafilatura-dev")
	var samples []*sample
	for i, p := range w.packages {
		if i == segmented {
			samples = append(samples, nil)
			continue
		}
		samples = append(samples, w.words(i, ""))
		head, rule = head+" "+p.Name+" |", rule+"--:|"
	}
	if segmented >= 0 {
		head, rule = head+" trafilatura-dev: P | R | F |", rule+"--:|--:|--:|"
	}
	w.line("%s\n%s", head, rule)
	for _, e := range w.ranked {
		fmt.Fprintf(w, "| `%s` |", e.Name)
		for _, s := range samples {
			if s == nil {
				continue
			}
			cell := ""
			if x, low, high, ok := s.mean(e.Name); ok {
				cell = interval(x, low, high)
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		if segmented >= 0 {
			cells := " | | |"
			if s, ok := w.segmentsOf(segmented, e.Name); ok {
				cells = fmt.Sprintf(" %s | %s | %s |", percent(s.precision), percent(s.recall), interval(s.f, s.low, s.high))
			}
			w.WriteString(cells)
		}
		w.line("")
	}
}

func (w *writer) writeTypes() {
	at := w.find(typed)
	if at < 0 {
		return
	}
	var kinds []string
	for _, p := range w.packages[at].Pages {
		if p.Type != "" && p.HasText && !slices.Contains(kinds, p.Type) {
			kinds = append(kinds, p.Type)
		}
	}
	slices.Sort(kinds)
	w.line("\n## By type of page\n")
	w.line("Word F1 on %s, with half the width of the 95 %% interval.\n", typed)
	head, rule := "| extractor |", "|---|"
	var samples []*sample
	for _, k := range kinds {
		s := w.words(at, k)
		samples = append(samples, s)
		head, rule = head+fmt.Sprintf(" %s (%d) |", k, s.pages), rule+"--:|"
	}
	w.line("%s\n%s", head, rule)
	for _, e := range w.ranked {
		fmt.Fprintf(w, "| `%s` |", e.Name)
		for _, s := range samples {
			cell := ""
			if x, low, high, ok := s.mean(e.Name); ok {
				cell = fmt.Sprintf("%.1f ± %.1f", 100*x, 50*(high-low))
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		w.line("")
	}
}

func (w *writer) writeGaps() {
	w.line("\n## Pages without an answer\n")
	w.line("Over all packages. An empty answer may be right: the last column counts those where the gold has content.\n")
	w.line("| extractor | pages | failed | skipped | empty | of these, wrongly | reasons |\n|---|--:|--:|--:|--:|--:|---|")
	for _, e := range w.ranked {
		g := w.gapsOf(e.Name)
		var reasons []string
		for name, n := range g.reasons {
			reasons = append(reasons, fmt.Sprintf("%s: %d", name, n))
		}
		slices.Sort(reasons)
		w.line("| `%s` | %d | %d | %d | %d | %d | %s |", e.Name, g.pages, g.failed, g.skipped, g.empty, g.wrong, strings.Join(reasons, ", "))
	}
}

func (w *writer) writeSites() {
	if len(w.sites.Rows) == 0 {
		return
	}
	w.line("\n## Site-level extractors\n")
	w.line("They learn from several pages of a site, so they are run on `%s` alone, by `winnow run --site-by domain`. A page is judged without", w.sites.Package)
	w.line("what it contributed to its site's template. Pages are skipped where there was nothing to learn from their site. Some page-level extractors")
	w.line("stand beside them. Other packages are in [reproduction.md](reproduction.md).\n")
	w.line("| extractor | pages | skipped | word F1 of answered pages | of all pages, skipped ones as 0 |\n|---|--:|--:|--:|--:|")
	rows := slices.Clone(w.sites.Rows)
	slices.SortStableFunc(rows, func(a, b siteItem) int { return cmp.Or(cmp.Compare(b.F1, a.F1), cmp.Compare(a.Extractor, b.Extractor)) })
	for _, s := range rows {
		w.line("| `%s` | %d | %d | %s | %s |", s.Extractor, s.Pages, s.Skipped, interval(s.Answered, s.Low, s.High), percent(s.F1))
	}
}
