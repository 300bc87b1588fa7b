package page

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWorstIsLinear measures that a worst page of 16 times the size takes about
// 16 times the time. The clock is that of the thread, which other work on the
// machine does not move; a quadratic page would take 256 times as long.
func TestWorstIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var p Page
	cost := func(src []byte) time.Duration {
		best := time.Hour
		for range 3 {
			start := threadTime(t)
			p.Parse(src, Options{})
			best = min(best, threadTime(t)-start)
		}
		return best
	}
	for _, w := range worstPages {
		small, large := []byte(w.make(1<<15)), []byte(w.make(1<<19))
		a, b := cost(small), cost(large)
		t.Logf("%-26s %8.1f MB/s %7.1f times for 16 times the size, cut %d, %d nodes", w.name,
			float64(len(large))/b.Seconds()/1e6, b.Seconds()/a.Seconds(), p.Cut, p.Tree.Len())
		if b > 80*a+50*time.Millisecond {
			t.Errorf("%s: %v, 16 times the page %v", w.name, a, b)
		}
	}
}

func threadTime(t *testing.T) time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Skipf("no clock of the thread: %v", err)
	}
	return time.Duration(now.Nano())
}
