package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/eval/corpus/corpustest"
	"github.com/winnow/winnow/pipeline/source/gold"
)

func TestLabels(t *testing.T) {
	var r Reader
	d := &Document{
		HTML: []byte("<body><p>menu here</p><p>The cat sat on the mat.</p><p>It was <b>a very</b> large mat, or so one of the others says</p><p>...</p>"),
		Gold: "The cat sat on the mat.\nIt was a very large mat",
	}
	b := r.Parse(d).Body()
	var rows []page.Row
	for row, f := range b.Flags {
		if f&page.IsText != 0 {
			rows = append(rows, page.Row(row))
		}
	}
	labels, coverage := r.Labels(d, rows)
	if got, want := fmt.Sprint(labels, coverage), "[false true true true false false] 1"; got != want {
		t.Errorf("labels %s, want %s", got, want)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	corpustest.Write(t, dir, "made", "CC0", "")
	for file, text := range map[string]string{"03.json": `{"defect":"cut"}`, "04.json": `{"gold_missing":true}`, "05.html": `<text id="x"><p>inner</p></text>`} {
		if err := os.WriteFile(filepath.Join(dir, "made", file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(context.Background(), dir, "made")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Documents) != 22 || p.Documents[3].ID != "05" || string(p.Documents[3].HTML) != "<p>inner</p>" {
		t.Errorf("%d documents, the fourth %s %q", len(p.Documents), p.Documents[3].ID, p.Documents[3].HTML)
	}
	// Documents 0 and 1 are from one site.
	if a, b := p.Documents[0].Fold(1<<30), p.Documents[1].Fold(1<<30); a != b || a == p.Documents[2].Fold(1<<30) {
		t.Errorf("folds %d %d %d, want those of one domain alone equal", a, b, p.Documents[2].Fold(1<<30))
	}
	if Digest(p.Documents) == Digest(p.Documents[1:]) {
		t.Error("a package without its first page has the same digest")
	}
	if _, err := Read(context.Background(), dir, "absent"); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("an absent package: %v", err)
	}
}

func TestWhatMayBeTrainedOn(t *testing.T) {
	for licence, want := range map[string]bool{"CC-BY-4.0 (annotations)": true, "apache-2.0": true, "CC-BY-NC-4.0": false, "none stated": false, "": false, "AGPL-3.0": false} {
		if err := MayShip(gold.Info{License: licence}); (err == nil) != want {
			t.Errorf("licence %q: %v", licence, err)
		}
	}
	if MayTrain(gold.Info{HeldOut: true}) == nil || MayTrain(gold.Info{}) != nil {
		t.Error("a package is trained on if and only if it is not held out")
	}
}

func TestMeasure(t *testing.T) {
	all := &algorithms.Extractor{Description: algorithms.Description{Name: "all"}, Run: func(p *algorithms.Pass) error { p.Out.AddRow(p.Body, 0); return nil }}
	results, err := Measure(all, []*Document{{HTML: []byte("<p>one two<p>three four<p>five six<p>seven"), Gold: "one two\nthree four"}})
	if err != nil {
		t.Fatal(err)
	}
	f := Sum(results)
	a, p, r, f1 := f.Blocks()
	_, _, words := f.Words()
	if got, want := fmt.Sprintf("%.3f %.3f %.3f %.3f %.3f", a, p, r, f1, words), "0.500 0.500 1.000 0.667 0.727"; got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
	large := &algorithms.Extractor{Description: algorithms.Description{Name: "large"}, Run: func(p *algorithms.Pass) error { return algorithms.ErrPageTooLarge }}
	if results, err = Measure(large, []*Document{{HTML: []byte("<p>one"), Gold: "one"}}); err != nil || !results[0].Skipped || !results[0].Empty || results[0].F1 != 0 {
		t.Errorf("a page that is skipped: %+v, %v", results, err)
	}
}
