package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/extract/crf"
	"github.com/winnow/winnow/algorithms/extract/crf/internal/chain"
	"github.com/winnow/winnow/algorithms/extract/internal/corpus"
	"github.com/winnow/winnow/algorithms/extract/internal/corpus/corpustest"
)

// TestSameModelAgain trains twice on a package of made pages: the bytes are the
// same, and the model has learned what is content.
func TestSameModelAgain(t *testing.T) {
	dir := t.TempDir()
	corpustest.Write(t, dir, "made", "CC-BY-4.0, nobody", "")
	train := func(name string) ([]byte, string) {
		out := filepath.Join(dir, name)
		var shown bytes.Buffer
		args := []string{"--packages", dir, "--on", "made", "--out", out, "--measure", "made", "--folds", "3", "--variance", "1,10", "--first", "20"}
		if err := run(context.Background(), args, &shown, io.Discard); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return file, shown.String()
	}
	first, shown := train("one.model")
	if again, _ := train("two.model"); !bytes.Equal(first, again) {
		t.Error("training twice gives two models")
	}
	for _, want := range []string{"made without its first 20: 4 pages", "made out of 3 folds: 20 pages", "made: 24 pages"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the output lacks %q:\n%s", want, shown)
		}
	}
	p, err := corpus.Read(context.Background(), dir, "made")
	if err != nil {
		t.Fatal(err)
	}
	results, err := corpus.Measure(crf.New(first), p.Documents)
	if err != nil {
		t.Fatal(err)
	}
	f := corpus.Sum(results)
	if _, _, f1 := f.Words(); f1 < .95 {
		t.Errorf("%v on the pages it was trained on", &f)
	}
}

// TestFoldsAndCard: every page is held out of exactly one of the kept models, the
// last of which is the shipped one, and the card has the figures that were shown.
func TestFoldsAndCard(t *testing.T) {
	dir := t.TempDir()
	corpustest.Write(t, dir, "made", "CC-BY-4.0, nobody", "")
	corpustest.Write(t, dir, "other", "none stated", "")
	out, keep, card := filepath.Join(dir, "x.model"), filepath.Join(dir, "folds"), filepath.Join(dir, "card.md")
	var shown bytes.Buffer
	args := []string{"--packages", dir, "--on", "made", "--out", out, "--variance", "1,10", "--folds", "3", "--keep", keep, "--card", card, "--measure", "other"}
	if err := run(context.Background(), args, &shown, io.Discard); err != nil {
		t.Fatal(err)
	}
	corpustest.CheckFolds(t, keep, "made", out, 3)
	text, err := os.ReadFile(card)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Model card: the extractor `crf`\n", "| made | 24 | CC-BY-4.0, nobody | `", "(3 folds)", "\n| all | 24 | ", "\n| other | 24 | ", "## Limits\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the card lacks %q:\n%s", want, text)
		}
	}
	if want := "made out of 3 folds: 24 pages"; !strings.Contains(shown.String(), want) {
		t.Errorf("the output lacks %q:\n%s", want, &shown)
	}
	if err := run(context.Background(), []string{"--packages", dir, "--on", "made", "--out", out, "--card", card}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "--folds") {
		t.Errorf("a card without folds: error %v", err)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	corpustest.Write(t, dir, "held", "CC0", `,"held_out":true`)
	corpustest.Write(t, dir, "closed", "for research use only", "")
	out := filepath.Join(dir, "x")
	f := func(want string, args ...string) {
		t.Helper()
		err := run(context.Background(), append([]string{"--packages", dir}, args...), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", args, err, want)
		}
	}
	f("held out", "--on", "held", "--out", out)
	f("held out", "--on", "held", "--out", out, "--private")
	f("licence", "--on", "closed", "--out", out)
	f("the program ships", "--on", "closed", "--private")
	f("no folder", "--on", "absent", "--out", out)
	f("no number above 0", "--on", "closed", "--private", "--out", out, "--variance", "1,-1")
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused training wrote a model")
	}
	if err := run(context.Background(), []string{"--packages", dir, "--on", "closed", "--private", "--out", out}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}

// made are a few short random sequences over a handful of observations.
func made(random *rand.Rand) (pages []sequence) {
	for range 6 {
		var s sequence
		for range random.IntN(6) {
			for range random.IntN(4) {
				s.observed = append(s.observed, uint16(random.IntN(5)))
			}
			s.ends = append(s.ends, int32(len(s.observed)))
			s.content = append(s.content, random.IntN(2) == 1)
		}
		pages = append(pages, s)
	}
	return pages
}

// slow is the objective by its definition: a sum over all sequences of labels.
func slow(o *objective, x []float64) (value float64) {
	t := x[o.kept:]
	for _, s := range o.pages {
		score := func(label func(i int) bool) (sum float64) {
			from := int32(0)
			for i, end := range s.ends {
				for _, v := range s.observed[from:end] {
					if k := o.index[v]; k >= 0 && label(i) {
						sum += x[k]
					}
				}
				if i > 0 {
					sum += t[pair(label(i-1), label(i))]
				}
				from = end
			}
			return sum
		}
		z := 0.0
		for set := range 1 << len(s.content) {
			z += math.Exp(score(func(i int) bool { return set>>i&1 == 1 }))
		}
		value += math.Log(z) - score(func(i int) bool { return s.content[i] })
	}
	for k, w := range x {
		if k < o.kept {
			value += w * w / (4 * o.variance)
		} else {
			value += w * w / (2 * o.variance)
		}
	}
	return value
}

// TestObjective compares value and gradient with their definitions.
func TestObjective(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		o := objective{pages: made(random), variance: 2}
		o.keep(2)
		x := make([]float64, o.parameters())
		for k := range x {
			x[k] = 2 * random.NormFloat64()
		}
		o.at(x)
		if want := slow(&o, x); math.Abs(o.value-want) > 1e-9*max(1, want) {
			t.Fatalf("value %v, want %v", o.value, want)
		}
		for k := range x {
			const step = 1e-5
			at := x[k]
			x[k] = at + step
			above := slow(&o, x)
			x[k] = at - step
			below := slow(&o, x)
			x[k] = at
			if want := (above - below) / (2 * step); math.Abs(o.gradient[k]-want) > 1e-6 {
				t.Fatalf("derivative %d is %v, want %v", k, o.gradient[k], want)
			}
		}
	}
}

// TestObjectiveOfLargeScores: no score is too large for the exponential function.
func TestObjectiveOfLargeScores(t *testing.T) {
	o := objective{pages: made(rand.New(rand.NewPCG(3, 4))), variance: 10}
	o.keep(1)
	x := make([]float64, o.parameters())
	for k := range o.kept {
		x[k] = 2000 * float64(1-k%2*2)
	}
	o.at(x)
	for k, g := range append(o.gradient, o.value) {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			t.Fatalf("derivative %d is %v", k, g)
		}
	}
}

func TestRareObservationsHaveNoWeight(t *testing.T) {
	o := objective{pages: []sequence{{observed: []uint16{1, 1, 2}}, {observed: []uint16{2, 3}}}}
	o.keep(2)
	if o.kept != 1 || o.index[2] != 0 || o.index[1] != -1 || len(o.index) != chain.Observations {
		t.Errorf("%d parameters, index %v", o.kept, o.index[:5])
	}
}
