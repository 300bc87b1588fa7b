package extract

import (
	"reflect"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
)

func TestRunningMeans(t *testing.T) {
	bte, plain := &algorithms.Extractor{Description: algorithms.Description{Name: "bte"}}, &algorithms.Extractor{Description: algorithms.Description{Name: "plain"}}
	cost := &algorithms.Scorer{Description: algorithms.Description{Name: "cost"}, Mean: algorithms.MeanValue}
	str, vec := &algorithms.Scorer{Description: algorithms.Description{Name: "str"}, Mean: algorithms.MacroF1}, &algorithms.Scorer{Description: algorithms.Description{Name: "vec"}, Mean: algorithms.MacroF1}
	// one is an extraction with its scores by the three scorers. The gold has no text that
	// str can read.
	one := func(e *algorithms.Extractor, outcome algorithms.Outcome, reason algorithms.Reason, f1 float64) driver.Extraction {
		return driver.Extraction{Extractor: e, Outcome: outcome, Scores: []driver.Scored{
			{Scorer: cost, Score: algorithms.Score{Value: 7}}, {Scorer: str, Score: algorithms.Score{Reason: algorithms.ReasonNoGold}},
			{Scorer: vec, Score: algorithms.Score{Reason: reason, F1: f1}}}}
	}
	var running Running
	first := runningTally{running: &running}
	oracle := &algorithms.Extractor{Description: algorithms.Description{Name: "oracle"}, Oracle: true}
	first.page([]driver.Extraction{one(oracle, algorithms.OK, "", 1), one(bte, algorithms.OK, "", .5), one(plain, algorithms.OK, "", .25)})
	first.page([]driver.Extraction{one(bte, algorithms.OK, "", 1), one(plain, algorithms.Failed, algorithms.ReasonNoAnswer, 0)})
	first.page([]driver.Extraction{one(bte, algorithms.Skipped, algorithms.ReasonNoAnswer, 0), one(plain, algorithms.Failed, algorithms.ReasonNoGold, 0)})
	want := []MeanF1{{"bte", .75}, {"plain", .125}}
	check := func(what string) {
		t.Helper()
		if scorer, means := running.Means([]string{"cost", "str", "vec"}); scorer != "vec" || !reflect.DeepEqual(means, want) {
			t.Errorf("%s: by %s: %v, want %v", what, scorer, means, want)
		}
	}
	check("two pages")
	// The pages of an attempt that failed do not count.
	second := runningTally{running: &running}
	second.page([]driver.Extraction{one(bte, algorithms.OK, "", .1), one(plain, algorithms.OK, "", .7)})
	second.undo()
	check("after an attempt that failed")
	if scorer, means := new(Running).Means([]string{"vec"}); scorer != "" || means != nil {
		t.Errorf("without gold: %s %v", scorer, means)
	}
	new(runningTally).page(nil) // nobody reads it
	new(runningTally).undo()
}
