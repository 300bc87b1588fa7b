package score_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// whole selects the whole page, half its first half.
func whole(part int32) func(p *algorithms.Pass) error {
	return func(p *algorithms.Pass) error {
		p.Out.AddSpan(p.Body, page.Span{Start: 0, End: int32(len(p.Body.Text)) / part})
		return nil
	}
}

// aligning are the measures that align texts as their programs do, and have no lower
// bound to fall back on: beyond their number of operations they have no score.
var aligning = []string{"cleaneval", "cleaneval-tm", "cleaneval-evert"}

// Texts of a megabyte are scored by every measure, if only by a lower bound that says
// so, or are too long for one that aligns; and the memory of a driver does not grow
// with their square.
func TestMegabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	text := strings.Join(prose(rand.New(rand.NewPCG(5, 6)), 1<<20), "\n")
	html := "<p>" + strings.ReplaceAll(text, "\n", "</p>\n<p>") + "</p>"
	gold := strings.Replace(text, " ", " and some more words ", 3) // no text is the other's part
	d, err := driver.New(driver.Config{
		Extractors: []*algorithms.Extractor{{Description: algorithms.Description{Name: "whole"}, Run: whole(1)}, {Description: algorithms.Description{Name: "half"}, Run: whole(2)}},
		Scorers:    suite.Scorers(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := d.Page(context.Background(), driver.Input{HTML: []byte(html), Gold: &driver.Gold{Text: gold, With: []string{gold[:40]}}})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	for _, x := range r.Extractions {
		for _, s := range x.Scores {
			if s.Err == "" && s.Score.Reason == algorithms.ReasonTooLong && slices.Contains(aligning, s.Scorer.Name) {
				continue
			}
			if strings.HasPrefix(s.Scorer.Name, "md-") && s.Score.Reason == algorithms.ReasonNoGold {
				continue // the page has no Markdown gold
			}
			if s.Err != "" || s.Score.Reason != algorithms.NoReason && s.Score.Reason != algorithms.ReasonNotDefined {
				t.Errorf("%s of %s: %s %s", s.Scorer.Name, x.Extractor.Name, s.Score.Reason, s.Err)
			}
			if m := s.Score.Method; strings.HasPrefix(m, "anchored") || m == "canonical" || m == "other-subsequence" {
				t.Logf("%s of %s: %s", s.Scorer.Name, x.Extractor.Name, m)
			}
		}
	}
	// A table of a megabyte against a megabyte is 128 GB at a bit a cell.
	if grown := (after.Sys - before.Sys) >> 20; grown > 2000 {
		t.Errorf("%d MB more memory", grown)
	}
	t.Logf("%d MB more memory, %d MB allocated", (after.Sys-before.Sys)>>20, (after.TotalAlloc-before.TotalAlloc)>>20)
}

// TestTooLong checks that no scorer scores a text beyond the bound, and that the row
// gives the reason.
func TestTooLong(t *testing.T) {
	for name, c := range map[string]struct{ html, gold string }{
		"gold":       {"<p>short", strings.Repeat("grain ", 50)},
		"extraction": {"<p>" + strings.Repeat("chaff ", 50), "short"},
	} {
		d, err := driver.New(driver.Config{
			Extractors: []*algorithms.Extractor{{Description: algorithms.Description{Name: "whole"}, Run: whole(1)}},
			Scorers:    suite.Scorers(), ScoreBytes: 100,
		})
		if err != nil {
			t.Fatal(err)
		}
		in := driver.Input{HTML: []byte(c.html), Gold: &driver.Gold{Text: c.gold}}
		r, err := d.Page(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Extractions[0].Scores {
			if want := (algorithms.Score{Reason: algorithms.ReasonTooLong}); s.Score != want {
				t.Errorf("%s too long, %s: %+v, want %+v", name, s.Scorer.Name, s.Score, want)
			}
		}
		in.HTML, in.Gold = []byte("<p>short"), &driver.Gold{Text: "short"} // and the next page is
		if r, err = d.Page(context.Background(), in); err != nil || r.Extractions[0].Scores[0].Score.F1 != 1 {
			t.Errorf("after one that was too long: %+v, %v", r.Extractions[0].Scores[0], err)
		}
	}
}
