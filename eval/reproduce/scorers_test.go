package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/suite"
)

func TestRecordedNamesExist(t *testing.T) {
	for _, c := range recorded {
		if answers[c.answer] == nil {
			t.Errorf("no answer %q", c.answer)
		}
		if !slices.ContainsFunc(suite.Scorers(), func(s *algorithms.Scorer) bool { return s.Name == c.scorer }) {
			t.Errorf("no measure %s", c.scorer)
		}
	}
}

// TestScoredFigures checks that figures are aggregated as the programs do: as a mean of
// the documents, of the documents that define it, or of pooled counts.
func TestScoredFigures(t *testing.T) {
	docs := []algorithms.Score{
		{Common: 2, Extracted: 4, Gold: 2, Universe: 6, Precision: 0.5, Recall: 1, F1: 0.6, Value: 1},
		{Common: 0, Extracted: 0, Gold: 2, Universe: 4, PUndefined: true},
		{Reason: algorithms.ReasonNotDefined},
	}
	for mean, want := range map[algorithms.Mean]figures{
		algorithms.MacroF1:     {p: 0.25, r: 0.5, f1: 0.3},
		algorithms.MeanValue:   {value: 0.5},
		algorithms.F1OfDefined: {p: 0.5, r: 0.5, f1: 0.5},
		// Of 10 blocks, 2 are correct, 2 are only chosen, 2 are only gold, and 4 are
		// neither.
		algorithms.MicroF1: {p: 0.5, r: 0.5, f1: 0.5, value: 0.6},
	} {
		s := scored{mean: mean}
		for _, d := range docs {
			s.add(d)
		}
		if got := s.figures(); got.distance(want) > 1e-12 {
			t.Errorf("%s: %s, want %s", mean, got, want)
		}
	}
}

func TestAnswers(t *testing.T) {
	if got := string(answers["stripped"]([]byte("<p\nclass=a>x</p>1 < 2"), "")); got != " x 1 < 2" {
		t.Errorf("stripped: %q", got)
	}
	if got := string(answers["edited"](nil, "a\nb\nc\nd\ne")); got != "a\nc\nd\na\nb" {
		t.Errorf("edited: %q", got)
	}
}

// TestMeasuresAgreeWithPrograms checks that our scorers agree with the programs to
// three decimals, if the packages are available.
func TestMeasuresAgreeWithPrograms(t *testing.T) {
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set: no gold packages")
	}
	for i := 0; i < len(recorded); {
		first, j := recorded[i], i
		for j < len(recorded) && recorded[j].pkg == first.pkg && recorded[j].answer == first.answer {
			j++
		}
		rows := recorded[i:j]
		i = j
		if first.pkg == "wcxb-dev" && testing.Short() {
			continue // takes half a minute to inflate
		}
		ours, err := figuresOf(filepath.Join(dir, "packages"), rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range rows {
			if d := c.program.distance(ours[c.scorer]); d >= agreement {
				t.Errorf("%s, %s, %s: the program has %s, we have %s", c.pkg, c.answer, c.scorer, c.program, ours[c.scorer])
			}
		}
	}
}

func TestWriteScorersWithoutPackages(t *testing.T) {
	var b strings.Builder
	if err := writeScorers(&b, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "| cleanportaleval, all pages | edited | `rouge-lsum` | P 0.9815 R 0.7619 F1 0.8541 | | |") {
		t.Error(b.String())
	}
}
