package main

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestSitesShareTheirPages checks that if two site-level extractors answer pages {1,2}
// and {2,3}, all extractors are compared on page 2.
func TestSitesShareTheirPages(t *testing.T) {
	c := &comparison{trials: map[string]map[string]*trial{}, site: map[string]bool{"temex": true, "iwptd": true}}
	for _, d := range []schemas.Document{
		{DocID: "1", Extractor: "temex", Outcome: "ok", ExtractNS: 3e6},
		{DocID: "2", Extractor: "temex", Outcome: "empty", ExtractNS: 1e6},
		{DocID: "3", Extractor: "temex", Outcome: "skipped", Reason: "too_few_pages"},
		{DocID: "1", Extractor: "iwptd:phi=20", Outcome: "skipped", Reason: "no_template"},
		{DocID: "2", Extractor: "iwptd:phi=20", Outcome: "ok"},
		{DocID: "3", Extractor: "iwptd:phi=20", Outcome: "ok"},
		{DocID: "1", Extractor: "bte", Outcome: "ok"}, {DocID: "2", Extractor: "bte", Outcome: "ok"}, {DocID: "3", Extractor: "bte", Outcome: "ok"},
	} {
		d.Package = "p"
		c.document(&d)
	}
	for _, s := range []schemas.ScoreRow{
		{DocID: "1", Extractor: "temex", F1: 1}, {DocID: "2", Extractor: "temex", F1: 0.25}, {DocID: "3", Extractor: "temex", Reason: "no_answer"},
		{DocID: "2", Extractor: "iwptd:phi=20", F1: 0.75}, {DocID: "3", Extractor: "iwptd:phi=20", F1: 0},
		{DocID: "1", Extractor: "bte", F1: 0.1}, {DocID: "2", Extractor: "bte", F1: 0.5}, {DocID: "3", Extractor: "bte", F1: 0.1},
	} {
		s.Package, s.Scorer = "p", "vec"
		c.score(&s)
	}
	var b strings.Builder
	c.write(&b)
	want := `
### p: 1 of 3 pages

| extractor | scope | coverage | ` + "`vec` | `words` | `nodes` | `block-f` | `word-f`" + ` | ms/page | no answer |
|---|---|--:|--:|--:|--:|--:|--:|--:|---|
| ` + "`iwptd:phi=20`" + ` | site | 67 % | 75.0 | | | | | 0.00 | no_template 1 |
| ` + "`bte`" + ` | page | 100 % | 50.0 | | | | | 0.00 |  |
| ` + "`temex`" + ` | site | 67 % | 25.0 | | | | | 2.00 | too_few_pages 1 |
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
