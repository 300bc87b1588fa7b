package stats

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// resultRow returns the figures of an extractor over n pages.
func resultRow(extractor, pageType string, n int64, mean float64) schemas.PackageRow {
	return schemas.PackageRow{Package: "p", Extractor: extractor, PageType: pageType, Scorer: "vec", Mean: "macro", Documents: n, Scored: n, Headline: mean, MeanF1: mean,
		CILow: mean - 0.01, CIHigh: mean + 0.01, MBPerS: 1, SPerKB: 1}
}

func resultOf(rows ...schemas.PackageRow) Result {
	return NewResult(Tables{Packages: rows}, []schemas.Method{{Name: "vec", Mean: "macro"}, {Name: "junk", Mean: "value", Lower: true}})
}

func TestResult(t *testing.T) {
	f := func(name string, got Result, want string, caveats ...string) {
		t.Helper()
		if got.Sentence != want || strings.Join(got.Caveats, " ") != strings.Join(caveats, " ") {
			t.Errorf("%s:\n%s\n%q\nwant\n%s\n%q", name, got.Sentence, got.Caveats, want, caveats)
		}
	}
	a, b := resultRow("a", "", 100, 0.9), resultRow("b", "", 100, 0.85)
	a.MBPerS = 30
	f("two", resultOf(b, a), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], ahead of b by 0.050 on 100 pages, at 30 times its speed.")
	f("one", resultOf(a), "a has a mean F1 by vec of 0.900 [0.890, 0.910] on 100 pages.")

	bound := resultRow("oracle", "", 100, 1)
	bound.Bound = true
	f("a bound does not win", resultOf(bound, a), "a has a mean F1 by vec of 0.900 [0.890, 0.910] on 100 pages.")

	near := resultRow("b", "", 100, 0.895)
	near.MBPerS = 60
	f("near", resultOf(a, near), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], ahead of b by 0.005 (which is within its interval) on 100 pages, at 0.5 times its speed.")
	near.Headline = a.Headline
	near.MBPerS = 30
	f("level", resultOf(a, near), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], level with b on 100 pages, at the same speed.")

	slow := a
	slow.MBPerS = 0.05
	f("slow", resultOf(slow, b), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], ahead of b by 0.050 on 100 pages, at 1/20 of its speed.")

	// Page types of fewer than ten pages tell nothing.
	types := []schemas.PackageRow{a, b, resultRow("a", "article", 50, 0.96), resultRow("b", "article", 50, 0.9), resultRow("a", "listing", 41, 0.7), resultRow("b", "listing", 41, 0.75), resultRow("a", "forum", 9, 0.1), resultRow("b", "forum", 9, 0.5)}
	f("loses", resultOf(types...), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], ahead of b by 0.050 on 100 pages, at 30 times its speed; it loses on listing (to b by 0.050).")
	types[5].Headline = 0.6
	f("weakest", resultOf(types...), "a has the highest mean F1 by vec, 0.900 [0.890, 0.910], ahead of b by 0.050 on 100 pages, at 30 times its speed; it is weakest on listing (0.700).")

	trained := a
	trained.TrainedOn = true
	f("trained", resultOf(trained), "a has a mean F1 by vec of 0.900 [0.890, 0.910] on 100 pages.", "Trained on some of these pages, and so better here than on others: a.")

	few := resultRow("a", "", 4, 0.5)
	f("few", resultOf(few), "a has a mean F1 by vec of 0.500 [0.490, 0.510] on 4 pages.", "Fewer than 10 pages are too few to tell extractors apart, and the intervals are too narrow.")

	// A page that was skipped counts as 0, and so the interval of the others says nothing.
	skips := resultRow("site", "", 50, 0.95)
	skips.SkippedGold = 50
	f("skipped", resultOf(skips, b), "b has the highest mean F1 by vec, 0.850 [0.840, 0.860], ahead of site by 0.375 on 100 pages, at the same speed.", "Skipped pages, which count as 0: site 50.")
	f("skips and wins", resultOf(skips), "site has a mean F1 by vec of 0.475 on 100 pages.", "Skipped pages, which count as 0: site 50.")

	low, high := resultRow("a", "", 20, 0.2), resultRow("b", "", 20, 0.4)
	for _, r := range []*schemas.PackageRow{&low, &high} {
		r.Scorer, r.Mean = "junk", "value"
	}
	f("lower is better", resultOf(high, low), "a has the lowest mean junk, 0.200 [0.190, 0.210], ahead of b by 0.200 on 20 pages, at the same speed.")

	// Independent packages of equal size: half the width of an interval, by the root of 2.
	other := resultRow("a", "", 100, 0.7)
	other.Package = "q"
	f("packages", resultOf(a, other), "a has a mean F1 by vec of 0.800 [0.793, 0.807] on 200 pages.")
}

func TestResultWithoutScores(t *testing.T) {
	speed := []schemas.SpeedRow{{Package: "p", Extractor: "a", Documents: 62, Empties: 2, Failures: 1, Skipped: 1}, {Package: "p", Extractor: "b", Documents: 62, Empties: 10}}
	r := schemas.PackageRow{Package: "p", Extractor: "a", Headline: math.NaN()}
	if got := NewResult(Tables{Speed: speed, Packages: []schemas.PackageRow{r}}, nil).String(); got != "a found main content on 58 of 62 pages, the most of 2 extractors. No page was scored, so the run tells what was extracted and not how well." {
		t.Error(got)
	}
	speed[1].Empties = 4
	if got := NewResult(Tables{Speed: speed}, nil).Sentence; got != "Both extractors found main content on 58 of 62 pages." {
		t.Error(got)
	}
	speed[1].Extractor, speed[1].Empties = "plain", 0
	if got := NewResult(Tables{Speed: speed}, nil).Sentence; got != "a found main content on 58 of 62 pages." {
		t.Error(got)
	}
	if got := NewResult(Tables{Speed: speed[1:]}, nil).Sentence; got != "plain found main content on 62 of 62 pages." {
		t.Error(got)
	}
	if got := NewResult(Tables{}, nil).String(); got != "No page was extracted." {
		t.Error(got)
	}
}
