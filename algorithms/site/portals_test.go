package site_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/suite"
)

// portal is a page of a gold package that has several pages of each site.
type portal struct {
	algotest.SitePage
	gold string
}

// portals reads cleanportaleval, 71 pages of four news portals, by site.
func portals(t testing.TB) map[string][]portal {
	t.Helper()
	sites := map[string][]portal{}
	for _, p := range algotest.Portals(t) {
		if p.URL != "" && p.Gold != "" {
			name := website.Domain(p.URL)
			sites[name] = append(sites[name], portal{algotest.SitePage{URL: p.URL, HTML: algotest.Unwrap(p.HTML)}, p.Gold})
		}
	}
	return sites
}

// score compares texts as bags of words.
type score struct{ p, r, f float64 }

func (s *score) add(got, gold string) {
	counts := map[string]int{}
	for _, w := range strings.Fields(gold) {
		counts[w]++
	}
	words, common := strings.Fields(got), 0
	for _, w := range words {
		if counts[w] > 0 {
			counts[w]--
			common++
		}
	}
	if common > 0 {
		s.p += float64(common) / float64(len(words))
		s.r += float64(common) / float64(len(strings.Fields(gold)))
		s.f += 2 * float64(common) / float64(len(words)+len(strings.Fields(gold)))
	}
}

func (s score) over(n int) string {
	return fmt.Sprintf("P %.3f R %.3f F1 %.3f", s.p/float64(n), s.r/float64(n), s.f/float64(n))
}

// TestPortals learns four real sites with every method, from all their pages,
// and cleans these. On average each must do better than the whole page; the table
// that is logged is for readers:
//
//	WINNOW_SHARED=… go test ./algorithms/site -run Portals -v
func TestPortals(t *testing.T) {
	sites := portals(t)
	if len(sites) != 4 {
		t.Fatalf("%d sites", len(sites))
	}
	var whole score
	n := 0
	for _, pages := range sites {
		for _, p := range pages {
			whole.add(string(algotest.Pass(p.HTML).Body.Text), p.gold)
			n++
		}
	}
	t.Logf("%-20s %s", "whole page", whole.over(n))
	for _, e := range suite.Extractors() {
		if e.Scope() == algorithms.SiteScope {
			t.Run(e.Name, func(t *testing.T) { tryPortals(t, e, sites, whole) })
		}
	}
}

func tryPortals(t *testing.T, e *algorithms.Extractor, sites map[string][]portal, whole score) {
	var all score
	n := 0
	for _, name := range []string{"bbc.co.uk", "msnbc.com", "washingtonpost.com", "wsj.com"} {
		var sample []algotest.SitePage
		for _, p := range sites[name] {
			sample = append(sample, p.SitePage)
		}
		l := algotest.Learn(t, e, sample)
		var of score
		for _, p := range sites[name] {
			text := l.Text(t, p.SitePage)
			of.add(text, p.gold)
			all.add(text, p.gold)
			n++
		}
		t.Logf("%-20s %s  %2d pages, template %6d bytes %v", name, of.over(len(sample)), len(l.Ranks), len(l.Body), l.Notes)
	}
	t.Logf("%-20s %s", "all", all.over(n))
	if all.f < whole.f {
		t.Errorf("worse than the whole page")
	}
}
