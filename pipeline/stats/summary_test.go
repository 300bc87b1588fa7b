package stats

import (
	"regexp"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestRankedByAMeasureThatHasFigures has a package whose gold the first scorer cannot
// read.
func TestRankedByAMeasureThatHasFigures(t *testing.T) {
	half, most := 0.5, 0.9
	p := PackageSummary{Package: "p", Extractors: []ExtractorSummary{
		{Extractor: "a", Scores: []ScoreSummary{{Scorer: "vec"}, {Scorer: "snippet", Headline: &half}}},
		{Extractor: "b", Scores: []ScoreSummary{{Scorer: "vec"}, {Scorer: "snippet", Headline: &most}}},
	}}
	if list := p.ranked(); list[0].Extractor != "b" || list[1].Extractor != "a" {
		t.Errorf("%s before %s", list[0].Extractor, list[1].Extractor)
	}
}

// TestTrainedOn follows from the recipe to the summary that an extractor was trained on
// pages of a package, and to the rows which extractor is a bound.
func TestTrainedOn(t *testing.T) {
	m := &schemas.Manifest{Run: schemas.Run{Recipe: schemas.Recipe{
		Extractors: []schemas.Method{{Name: "learned", TrainedOn: []string{"seen"}}, {Name: "other", Bound: true}},
		Scorers:    []schemas.Method{{Name: "vec"}},
	}}}
	tally := NewTally(m)
	for _, pkg := range []string{"seen", "unseen"} {
		for _, e := range m.Run.Recipe.Extractors {
			d := schemas.Document{HasGold: true, Package: pkg, DocID: "1", Extractor: e.Name, Outcome: "ok"}
			known := tally.document(&d, pageOf(&d))
			tally.score(&schemas.ScoreRow{Package: pkg, DocID: "1", Extractor: e.Name, Scorer: "vec", F1: .5}, &known)
		}
	}
	rows := tally.rows("r", nil)
	for _, r := range rows.Packages {
		if want := r.Package == "seen" && r.Extractor == "learned"; r.TrainedOn != want {
			t.Errorf("%s on %s: %t, want %t", r.Extractor, r.Package, r.TrainedOn, want)
		}
		if r.Bound != (r.Extractor == "other") {
			t.Errorf("%s: bound is %t", r.Extractor, r.Bound)
		}
	}
	for _, r := range Pool(rows).Packages {
		if want := r.Extractor == "learned"; r.TrainedOn != want {
			t.Errorf("%s on all packages: %t, want %t", r.Extractor, r.TrainedOn, want)
		}
	}
	var text strings.Builder
	if err := NewSummary(m, rows).Table(&text, 0, 200); err != nil {
		t.Fatal(err)
	}
	if got := regexp.MustCompile("(?m)^trained.*").FindAllString(text.String(), -1); len(got) != 1 || got[0] != "trained on pages of seen, and so better there than on unseen pages: learned" {
		t.Errorf("%q in\n%s", got, text.String())
	}
}
