package blob

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimiter checks, on a clock of its own, that a server gets the requests of its budget
// and no more, that a refusal pauses all of them, and that servers do not share a budget.
func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(20)
		began := time.Now()
		for range 42 { // two at once, and 40 more
			if err := b.Wait(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("42 requests took %v, want 2s", took)
		}
		b.Throttled(t.Context(), "a", 3*time.Second)
		b.Throttled(t.Context(), "a", 0) // no shorter than the first
		began = time.Now()
		if err := b.Wait(t.Context(), "b"); err != nil || time.Since(began) != 0 {
			t.Errorf("another server: %v after %v", err, time.Since(began))
		}
		if err := b.Wait(t.Context(), "a"); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("the server that refused: %v after %v, want 3s", err, time.Since(began))
		}
		b.Throttled(t.Context(), "a", time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := b.Wait(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a pause of more than a minute: %v", err)
		}
	})
}
