package worker

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

func TestReading(t *testing.T) {
	for _, c := range []struct {
		hidden, words string
		want          schemas.Reading
		opt           page.Options
	}{
		{"", "", schemas.Reading{}, page.Options{}},
		{HiddenSkip, WordsScript, schemas.Reading{}, page.Options{}},
		{HiddenShow, "", schemas.Reading{Hidden: "show"}, page.Options{ShowHidden: true}},
		{"", WordsSpace, schemas.Reading{Words: "space"}, page.Options{Words: page.WordsBySpace}},
	} {
		got, err := Reading(c.hidden, c.words)
		if err != nil || got != c.want {
			t.Errorf("%q, %q: %+v, %v", c.hidden, c.words, got, err)
		}
		if opt, err := PageOptions(got); err != nil || opt != c.opt {
			t.Errorf("%+v: %+v, %v", got, opt, err)
		}
	}
	for _, r := range []schemas.Reading{{Hidden: "x"}, {Words: "x"}} {
		if _, err := PageOptions(r); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}
