package schemas

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestGoldRoundTrip(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, g := range []Gold{
		{Version: GoldVersion, Package: "p", ID: "1", Text: nil},
		{Version: GoldVersion, Package: "p", ID: "2", Text: text("")},
		{
			Version: GoldVersion, Package: "p", ID: "3", URL: "http://a.example/", Text: text("One <b>\ntwo"),
			HTML: "<p class=x-nc-sel2>One</p>", With: []string{"One"}, Without: []string{"Home"},
			PageType: "article", Language: "en", Title: "T",
			Meta: map[string]json.RawMessage{"label_words": json.RawMessage(`{"sel1":3}`)},
		},
		{Version: GoldVersion, Package: "p", ID: "4", With: []string{"One"}},
		{Version: GoldVersion, Package: "p", ID: "5", Without: []string{"Home"}},
	} {
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeGold(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if !reflect.DeepEqual(*back, g) {
			t.Errorf("got %+v, want %+v", *back, g)
		}
		if want := back.ID != "1"; back.Known() != want {
			t.Errorf("%s: Known is %v", data, back.Known())
		}
		if want := back.ID == "4" || back.ID == "5"; back.SnippetsOnly() != want {
			t.Errorf("%s: SnippetsOnly is %v", data, back.SnippetsOnly())
		}
	}
}

func TestDecodeGoldRefuses(t *testing.T) {
	for line, want := range map[string]string{
		`{"version":1,"id":"x"}`:                "no text field",
		`{"version":-1,"id":"x","text":"a"}`:    "version -1",
		`{"version":99,"id":"x","text":"a"}`:    "version 99",
		`{"version":1,"id":"x","text":["a"]}`:   "schemas: gold",
		`{"version":1,"id":"x","text":"a"`:      "schemas: gold",
		`[]`:                                    "schemas: gold",
		`{"package":"(all)","text":"a"}`:        "reserved for totals",
		`{"version":1,"id":7,"text":"a","z":1}`: "schemas: gold",
	} {
		if _, err := DecodeGold([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
	// Side files are written by hand: no version is the first.
	if g, err := DecodeGold([]byte(`{"url":"http://a.example/","text":"a"}`)); err != nil || g.Version != 1 {
		t.Error(g, err)
	}
	// A text is known whatever its characters are, and unknown if it is null, even last.
	for line, want := range map[string]*string{
		`{"text":"\u00ff"}`:        new("ÿ"),
		"{\"text\":\"\xff\"}":      new("\ufffd"),
		`{"text":""}`:              new(""),
		`{"text":null}`:            nil,
		`{"text":"a","text":null}`: nil,
		`{"text":null,"text":"a"}`: new("a"),
	} {
		g, err := DecodeGold([]byte(line))
		if err != nil || (g.Text == nil) != (want == nil) || want != nil && *g.Text != *want {
			t.Errorf("%q: %+v, %v", line, g, err)
		}
	}
	// Fields of a later minor addition do not break an older reader.
	if _, err := DecodeGold([]byte(`{"version":1,"id":"x","text":null,"later":[1,2]}`)); err != nil {
		t.Error(err)
	}
}
