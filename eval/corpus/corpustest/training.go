package corpustest

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Command is a command that trains an extractor, with what its tests need to know. The
// command must have the flags of corpus.Training.
type Command struct {
	Name  string // name of the extractor
	Run   func(ctx context.Context, args []string, stdout, stderr io.Writer) error
	Quick []string // flags with which training takes a moment
}

func (c *Command) train(dir string, stdout io.Writer, args ...string) error {
	return c.Run(context.Background(), append([]string{"--packages", dir}, args...), stdout, io.Discard)
}

// CheckSameModel trains twice on a generated package. Both models must have the same
// bytes, and the mean word F1 on the pages of the package must be at least least. flags
// are added to the quick ones.
func (c *Command) CheckSameModel(t *testing.T, least float64, flags ...string) {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, "made", "CC-BY-4.0, nobody", "")
	train := func(name string) ([]byte, string) {
		out := filepath.Join(dir, name)
		var shown bytes.Buffer
		args := append([]string{"--on", "made", "--out", out, "--measure", "made", "--folds", "2", "--first", "20"}, c.Quick...)
		if err := c.train(dir, &shown, append(args, flags...)...); err != nil {
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
	figure := wordF1.FindStringSubmatch(shown)
	if figure == nil {
		t.Fatalf("the output lacks the word F1 of all pages:\n%s", shown)
	}
	if f1, err := strconv.ParseFloat(figure[1], 64); err != nil || f1 < least {
		t.Errorf("word F1 %s on the pages of the package, want at least %g", figure[1], least)
	}
}

// wordF1 finds the figure that a command prints for the package made.
var wordF1 = regexp.MustCompile(`(?m)^made: 24 pages, .*word F1 ([0-9.]+)$`)

// CheckCardOfFolds trains with three folds. Every page must be held out of exactly one of
// the kept models, the last of which must be the shipped one, and the model card must
// have the figures that were printed.
func (c *Command) CheckCardOfFolds(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, "made", "CC-BY-4.0, nobody", "")
	Write(t, dir, "other", "none stated", "")
	out, keep, card := filepath.Join(dir, "x.model"), filepath.Join(dir, "folds"), filepath.Join(dir, "card.md")
	var shown bytes.Buffer
	args := append([]string{"--on", "made", "--out", out, "--folds", "3", "--keep", keep, "--card", card, "--measure", "other"}, c.Quick...)
	if err := c.train(dir, &shown, args...); err != nil {
		t.Fatal(err)
	}
	CheckFolds(t, keep, "made", out, 3)
	text, err := os.ReadFile(card)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Model card: the extractor `" + c.Name + "`\n", "| made | 24 | CC-BY-4.0, nobody | `", "(3 folds)", "\n| all | 24 | ", "\n| other | 24 | ", "## Limits\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the card lacks %q:\n%s", want, text)
		}
	}
	if want := "made out of 3 folds: 24 pages"; !strings.Contains(shown.String(), want) {
		t.Errorf("the output lacks %q:\n%s", want, &shown)
	}
	if err := c.train(dir, io.Discard, "--on", "made", "--out", out, "--card", card); err == nil || !strings.Contains(err.Error(), "--folds") {
		t.Errorf("a card without folds: error %v", err)
	}
}

// CheckRefusals checks that the command refuses packages that are absent, held out or
// not licensed for a model that is shipped, and that it writes no model then. further
// maps a part of the expected error to flags for a package that may be used privately.
func (c *Command) CheckRefusals(t *testing.T, further map[string][]string) {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, "held", "CC0", `,"held_out":true`)
	Write(t, dir, "closed", "for research use only", "")
	out := filepath.Join(dir, "x")
	f := func(want string, args ...string) {
		t.Helper()
		if err := c.train(dir, io.Discard, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", args, err, want)
		}
	}
	f("held out", "--on", "held", "--out", out)
	f("held out", "--on", "held", "--out", out, "--private")
	f("licence", "--on", "closed", "--out", out)
	f("the program ships", "--on", "closed", "--private")
	f("no folder", "--on", "absent", "--out", out)
	for want, flags := range further {
		f(want, append([]string{"--on", "closed", "--private", "--out", out}, flags...)...)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused training wrote a model")
	}
	if err := c.train(dir, io.Discard, append([]string{"--on", "closed", "--private", "--out", out}, c.Quick...)...); err != nil {
		t.Error(err)
	}
}
