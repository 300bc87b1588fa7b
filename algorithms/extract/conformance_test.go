package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// groups are the words of the conformance page, in document order.
var groups = [...]string{"nav", "title", "one", "two", "lnk", "tri", "side", "foot"}

type counts [len(groups)]int

// conformance is the table "words selected" of the definitions. A method that is
// not of them needs no row: its golden cases say what it selects. The families
// boilerpipe, unfluff and justext have conformance pages of their own.
var conformance = []struct {
	names string
	words counts
}{
	{"plain", counts{16, 3, 60, 40, 2, 8, 16, 7}},
	{"bte", counts{0, 3, 60, 40, 2, 8, 0, 0}},
	{"dsc", counts{0, 3, 60, 40, 2, 7, 0, 0}},
	{"lqf-25 lqf-50 lqf-75", counts{0, 3, 60, 40, 2, 8, 1, 7}},
	{"crunch", counts{0, 3, 60, 40, 0, 8, 1, 6}},
	{"ccb accb", counts{0, 0, 59, 40, 2, 2, 0, 0}},
	{"tccb", counts{0, 0, 55, 39, 2, 0, 0, 0}},
	{"density", counts{0, 0, 60, 40, 2, 0, 0, 0}},
	{"fe", counts{0, 0, 60, 0, 0, 0, 0, 0}},
	{"k-fe", counts{0, 0, 60, 40, 2, 8, 0, 7}},
	{"cetr", counts{6, 3, 60, 40, 2, 8, 1, 0}},
	{"cetr-km", counts{0, 3, 60, 40, 2, 8, 1, 0}},
	{"cetr-tm", counts{0, 3, 60, 40, 2, 8, 0, 0}},
	{"cetd-ds cectd-ds cehtd-ds", counts{0, 3, 60, 40, 2, 8, 0, 7}},
	{"cectd-s", counts{2, 3, 60, 40, 2, 8, 0, 7}},
	{"wlr", counts{0, 0, 60, 0, 0, 0, 0, 0}},
	{"menex", counts{0, 3, 60, 40, 2, 8, 0, 7}},
	{"alarte-silva alarte-silva-third", counts{0, 0, 60, 0, 0, 0, 0, 0}},
}

func TestConformance(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(algotest.Conformance()), page.Options{})
	var pass algorithms.Pass
	for _, c := range conformance {
		for _, name := range strings.Fields(c.names) {
			t.Run(name, func(t *testing.T) {
				e := find(t, name)
				pass.Reset(&pg, "")
				if err := e.Run(&pass); err != nil {
					t.Fatal(err)
				}
				if err := pass.Out.Validate(pass.Body); err != nil {
					t.Fatal(err)
				}
				got := countWords(t, string(pass.Out.AppendText(nil, pass.Body)))
				if got != c.words {
					t.Errorf("words of %v\n got %v\nwant %v", groups, got, c.words)
				}
			})
		}
	}
}

func find(t testing.TB, name string) *algorithms.Extractor {
	t.Helper()
	for _, e := range suite.Extractors() {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("suite: no extractor %s", name)
	return nil
}

func countWords(t *testing.T, text string) (n counts) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		i := slices.Index(groups[:], word)
		if i < 0 {
			t.Fatalf("word %q is not of the page", word)
		}
		n[i]++
	}
	return n
}
