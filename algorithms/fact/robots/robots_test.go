package robots

import (
	"maps"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func TestRobots(t *testing.T) {
	for _, c := range []struct {
		site *fact.Site
		want map[string]string
	}{
		{nil, map[string]string{}},
		{&fact.Site{}, map[string]string{}},
		{&fact.Site{Allowed: []string{"a", "b"}, Disallowed: []string{"c"}}, map[string]string{"robots_allows": "a,b", "robots_disallows": "c"}},
	} {
		out := make([]fact.Value, len(columns))
		if err := Fact.Page.Find(&fact.Subject{Pass: algotest.Pass("<p>x"), Site: c.site, Out: out}); err != nil {
			t.Fatal(err)
		}
		if got := algotest.Show(Fact.Page, out); !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.site, got, c.want)
		}
	}
}
