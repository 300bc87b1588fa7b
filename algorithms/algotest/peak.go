package algotest

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// Objects returns the memory of all objects on the heap in bytes, including garbage.
func Objects() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Peak runs f and returns by how many bytes the objects on the heap grew at most while
// it ran. It looks every tenth of a millisecond and can miss shorter peaks.
func Peak(f func()) int64 {
	runtime.GC()
	before := Objects()
	stop, seen := make(chan struct{}), make(chan int64)
	go func() {
		peak := int64(0)
		for {
			peak = max(peak, Objects()-before)
			select {
			case <-stop:
				seen <- peak
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
	}()
	f()
	last := Objects() - before
	close(stop)
	return max(last, <-seen)
}
