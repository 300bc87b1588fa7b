package overview

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// The page lists the pages for which an extractor expects the worst answers, for each
// extractor with an estimate, even if it is the only extractor of the run. Names and
// URLs are shown as text.
func TestPagesOfLeastConfidence(t *testing.T) {
	f := newFolder(t, schemas.Method{}, "learned")
	f.confidence = func(extractor, id string) float64 {
		switch {
		case id == "failed":
			return math.NaN()
		case extractor == "learned":
			return float64(len(id)) / 10
		}
		return math.NaN()
	}
	for i := range 9 {
		f.page("news", strings.Repeat("x", 9-i), "", math.NaN())
	}
	f.page("news", "failed", "", math.NaN())
	_, text := made(t, f.finish(), Options{Pages: 3})
	at := 0
	for i := range 3 {
		row := fmt.Sprintf("%[2]s news %.3[1]f 10 000 http://%[2]s.example/<script>alert(1)", float64(i+1)/10, strings.Repeat("x", i+1))
		next := strings.Index(text, row)
		if next < at {
			t.Errorf("no %q behind place %d of %q", row, at, text)
		}
		at = next
	}
	for _, want := range []string{"its mean over all pages is 0.500.", "6 more are in the documents table, column confidence."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(text, "xxxx news 0.4") {
		t.Error("more pages than asked for")
	}
	if _, text := made(t, f, Options{Rows: 1}); !strings.Contains(text, "'winnow report --table confidence' lists the pages of least confidence") {
		t.Error("a run that is too large does not say where these pages are")
	}
	silent := newFolder(t, schemas.Method{}, "plain")
	silent.page("news", "a", "", math.NaN())
	if _, text := made(t, silent.finish(), Options{}); strings.Contains(text, "Least confidence") {
		t.Error("pages of least confidence, though no extractor tells its confidence")
	}
}
