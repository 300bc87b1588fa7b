package request

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas"
)

// Runs that are begun at the same time do not take each other for the same run.
func TestDefaultIDsAreUniqueAndSortByTime(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	seen := map[string]bool{}
	for range 100 {
		var r Run
		r.Fill(now)
		if err := schemas.RunID(r.ID).Check(); err != nil {
			t.Fatal(err)
		}
		if seen[r.ID] || !strings.HasPrefix(r.ID, "20260504-030201-") || len(r.ID) != 22 || r.Out != "winnow-"+r.ID {
			t.Fatalf("run %s, output in %s", r.ID, r.Out)
		}
		seen[r.ID] = true
	}
	var later Run
	later.Fill(now.Add(time.Second))
	for id := range seen {
		if id >= later.ID {
			t.Errorf("%s does not sort before %s", id, later.ID)
		}
	}
}
