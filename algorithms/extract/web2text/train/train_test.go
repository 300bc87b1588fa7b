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

	"github.com/winnow/winnow/algorithms/extract/internal/corpus"
	"github.com/winnow/winnow/algorithms/extract/internal/corpus/corpustest"
	"github.com/winnow/winnow/algorithms/extract/web2text"
	"github.com/winnow/winnow/algorithms/extract/web2text/internal/nets"
)

// TestSameModelAgain trains twice on a package of made pages: the bytes are the
// same, and the model has learned what is content.
func TestSameModelAgain(t *testing.T) {
	dir := t.TempDir()
	corpustest.Write(t, dir, "made", "CC-BY-4.0, nobody", "")
	train := func(name string) ([]byte, string) {
		out := filepath.Join(dir, name)
		var shown bytes.Buffer
		args := []string{"--packages", dir, "--on", "made", "--out", out, "--steps", "20", "--measure", "made", "--folds", "2", "--first", "20"}
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
	for _, want := range []string{"made without its first 20: 4 pages", "made out of 2 folds: 20 pages", "made: 24 pages"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the output lacks %q:\n%s", want, shown)
		}
	}
	p, err := corpus.Read(context.Background(), dir, "made")
	if err != nil {
		t.Fatal(err)
	}
	results, err := corpus.Measure(web2text.New(first), p.Documents)
	if err != nil {
		t.Fatal(err)
	}
	f := corpus.Sum(results)
	if _, _, f1 := f.Words(); f1 < .8 {
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
	args := []string{"--packages", dir, "--on", "made", "--out", out, "--steps", "3", "--folds", "3", "--keep", keep, "--card", card, "--measure", "other"}
	if err := run(context.Background(), args, &shown, io.Discard); err != nil {
		t.Fatal(err)
	}
	corpustest.CheckFolds(t, keep, "made", out, 3)
	text, err := os.ReadFile(card)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Model card: the extractor `web2text`\n", "| made | 24 | CC-BY-4.0, nobody | `", "(3 folds)", "\n| all | 24 | ", "\n| other | 24 | ", "## Limits\n",
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
	f("held out", "--on", "held", "--out", out, "--private")
	f("licence", "--on", "closed", "--out", out)
	f("the program ships", "--on", "closed", "--private")
	f("no folder", "--on", "absent", "--out", out)
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused training wrote a model")
	}
}

// TestGradient compares the gradient of the loss of one window with differences.
func TestGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	shapes := nets.Shapes(6, 4)
	s := edgeSettings
	s.keep = 1
	tr := newTrainer(s, shapes, 5)
	labels := make([]uint8, s.window)
	for i := range labels {
		labels[i] = uint8(random.IntN(4))
	}
	// Larger weights than at the start: the loss is in single precision, and its
	// differences must stand out of the rounding.
	for i := range tr.weights {
		tr.weights[i] = float32(.3 * random.NormFloat64())
	}
	for i := range tr.outputs[0] {
		tr.outputs[0][i] = float32(random.NormFloat64())
	}
	loss := func() float64 {
		tr.drop()
		clear(tr.gradient)
		return tr.windowLoss(labels)
	}
	loss()
	gradient := append([]float32(nil), tr.gradient...)
	far, large := 0, 0
	for range 400 {
		i := random.IntN(len(tr.weights))
		const step = 1e-3
		at := tr.weights[i]
		tr.weights[i] = at + step
		above := loss()
		tr.weights[i] = at - step
		below := loss()
		tr.weights[i] = at
		want := (above - below) / (2 * step)
		if math.Abs(want) > .1 {
			large++
		}
		if math.Abs(float64(gradient[i])-want) > .02*max(1, math.Abs(want)) {
			far++
		}
	}
	// A weight at whose change a channel is cut off has no such difference.
	if far > 8 || large < 40 {
		t.Errorf("%d of 400 derivatives are wrong, %d are large", far, large)
	}
}
