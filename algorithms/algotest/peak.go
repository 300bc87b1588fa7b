package algotest

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// Objects is the memory of all objects of the heap in bytes, garbage included.
func Objects() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Peak runs f and returns the most memory that the objects of the heap took beyond
// what they took before, in bytes, as far as looking every tenth of a millisecond
// shows it.
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
