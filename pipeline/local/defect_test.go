package local

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// TestDefectsOfMeasuresAreCounted runs a scorer that panics. Its rows must say so, all
// other rows must be unaffected, and the run must count the defects.
func TestDefectsOfMeasuresAreCounted(t *testing.T) {
	in, out := crawl(t, 9), filepath.Join(t.TempDir(), "out")
	opt := options(out, in, "r")
	broken := &algorithms.Scorer{Description: algorithms.Description{Name: "broken", Fidelity: algorithms.Exact}, Score: func(t *algorithms.Trial) algorithms.Score {
		if strings.Contains(string(t.Text), "page 3 on") {
			panic("no page 3")
		}
		return algorithms.Score{Precision: 1, Recall: 1, F1: 1}
	}}
	opt.Extract.Scorers = append(opt.Extract.Scorers, broken)
	opt.Plan.Recipe.Scorers = append(opt.Plan.Recipe.Scorers, schemas.Method{Name: "broken", Base: "broken", Fidelity: string(algorithms.Exact)})
	sum := run(t, opt)
	if sum.Unmade != 4 { // page 3 of two archives, of which justext selects nothing
		t.Errorf("%d scores are unmade, want 4", sum.Unmade)
	}
	store, m := finished(t, out)
	reasons := map[string]int{}
	for _, f := range m.FilesOf(schemas.TableScores) {
		each(t, store, f, columnar.Scores, func(r *schemas.ScoreRow) { reasons[r.Scorer+" "+r.Reason]++ })
	}
	// 6 of 18 pages have gold, and only these are scored.
	if want := map[string]int{"vec ": 18, "broken ": 14, "broken panic": 4}; !maps.Equal(reasons, want) {
		t.Errorf("%v, want %v", reasons, want)
	}
	var text strings.Builder
	if err := sum.Table(&text, 0, stats.Columns); err != nil || !strings.Contains(text.String(), "; 4 scores missing by a defect of") {
		t.Errorf("%v: %s", err, text.String())
	}
}
