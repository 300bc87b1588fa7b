package compare

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// shingles returns scores of two documents. "half" has one document half right and the
// other one right. "right" has both right. "quarter" has half of the figures of "half".
// "fails" has the first one right and no answer on the second.
func shingles() (scores []schemas.ScoreRow, documents []schemas.Document) {
	for i := range 2 {
		id := fmt.Sprint("d", i)
		for _, e := range []struct {
			name   string
			pr     [2]float64 // precision and recall
			failed bool
		}{
			{name: "fails", pr: [2]float64{1, 0}, failed: i == 1},
			{name: "half", pr: [2]float64{0.5, 1}},
			{name: "quarter", pr: [2]float64{0.25, 0.5}},
			{name: "right", pr: [2]float64{1, 1}},
		} {
			row := schemas.ScoreRow{Run: "r", Package: "p", DocID: id, Extractor: e.name, Scorer: "shingle-4",
				Precision: e.pr[i], Recall: e.pr[i], F1: e.pr[i], Common: 1, Extracted: 1, Gold: 1}
			doc := schemas.Document{HasGold: true, Run: "r", Package: "p", DocID: id, Extractor: e.name, Outcome: "ok", PageType: "note"}
			if e.failed {
				row.Precision, row.Recall, row.F1, row.Common, row.Extracted, row.Reason = 0, 0, 0, 0, 0, "no_answer"
				doc.Outcome, doc.Reason = "failed", "panic"
			}
			scores, documents = append(scores, row), append(documents, doc)
		}
	}
	return scores, documents
}

// The expected values are computed by hand. In a resample of two, the first document
// occurs k times, where k is binomial with mean 1 and variance 1/2. The figure of
// "half" is 1 - k/4, with mean 0.75 and SD 0.176777. The figure of "right" is always 1,
// so the difference of the two has the same SD. "quarter" has half of the figure of
// "half" in every resample, so their difference is half of it too, but only if both use
// the same draws. "fails" has recall k/2, and precision 1 if the first document is in
// the resample. Its figures are 0, 2/3 and 1, with mean 7/12.
func TestHeadlineDifferences(t *testing.T) {
	scores, documents := shingles()
	store := folder(t, scores, documents, 1000)
	all, err := Run(context.Background(), store, Options{Replicates: 100})
	if err != nil {
		t.Fatal(err)
	}
	// The error of a mean of a thousand resamples is about 0.006, and that of an SD
	// 0.004.
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.IsNaN(got) || math.Abs(got-want) > within {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	methods := map[string]*Resampled{}
	for _, m := range all[0].Ranking {
		if methods[m.Extractor] = m.Resampled; m.Resampled == nil {
			t.Fatalf("%s has no resamples", m.Extractor)
		}
	}
	near("half", methods["half"].Mean, 0.75, 0.02)
	near("half, SD", methods["half"].SD, math.Sqrt(0.5)/4, 0.012)
	near("half, low", methods["half"].Low, 0.5, 1e-9)
	near("half, high", methods["half"].High, 1, 1e-9)
	near("right, SD", methods["right"].SD, 0, 0)
	near("fails", methods["fails"].Mean, 7./12, 0.03)
	for _, p := range all[0].Pairs {
		switch r := p.Resampled; p.A + " " + p.B {
		case "right half":
			near("right - half", r.Mean, 1-methods["half"].Mean, 1e-8)
			near("right - half, SD", r.SD, methods["half"].SD, 1e-8)
			near("right - half, low", r.Low, 0, 1e-9)
			near("right - half, high", r.High, 0.5, 1e-9)
		case "half quarter":
			near("half - quarter", r.Mean, methods["half"].Mean/2, 1e-8)
			near("half - quarter, SD", r.SD, methods["half"].SD/2, 1e-8)
		}
	}

	// Groups have these figures too, and the text shows them.
	byType, err := Run(context.Background(), store, Options{Replicates: 100, By: stats.ByPageType})
	if err != nil {
		t.Fatal(err)
	}
	if got := byType[0].Ranking[0].Resampled; got == nil || *got != *methods[byType[0].Ranking[0].Extractor] {
		t.Errorf("in a group of all: %+v", got)
	}
	var text bytes.Buffer
	if err := WriteText(&text, all, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"of_defined_means", fmt.Sprintf("±%.4f", methods["half"].SD), "+0.0000 to +0.5000"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// Other scorers have no such figure.
func TestOnlyDefinedMeansAreResampled(t *testing.T) {
	scores, documents := world()
	all, err := Run(context.Background(), folder(t, scores, documents, 1000), Options{Replicates: 100})
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Ranking[0].Resampled != nil || all[0].Pairs[0].Resampled != nil {
		t.Errorf("%+v, %+v", all[0].Ranking[0], all[0].Pairs[0])
	}
}
