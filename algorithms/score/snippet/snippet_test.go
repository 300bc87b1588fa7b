package snippet

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms"
)

func TestSnippet(t *testing.T) {
	const text = "The harvest was late.\n It rained for days."
	f := func(with, without []string, want algorithms.Score) {
		t.Helper()
		var g algorithms.Gold
		g.Reset()
		g.With, g.Without = with, without
		var trial algorithms.Trial
		trial.Reset(&g, []byte(text), nil, false)
		got := Snippet.Score(&trial)
		for _, x := range []*float64{&got.Precision, &got.Recall, &got.F1, &got.Value} {
			*x = math.Round(*x*1e6) / 1e6
		}
		if got != want {
			t.Errorf("with %q without %q:\n got  %+v\n want %+v", with, without, got, want)
		}
	}
	f([]string{"harvest was", "late. It", "sun"}, []string{"rained", "Imprint"}, algorithms.Score{
		Common: 2, Extracted: 3, Gold: 3, Universe: 5, Precision: 0.666667, Recall: 0.666667, F1: 0.666667, Value: 0.6})
	f([]string{"the harvest"}, nil, algorithms.Score{Gold: 1, Universe: 1, PUndefined: true}) // case counts
	f(nil, []string{"Imprint"}, algorithms.Score{Universe: 1, Value: 1, PUndefined: true, RUndefined: true})
	f(nil, nil, algorithms.Score{Reason: algorithms.ReasonNoGold})
	f([]string{"a", "a "}, nil, algorithms.Score{Reason: algorithms.ReasonNotDefined})
	f([]string{"some harvest"}, []string{"harvest"}, algorithms.Score{Reason: algorithms.ReasonNotDefined})
}
