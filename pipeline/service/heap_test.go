package service

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// TestHeap runs in a process of its own, because it sets how all garbage is collected.
func TestHeap(t *testing.T) {
	if os.Getenv("WINNOW_TEST_HEAP") == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestHeap$")
		cmd.Env = append(os.Environ(), "WINNOW_TEST_HEAP=1", "GOGC=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	tuneHeap()
	reaches := func(want uint64) {
		t.Helper()
		percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		for began := time.Now(); ; time.Sleep(time.Millisecond) { // the finalizer runs some time after the collection
			runtime.GC()
			if metrics.Read(percent); percent[0].Value.Uint64() == want {
				return
			}
			if time.Since(began) > time.Minute {
				t.Fatalf("the heap may grow by %d %%, want %d", percent[0].Value.Uint64(), want)
			}
		}
	}
	reaches(smallPercent)
	large := make([]byte, smallHeap+1<<20)
	reaches(largePercent)
	runtime.KeepAlive(large)
	reaches(smallPercent)
}

// TestHeapFollowsTheEnvironment checks that GOGC is not overruled.
func TestHeapFollowsTheEnvironment(t *testing.T) {
	t.Setenv("GOGC", "50")
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	before := percent[0].Value.Uint64()
	tuneHeap()
	if metrics.Read(percent); percent[0].Value.Uint64() != before {
		t.Errorf("the heap may grow by %d %%, before by %d %%", percent[0].Value.Uint64(), before)
	}
}
