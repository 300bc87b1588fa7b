package overview

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// A crawl without gold tells what was kept, of which sites, how long it is, what is
// double, and what the filter left out; and shows pages before and after.
func TestWhatWasKept(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "plain", "winnow")
	f.m.Run.Recipe.Keep = "text_chars > 10"
	f.confidence = func(extractor, id string) float64 {
		if extractor == "plain" {
			return math.NaN()
		}
		return 0.75
	}
	for i := range 12 {
		f.page("crawl", fmt.Sprintf("d%02d", i), "", 0.5)
		f.pages[i].Site = []string{"a.example", hostile}[i/10]
	}
	for i := range f.documents {
		d := &f.documents[i]
		if d.Extractor == "plain" {
			continue
		}
		d.TextChars, d.TextHash, d.Kept = 1000, uint64(i), schemas.Yes
		switch i / 2 {
		case 0:
			d.Kept, d.LeftOutBy = schemas.No, "clause 1"
		case 3:
			d.Outcome, d.TextChars, d.Kept = "empty", 0, schemas.Unknown
		}
	}
	f.documents[3].TextHash = f.documents[5].TextHash
	f.finish()
	_, text := made(t, f, Options{})
	for _, want := range []string{
		"winnow found text on 11 of 12 pages (91.7 %), of which the filter left 1 out.",
		"median 1 00", "0.1 characters for a byte of HTML.", "It expects a word F1 of 0.750.", "1 of 11 texts are the same as that of an earlier page.",
		"a.example 10 9 1 1 0 0 1 000 0.100 0.750", "if the run writes texts",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if kept, board := strings.Index(text, "winnow found text"), strings.Index(text, "More columns"); kept > board {
		t.Error("what was kept does not come first")
	}

	var texts []schemas.Text
	for i := range f.documents {
		d := &f.documents[i]
		texts = append(texts, schemas.Text{Package: d.Package, DocID: d.DocID, Extractor: d.Extractor, Form: schemas.FormText, Text: d.Extractor + " of " + d.DocID + hostile + strings.Repeat(" word", 1000)})
	}
	f.m.Parts[0].Files = append(f.m.Parts[0].Files, writeTo(f, schemas.PartName(schemas.TableTexts, 0, 1)+".parquet", columnar.Texts, texts))
	again := &folder{t: t, store: f.store, m: f.m}
	again.publish()
	page, text := made(t, again, Options{})
	if n := strings.Count(page, `class="sample"`); n != 10 {
		t.Errorf("%d samples, want 10", n)
	}
	if !strings.Contains(text, "Whole text. plain of d") || !strings.Contains(text, "Kept by winnow. winnow of d") || len(page) > 200_000 {
		t.Errorf("samples are not side by side, or too long: %d bytes", len(page))
	}
}
