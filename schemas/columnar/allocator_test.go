package columnar

import (
	"io"
	"runtime"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestMemoryOfLevels writes numbers that are null in every other row. Its memory is that of
// the rows, not that of all levels of a page for each run of them.
func TestMemoryOfLevels(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w, err := NewWriter(Scores, io.Discard, "r", "", PartSize)
	if err != nil {
		t.Fatal(err)
	}
	const rows = 50_000
	for i := range rows {
		row := schemas.ScoreRow{F1: float64(i)}
		if i%20 < 10 { // runs of levels that are repeated and of levels that are not
			row.Reason = []string{"", "no_gold"}[i%2]
		}
		if err := w.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / rows; n > 4000 {
		t.Errorf("%d bytes of memory are asked for per row", n)
	}
}
