package algotest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/page"
)

// Fact checks what holds for every fact, on all Pages: it returns without error, the
// same page has the same values again, on a reused page and whatever was found before,
// values have no number where there should be a text, and nothing that others read is
// changed. A fact of the text is tried on the whole text of the page, and on none.
func Fact(t *testing.T, f *fact.Fact) {
	t.Helper()
	if err := fact.Validate([]*fact.Fact{f}); err != nil {
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
func FindOn(t testing.TB, f *fact.Finder, p *algorithms.Pass, text []byte, headers ...fact.Header) []fact.Value {
	t.Helper()
	s := fact.Subject{Pass: p, Headers: headers, Text: text, Out: make([]fact.Value, len(f.Columns)), Links: new(fact.Links)}
	if err := f.Find(&s); err != nil {
		t.Fatal(err)
	}
	if len(s.Out) != len(f.Columns) {
		t.Fatalf("%d values for %d columns", len(s.Out), len(f.Columns))
	}
	for i, c := range f.Columns {
		v := s.Out[i]
		words := c.Kind == fact.KindText || c.Kind == fact.KindInts
		if !v.Known && v != (fact.Value{}) || words && v.Number != 0 || !words && v.Text != "" ||
			c.Kind == fact.KindBool && v.Number > 1 || c.Kind == fact.KindText && v.Known && v.Text == "" {
			t.Errorf("column %s of kind %s has the value %+v", c.Name, c.Kind, v)
		}
	}
	return s.Out
}

// Show returns the values that are not null as texts by column, for golden tests.
func Show(f *fact.Finder, values []fact.Value) map[string]string {
	shown := map[string]string{}
	for i, c := range f.Columns {
		if values[i].Known {
			shown[c.Name] = showValue(values[i], c.Kind)
		}
	}
	return shown
}

func showValue(v fact.Value, kind string) string {
	switch kind {
	case fact.KindBool:
		return strconv.FormatBool(v.Bool())
	case fact.KindInt:
		return strconv.FormatInt(v.Int(), 10)
	case fact.KindFloat:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case fact.KindHash:
		return fmt.Sprintf("%016x", v.Number)
	case fact.KindInts:
		return fmt.Sprint(v.Ints())
	}
	return v.Text
}
