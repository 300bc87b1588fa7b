package index

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func TestFields(t *testing.T) {
	out := make([]fact.Value, len(columns))
	err := find(&fact.Subject{Out: out, Index: []fact.Header{{Name: "content_languages", Value: "deu,eng"}, {Name: "fetch_status", Value: "200"}, {Name: "other", Value: "x"}}})
	if err != nil || out[0].Text != "deu,eng" || out[1].Known || out[2].Known || out[3].Int() != 200 {
		t.Errorf("%+v, %v", out, err)
	}
	clear(out)
	if find(&fact.Subject{Out: out, Index: []fact.Header{{Name: "fetch_status", Value: "2xx"}}}); out[3].Known {
		t.Errorf("%+v", out[3])
	}
}
