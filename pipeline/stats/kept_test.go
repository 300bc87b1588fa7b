package stats

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestKept follows the rows of a run without gold to the text of its summary. However the
// rows are divided among tallies, the counts are the same.
func TestKept(t *testing.T) {
	m := &schemas.Manifest{Run: schemas.Run{Recipe: schemas.Recipe{
		Extractors: []schemas.Method{{Name: "bte"}, {Name: "plain"}, {Name: "winnow"}}, Scorers: []schemas.Method{{Name: "vec"}},
		Facts: []schemas.Fact{
			{Name: "language", Pages: []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}}},
			{Name: "quality", Documents: []schemas.FactColumn{{Name: "stop_words", Kind: schemas.FactInt}, {Name: "words", Kind: schemas.FactInt}}},
		},
	}}}
	r := &m.Run.Recipe
	if facts := KeptFacts(r); len(facts) != 1 || facts[0].Name != "words" {
		t.Fatalf("facts %v", facts)
	}
	whole, parts := NewKeptTally(r), []*KeptTally{NewKeptTally(r), NewKeptTally(r)}
	tally := NewTally(m)
	page := 0
	add := func(language, outcome string, chars, words int64, confidence float64) {
		page++
		for _, extractor := range []string{"bte", "plain", "winnow"} {
			d := &schemas.Document{Package: "p", DocID: string(rune('a' + page)), Extractor: extractor, Outcome: outcome, TextChars: chars, HTMLBytes: 1000, Confidence: confidence, ExtractNS: 1e4, Facts: []schemas.Value{schemas.Value{Known: true, Number: uint64(words)}}}
			if extractor != "winnow" {
				d.Confidence = math.NaN()
			}
			row := Document{d, &schemas.Page{Facts: []schemas.Value{{Known: true, Text: language}}}}
			whole.Add(row)
			parts[page%2].Add(row)
			tally.document(row.Document, row.Page)
		}
	}
	add("en", "ok", 100, 20, 0.9)
	add("de", "ok", 50, 8, 0.7)
	add("de", "ok", 70, 12, 0.8)
	add("", "ok", 30, 4, 0.2)
	add("fr", "empty", 0, 0, 0.4)
	add("fr", "failed", 0, 0, math.NaN())

	s := NewSummary(m, tally.rows("r", nil))
	s.Texts = whole.Summaries()
	parts[0].Merge(parts[1])
	if got := parts[0].Summaries(); !reflect.DeepEqual(got, s.Texts) {
		t.Errorf("merged %+v, want %+v", got, s.Texts)
	}
	var text strings.Builder
	if err := s.Table(&text, 0, Columns); err != nil {
		t.Fatal(err)
	}
	want := `Both extractors found main content on 4 of 6 pages.
extractor  pages  with text  failures  words  characters  confidence  MB/s
winnow         6          4         1     44         250       0.600   100
bte            6          4         1     44         250           -   100
plain          6          4         1     44         250           -   100
languages of the texts of winnow: de 2, en 1
no page has gold: nothing was scored
0 records: 0 pages, 0 no pages, 0 refused
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}

	// Columns that would make the line longer than the width are left out.
	s.Texts[0].Extractor = strings.Repeat("n", 100)
	text.Reset()
	if err := s.Table(&text, 0, Columns); err != nil || !strings.Contains(text.String(), "with text  failures  MB/s\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestKeptBy(t *testing.T) {
	for want, names := range map[string]string{"winnow": "bte plain winnow", "bte": "plain bte density", "plain": "plain"} {
		var r schemas.Recipe
		for name := range strings.FieldsSeq(names) {
			r.Extractors = append(r.Extractors, schemas.Method{Name: name})
		}
		if got := KeptBy(&r); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}
