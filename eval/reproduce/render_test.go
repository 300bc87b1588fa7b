package main

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/schemas"
)

func TestSpearman(t *testing.T) {
	a := []string{"a", "b", "c", "d"}
	if got := spearman(a, a); got != 1 {
		t.Errorf("same order: %v", got)
	}
	if got := spearman(a, []string{"d", "c", "b", "a"}); got != -1 {
		t.Errorf("opposite order: %v", got)
	}
	if got := spearman(a, []string{"b", "a", "c", "d"}); got != 0.8 {
		t.Errorf("one swap: %v, want 0.8", got)
	}
}

// TestPublishedNamesExist checks that published figures name extractors that exist.
// Otherwise nobody would notice that a figure is missing.
func TestPublishedNamesExist(t *testing.T) {
	known := map[string]bool{}
	for _, e := range programs.Extractors() {
		known[e.Name] = true
	}
	for _, p := range published {
		for _, f := range p.figures {
			if !known[f.extractor] {
				t.Errorf("%s: no extractor %s", p.title, f.extractor)
			}
		}
		for e := range p.systems {
			if !known[e] {
				t.Errorf("%s names the system for %s, which does not exist", p.title, e)
			}
		}
		for e := range p.because {
			if !known[e] {
				t.Errorf("%s explains %s, which does not exist", p.title, e)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	err := write(&b, []schemas.PackageRow{
		{Package: "l3s-gn1", Extractor: "bte", Scorer: "wcxb-word-f1", MeanF1: 0.88},
		{Package: "l3s-gn1", Extractor: "trafilatura", Scorer: "wcxb-word-f1", MeanF1: 0.80, Skipped: 7},
		{Package: "l3s-gn1", Extractor: "bte", Scorer: "vec", MeanF1: 0.5, SDF1: 0.1},
		{Package: "l3s-gn1", Extractor: "unfluff", Scorer: "wcxb-word-f1", MeanF1: 0.86},
		{Package: "trafilatura-dev", Extractor: "trafilatura", Scorer: "snippet", MeanPrecision: 0.1, HeadlinePrecision: 0.91, HeadlineRecall: 0.94, Headline: 0.925},
		{Package: "cleaneval-final", Extractor: "bte", Scorer: "cetd-lcs", MeanPrecision: 0.89},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| extractor | their system | recorded | ours | difference | why |\n|---|---|--:|--:|--:|---|\n",
		"| `bte` | bte.py | 87.6 | 88.0 | +0.4 |  |",
		"| `trafilatura` | trafilatura 1.4.1 for Python | 90.0 | 80.0 | -10.0 | **unexplained** 7 pages that it skipped are in no mean. |",
		"| `unfluff` | Goose3 3.1.19, a relative | 87.5 | 86.0 | -1.5 |  |",
		"| `domdistiller` | go-domdistiller | 87.4 | | | not in this run |",
		"| extractor | published | ours | difference | why |\n|---|--:|--:|--:|---|\n| `bte` | 88.9 | 89.0 | +0.1 |  |",
		"| `trafilatura` | trafilatura 2.2.0 for Python, standard | 90.6 | 91.0 | +0.4 |  |",
		"| `trafilatura` | trafilatura 2.2.0 for Python, standard | 94.3 | 94.0 | -0.3 |  |",
		"| `trafilatura` | trafilatura 2.2.0 for Python, standard | 92.4 | 92.5 | +0.1 |  |",
		"| `bte` | | 50.0 ± 10.0 | 50.0 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
