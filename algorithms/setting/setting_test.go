package setting

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

type tuneParams struct {
	Count int
	Ratio float64
	Deep  bool
	Hosts []string
	Order string
}

func (p *tuneParams) settings() []Setting {
	return []Setting{
		Int("c", &p.Count, 1, 9, "count"),
		Float("tr", &p.Ratio, 0, 2, "ratio"),
		Bool("deep", &p.Deep, "switch"),
		Words("hosts", &p.Hosts, "list"),
		Choice("order", &p.Order, "one of two", "up", "down"),
	}
}

func newTuned(p tuneParams) *algorithms.Extractor {
	e := &algorithms.Extractor{Description: algorithms.Description{Name: "tuned"}}
	return Tune(e, p, (*tuneParams).settings, newTuned)
}

func TestTuneSetsACopy(t *testing.T) {
	e := newTuned(tuneParams{Count: 3, Ratio: 1.5, Order: "up"})
	f, err := e.With(map[string]string{"c": "4", "tr": "0.25", "deep": "true", "hosts": "b.example a.example b.example", "order": "down"})
	if err != nil {
		t.Fatal(err)
	}
	want := func(e *algorithms.Extractor, values ...string) {
		t.Helper()
		if len(e.Params) != len(values) {
			t.Fatalf("%d params, want %d", len(e.Params), len(values))
		}
		for i, v := range values {
			if e.Params[i].Value != v {
				t.Errorf("%s = %q, want %q", e.Params[i].Name, e.Params[i].Value, v)
			}
		}
	}
	want(f, "4", "0.25", "true", "a.example b.example", "down")
	want(e, "3", "1.5", "false", "", "up")

	g, err := f.With(map[string]string{"tr": "2"}) // settings add up
	if err != nil {
		t.Fatal(err)
	}
	want(g, "4", "2", "true", "a.example b.example", "down")
}

func TestTuneRefuses(t *testing.T) {
	e := newTuned(tuneParams{})
	for _, c := range []struct{ name, value, want string }{
		{"x", "1", `tuned: no setting "x", there are: c, tr, deep, hosts, order`},
		{"c", "10", `setting c="10": impossible value, want a whole number from 1 to 9`},
		{"c", "1.5", `want a whole number`},
		{"tr", "NaN", `want a number from 0 to 2`},
		{"tr", "-0.1", `want a number from 0 to 2`},
		{"deep", "perhaps", `want true or false`},
		{"order", "left", `want one of up, down`},
	} {
		_, err := e.With(map[string]string{c.name: c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: error %v, want %q in it", c.name, c.value, err, c.want)
		}
	}
}
