package retry

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var (
	errBusy  = errors.New("busy")
	errAsks  = errors.New("busy, come back in a minute")
	errFinal = errors.New("no permission")
)

func temporary(err error) (time.Duration, bool) {
	if err == errAsks {
		return time.Minute, true
	}
	return 0, err == errBusy
}

// fails returns an operation that fails with each of the errors and then succeeds.
func fails(errs ...error) func() error {
	return func() error {
		if len(errs) == 0 {
			return nil
		}
		err := errs[0]
		errs = errs[1:]
		return err
	}
}

func TestDo(t *testing.T) {
	const first, longest = time.Second, 4 * time.Second
	for _, c := range []struct {
		name   string
		policy Policy
		errs   []error
		want   error
		pauses []time.Duration
	}{
		{"success", Policy{}, nil, nil, nil},
		{"doubled pauses", Policy{}, slices.Repeat([]error{errBusy}, 5), nil, []time.Duration{first, 2 * first, 4 * first, longest, longest}},
		{"final error", Policy{}, []error{errBusy, errFinal}, errFinal, []time.Duration{first}},
		{"bounded attempts", Policy{Attempts: 3}, slices.Repeat([]error{errBusy}, 5), errBusy, []time.Duration{first, 2 * first}},
		{"bounded time", Policy{For: 2 * time.Second}, slices.Repeat([]error{errBusy}, 5), errBusy, []time.Duration{first, 2 * first}},
		{"requested wait", Policy{}, []error{errAsks, errBusy}, nil, []time.Duration{first + time.Minute, 2 * first}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var pauses []time.Duration
				c.policy.First, c.policy.Longest, c.policy.Temporary = first, longest, temporary
				c.policy.Waiting = func(_ error, pause time.Duration) { pauses = append(pauses, pause) }
				began := time.Now()
				if err := c.policy.Do(t.Context(), fails(c.errs...)); err != c.want {
					t.Errorf("error %v, want %v", err, c.want)
				}
				if !slices.Equal(pauses, c.pauses) {
					t.Errorf("pauses %v, want %v", pauses, c.pauses)
				}
				var sum time.Duration
				for _, p := range c.pauses {
					sum += p
				}
				if took := time.Since(began); took != sum {
					t.Errorf("it took %v, want the sum of the pauses, %v", took, sum)
				}
			})
		})
	}
}

// TestSpread: pauses are within bounds and differ.
func TestSpread(t *testing.T) {
	p := Policy{First: time.Second, Longest: 4 * time.Second, Spread: true}
	seen := map[time.Duration]bool{}
	for range 100 {
		a := p.Begin()
		for _, longest := range []time.Duration{1, 2, 4, 4} {
			pause := a.pauses.NextBackOff()
			if pause < 0 || pause > longest*time.Second {
				t.Fatalf("pause of %v, want 0 to %d s", pause, longest)
			}
			seen[pause] = true
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d different pauses of 400", len(seen))
	}
}

// TestProgress: after progress the attempts and the pauses begin again.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pauses []time.Duration
		p := Policy{First: time.Second, Longest: time.Minute, Attempts: 3, For: 5 * time.Second, Temporary: temporary,
			Waiting: func(_ error, pause time.Duration) { pauses = append(pauses, pause) }}
		a := p.Begin()
		for range 4 {
			for range 2 {
				if err := a.Wait(t.Context(), errBusy); err != nil {
					t.Fatal(err)
				}
			}
			a.Progress()
		}
		if want := slices.Repeat([]time.Duration{time.Second, 2 * time.Second}, 4); !slices.Equal(pauses, want) {
			t.Errorf("pauses %v, want %v", pauses, want)
		}
	})
}

// TestCanceled: the cause of the context ends the attempts, before and during a pause.
func TestCanceled(t *testing.T) {
	cause := errors.New("stopped")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		p := Policy{First: time.Hour, Longest: time.Hour, Temporary: temporary, Waiting: func(error, time.Duration) { cancel(cause) }}
		f := func() error { calls++; return errBusy }
		for want := 1; want <= 2; want++ {
			if err := p.Do(ctx, f); err != cause || calls != want {
				t.Errorf("error %v after %d calls, want %v after %d", err, calls, cause, want)
			}
		}
	})
}
