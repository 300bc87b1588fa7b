package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/eval/results"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// siteScorers are the scorers by which site-level methods were published: words and
// nodes (Alarte, Silva), blocks and words (FastContentExtractor). vec is added because
// the other tables use it.
var siteScorers = []string{"vec", "words", "nodes", "block-f", "word-f"}

// siteOrder is the order of six site-level methods by the mean F1 over words of their
// pages: Alarte, Silva 2021, Table 4, on 50 pages of TECO 4.0, which are not available.
// The order by nodes is the same.
var siteOrder = []string{"temex", "conex", "rbm-td", "rtdm-td", "iwptd", "sst"}

// trial holds the results of one extractor on one package, page by page.
type trial struct {
	documents int                           // number of pages of the package
	f1        map[string]map[string]float64 // by scorer and page
	pages     map[string]bool               // the pages that it answered
	ns        int64                         // its time on these pages
	reasons   map[string]int                // why it did not answer, with counts
}

// comparison is what writeSites uses from runs with site-level extractors.
type comparison struct {
	trials map[string]map[string]*trial // by package and extractor
	site   map[string]bool              // whether an extractor is site-level
}

// writeSites compares site-level extractors with page-level ones on the same pages:
// those for which every site-level extractor of the run had a template. It ignores runs
// without site-level extractors.
func writeSites(w io.Writer, outs []string) error {
	var b strings.Builder
	for _, out := range outs {
		c, err := compareSites(out)
		if err != nil {
			return err
		}
		c.write(&b)
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n## Site-level extractors\n\nMean F1 over the pages for which every site-level extractor of the package had an answer, so that all are judged on the same pages. "+
		"Coverage is the share of all the package's pages that an extractor answered; where a site has too few pages, or none of it is template, a site-level extractor has no answer. "+
		"Time is its own on a page, without parsing and without learning. `many` are sites made by `examples/generate -sites 40 -pages 40`.\n\n%s%s", readingSites, b.String())
	return err
}

func compareSites(out string) (*comparison, error) {
	c := &comparison{trials: map[string]map[string]*trial{}, site: map[string]bool{}}
	for _, e := range programs.Extractors() {
		if e.Scope() == algorithms.SiteScope {
			c.site[e.Name] = true
		}
	}
	parts, err := filepath.Glob(filepath.Join(out, "documents", "part-*.parquet"))
	if err != nil {
		return nil, err
	}
	for _, name := range parts {
		if err := results.Each(columnar.Documents, name, c.document); err != nil {
			return nil, err
		}
	}
	if !c.any() {
		return c, nil
	}
	if parts, err = filepath.Glob(filepath.Join(out, "scores", "part-*.parquet")); err != nil {
		return nil, err
	}
	for _, name := range parts {
		if err := results.Each(columnar.Scores, name, c.score); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *comparison) any() bool {
	for _, extractors := range c.trials {
		for e := range extractors {
			if c.isSite(e) {
				return true
			}
		}
	}
	return false
}

// isSite reports whether an extractor is site-level, also one with settings:
// "temex:eq=score".
func (c *comparison) isSite(extractor string) bool {
	name, _, _ := strings.Cut(extractor, ":")
	return c.site[name]
}

func (c *comparison) document(d *schemas.Document) {
	if c.trials[d.Package] == nil {
		c.trials[d.Package] = map[string]*trial{}
	}
	t := c.trials[d.Package][d.Extractor]
	if t == nil {
		t = &trial{f1: map[string]map[string]float64{}, pages: map[string]bool{}, reasons: map[string]int{}}
		c.trials[d.Package][d.Extractor] = t
	}
	t.documents++
	switch algorithms.Outcome(d.Outcome) {
	case algorithms.OK, algorithms.Empty:
		t.pages[d.DocID] = true
		t.ns += d.ExtractNS
	default:
		t.reasons[d.Reason]++
	}
}

func (c *comparison) score(s *schemas.ScoreRow) {
	t := c.trials[s.Package][s.Extractor]
	if s.Reason != "" || t == nil || !slices.Contains(siteScorers, s.Scorer) {
		return
	}
	if t.f1[s.Scorer] == nil {
		t.f1[s.Scorer] = map[string]float64{}
	}
	t.f1[s.Scorer][s.DocID] = s.F1
}

// shared returns the pages that every site-level extractor of a package answered. It
// ignores extractors that answered no page.
func (c *comparison) shared(pkg string) map[string]bool {
	var pages map[string]bool
	for e, t := range c.trials[pkg] {
		if !c.isSite(e) || len(t.pages) == 0 {
			continue
		}
		if pages == nil {
			pages = map[string]bool{}
			for id := range t.pages {
				pages[id] = true
			}
			continue
		}
		for id := range pages {
			if !t.pages[id] {
				delete(pages, id)
			}
		}
	}
	return pages
}

func (c *comparison) write(b *strings.Builder) {
	packages := make([]string, 0, len(c.trials))
	for pkg := range c.trials {
		packages = append(packages, pkg)
	}
	slices.Sort(packages)
	for _, pkg := range packages {
		pages := c.shared(pkg)
		if len(pages) == 0 {
			continue
		}
		c.writePackage(b, pkg, pages)
	}
}

func (c *comparison) writePackage(b *strings.Builder, pkg string, pages map[string]bool) {
	trials := c.trials[pkg]
	names := make([]string, 0, len(trials))
	documents := 0
	for e, t := range trials {
		names = append(names, e)
		documents = t.documents
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(trials[y].mean("vec", pages), trials[x].mean("vec", pages)), strings.Compare(x, y))
	})
	fmt.Fprintf(b, "\n### %s: %d of %d pages\n\n| extractor | scope | coverage |", pkg, len(pages), documents)
	for _, s := range siteScorers {
		fmt.Fprintf(b, " `%s` |", s)
	}
	b.WriteString(" ms/page | no answer |\n|---|---|--:|" + strings.Repeat("--:|", len(siteScorers)+1) + "---|\n")
	for _, e := range names {
		t := trials[e]
		scope := algorithms.PageScope
		if c.isSite(e) {
			scope = algorithms.SiteScope
		}
		fmt.Fprintf(b, "| `%s` | %s | %.0f %% |", e, scope, 100*float64(len(t.pages))/float64(max(1, t.documents)))
		for _, s := range siteScorers {
			if m := t.mean(s, pages); math.IsNaN(m) {
				b.WriteString(" |")
			} else {
				fmt.Fprintf(b, " %.1f |", 100*m)
			}
		}
		fmt.Fprintf(b, " %.2f | %s |\n", float64(t.ns)/1e6/float64(max(1, len(t.pages))), t.why())
	}
	c.writeOrder(b, pkg, pages)
}

// writeOrder compares the order of the six published methods.
func (c *comparison) writeOrder(b *strings.Builder, pkg string, pages map[string]bool) {
	const scorer = "words"
	means := map[string]float64{}
	for _, e := range siteOrder {
		t := c.trials[pkg][e]
		if t == nil || math.IsNaN(t.mean(scorer, pages)) {
			return
		}
		means[e] = t.mean(scorer, pages)
	}
	ours := slices.Clone(siteOrder)
	slices.SortStableFunc(ours, func(x, y string) int { return cmp.Compare(means[y], means[x]) })
	fmt.Fprintf(b, "\nOrder by `%s`: published (%s, Table 4, on pages of TECO) %s; here %s; rank correlation %.2f.\n",
		scorer, alarteSilva, strings.Join(siteOrder, ", "), strings.Join(ours, ", "), spearman(siteOrder, ours))
}

// mean returns the mean F1 over pages. It adds in the order of names, so that the sum
// is always the same.
func (t *trial) mean(scorer string, pages map[string]bool) float64 {
	ids := make([]string, 0, len(pages))
	for id := range pages {
		if _, ok := t.f1[scorer][id]; ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	sum := 0.0
	for _, id := range ids {
		sum += t.f1[scorer][id]
	}
	if len(ids) == 0 {
		return math.NaN()
	}
	return sum / float64(len(ids))
}

// why returns the reasons with their counts.
func (t *trial) why() string {
	var all []string
	for reason, n := range t.reasons {
		all = append(all, fmt.Sprintf("%s %d", reason, n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
