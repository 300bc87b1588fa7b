package algotest

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Fact checks what holds for every fact, on all Pages: it returns without error, the
// same page has the same values again, on a reused page and whatever was found before,
// values have no number where there should be a text, and nothing that others read is
// changed. A fact of the text is tried on the whole text of the page, and on none.
func Fact(t *testing.T, f *algorithms.Fact) {
	t.Helper()
	if err := algorithms.ValidateFacts([]*algorithms.Fact{f}); err != nil {
		t.Fatal(err)
	}
	var reused bench
	for _, p := range slices.Concat(Pages(), Pages()) {
		fresh := Pass(p.HTML)
		sum := columns(fresh.Body)
		reused.page.Parse([]byte(p.HTML), page.Options{})
		reused.pass.Reset(&reused.page, fresh.URL)
		if f.Page != nil {
			want := FindOn(t, f.Page, fresh, nil)
			if again := FindOn(t, f.Page, fresh, nil); !slices.Equal(again, want) {
				t.Errorf("%s on %s: %v, then %v", f.Name, p.Name, want, again)
			}
			if got := FindOn(t, f.Page, &reused.pass, nil); !slices.Equal(got, want) {
				t.Errorf("%s on %s: %v on a reused page, %v on a new one", f.Name, p.Name, got, want)
			}
		}
		for _, text := range [][]byte{fresh.Body.Text, {}} {
			if f.Text == nil {
				break
			}
			want := FindOn(t, f.Text, fresh, text)
			if got := FindOn(t, f.Text, &reused.pass, text); !slices.Equal(got, want) {
				t.Errorf("%s in the text of %s: %v on a reused page, %v on a new one", f.Name, p.Name, got, want)
			}
		}
		if columns(fresh.Body) != sum {
			t.Errorf("%s on %s: it changed the page", f.Name, p.Name)
		}
	}
}

// FindOn returns the values that f finds on the page of p, or in the text of an
// extractor. It checks that each value is of the kind of its column.
func FindOn(t testing.TB, f *algorithms.Finder, p *algorithms.Pass, text []byte, headers ...algorithms.Header) []algorithms.Value {
	t.Helper()
	s := algorithms.Subject{Pass: p, Headers: headers, Text: text, Out: make([]algorithms.Value, len(f.Columns)), Links: new(algorithms.Links)}
	if err := f.Find(&s); err != nil {
		t.Fatal(err)
	}
	if len(s.Out) != len(f.Columns) {
		t.Fatalf("%d values for %d columns", len(s.Out), len(f.Columns))
	}
	for i, c := range f.Columns {
		v := s.Out[i]
		words := c.Kind == algorithms.KindText || c.Kind == algorithms.KindInts
		if !v.Known && v != (algorithms.Value{}) || words && v.Number != 0 || !words && v.Text != "" ||
			c.Kind == algorithms.KindBool && v.Number > 1 || c.Kind == algorithms.KindText && v.Known && v.Text == "" {
			t.Errorf("column %s of kind %s has the value %+v", c.Name, c.Kind, v)
		}
	}
	return s.Out
}

// Show returns the values that are not null as texts by column, for golden tests.
func Show(f *algorithms.Finder, values []algorithms.Value) map[string]string {
	shown := map[string]string{}
	for i, c := range f.Columns {
		if values[i].Known {
			shown[c.Name] = values[i].Show(c.Kind)
		}
	}
	return shown
}
