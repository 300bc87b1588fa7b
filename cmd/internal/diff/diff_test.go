package diff

import (
	"errors"
	"iter"
	"math"
	"testing"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

func each[T any](rows []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, row := range rows { // like a reader, which uses the row again
			if !yield(&row, nil) {
				return
			}
		}
	}
}

func document(id, outcome, reason string, hash uint64, gold bool) schemas.Document {
	return schemas.Document{Package: "p", DocID: id, Extractor: "x", Outcome: outcome, Reason: reason, TextHash: hash, HasGold: gold}
}

func score(id, scorer, reason string, f1 float64) schemas.ScoreRow {
	return schemas.ScoreRow{Package: "p", DocID: id, Extractor: "x", Scorer: scorer, Reason: reason, F1: f1, Value: 10 * f1}
}

func compared(t *testing.T, a, b *side, pages int) (*Result, error) {
	t.Helper()
	defer a.stop()
	defer b.stop()
	r := &Result{Extractors: []Extractor{{Name: "x", Scores: []Score{{Scorer: "f"}, {Scorer: "v", Lower: true}}}}}
	c := comparison{result: r, pages: pages, at: map[string]int{"x": 0}}
	return r, c.merge(a, b)
}

// TestPagesArePaired is worked out by hand: one page for each way to change, and a
// document that was archived twice in one run and three times in the other, without gold
// for the first copy.
func TestPagesArePaired(t *testing.T) {
	scorers, means := []string{"f", "v"}, map[string]string{"v": "value"}
	a := newSide(scorers, means, each([]schemas.Document{
		document("1-same", "ok", "", 1, true),
		document("2-outcome", "ok", "", 2, true),
		document("3-reason", "failed", "panic", 0, false),
		document("4-twice", "ok", "", 4, false),
		document("4-twice", "ok", "", 5, true),
		document("5-only", "skipped", "no_template", 0, true),
	}), each([]schemas.ScoreRow{
		score("1-same", "f", "", 0.5), score("1-same", "v", "", 0.5),
		score("2-outcome", "f", "", 0.8), score("2-outcome", "v", "", 0.8),
		score("4-twice", "f", "", 0.25), score("4-twice", "v", "", 0.25),
		score("5-only", "f", "no_answer", math.NaN()), score("5-only", "v", "no_answer", math.NaN()),
	}))
	b := newSide(scorers, means, each([]schemas.Document{
		document("0-new", "ok", "", 9, false),
		document("1-same", "ok", "", 1, true),
		document("2-outcome", "failed", "timeout", 0, true),
		document("3-reason", "failed", "timeout", 0, false),
		document("4-twice", "ok", "", 4, false),
		document("4-twice", "ok", "", 6, true),
		document("4-twice", "ok", "", 7, false),
	}), each([]schemas.ScoreRow{
		score("1-same", "f", "", 0.5), score("1-same", "v", "", 0.5),
		score("2-outcome", "f", "no_answer", math.NaN()), score("2-outcome", "v", "no_answer", math.NaN()),
		score("4-twice", "f", "", 0.75), score("4-twice", "v", "", 0.75),
	}))
	r, err := compared(t, a, b, 3)
	if err != nil {
		t.Fatal(err)
	}
	e := &r.Extractors[0]
	if e.Pages != 8 || e.Same != 2 || e.Outcome != 2 || e.Text != 1 || e.OnlyA != 1 || e.OnlyB != 2 || e.Changed() != 0.75 {
		t.Errorf("%+v", *e)
	}
	if len(e.Outcomes) != 2 || e.Outcomes["ok > failed/timeout"] != 1 || e.Outcomes["failed/panic > failed/timeout"] != 1 {
		t.Errorf("%v", e.Outcomes)
	}
	// 0.5 and 0.5, 0.8 and 0 (it failed), 0.25 and 0.75
	if s := &e.Scores[0]; s.Pages != 3 || s.Better != 1 || s.Worse != 1 || s.sumA != 1.55 || s.sumB != 1.25 {
		t.Errorf("%+v", *s)
	}
	// Ten times as much, and less is better.
	if s := &e.Scores[1]; s.Pages != 3 || s.Better != 1 || s.Worse != 1 || s.sumA != 15.5 || s.sumB != 12.5 {
		t.Errorf("%+v", *s)
	}
	if len(r.Pages) != 3 || r.Further != 3 || r.Pages[0].DocID != "0-new" || r.Pages[1].B != "failed/timeout" || r.Pages[2].A != "failed/panic" {
		t.Errorf("%+v, %d more", r.Pages, r.Further)
	}
}

// A table that has scores without documents, or too many of them, was changed by hand.
func TestScoresWithoutDocumentsAreAnError(t *testing.T) {
	documents := []schemas.Document{document("1", "ok", "", 1, true)}
	for _, scores := range [][]schemas.ScoreRow{
		{score("0", "f", "", 1)},
		{score("1", "f", "", 1), score("1", "f", "", 1)},
		{score("2", "f", "", 1)},
	} {
		a := newSide([]string{"f", "v"}, nil, each(documents), each(scores))
		b := newSide([]string{"f", "v"}, nil, each(documents), each[schemas.ScoreRow](nil))
		if _, err := compared(t, a, b, 1); !errors.Is(err, account.ErrConservation) {
			t.Errorf("%+v: %v", scores, err)
		}
	}
}

func TestRegressions(t *testing.T) {
	r := &Result{Extractors: []Extractor{{Name: "x", Pages: 10, Same: 9, Scores: []Score{
		{Scorer: "f", Pages: 9, MeanA: 0.75, MeanB: 0.5},
		{Scorer: "v", Pages: 9, Lower: true, MeanA: 0.75, MeanB: 0.5},
		{Scorer: "none", MeanA: 1},
	}}}}
	for _, x := range []struct {
		fall, changed float64
		want          int
	}{{math.NaN(), math.NaN(), 0}, {0.25, 0.1, 0}, {0.24, 0.1, 1}, {0, 0, 2}, {math.NaN(), 0.09, 1}} {
		if got := r.Regressions(x.fall, x.changed); len(got) != x.want {
			t.Errorf("%v: %q", x, got)
		}
	}
}
