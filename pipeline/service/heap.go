package service

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A heap that is small may grow further before it is collected than Go lets it grow by
// default: the garbage of a page is many times the live data, so most of the work of
// a collection is to look at the same tables again. A large heap is collected as Go does
// by default, because its growth would cost more memory than the collections cost time.
const (
	smallHeap    = 256 << 20 // bytes that live on
	smallPercent = 300
	largePercent = 100
)

// percentFor returns by how many percent a heap may grow if this many of its bytes are live.
func percentFor(live uint64) int {
	if live <= smallHeap {
		return smallPercent
	}
	return largePercent
}

// collection is an object without users. Each collection of garbage finds it, which
// calls its finalizer.
type collection struct{ percent int }

// tuneHeap sets after each collection by how much the heap may grow until the next one.
// It does nothing if the environment says so itself (GOGC). GOMEMLIMIT is obeyed as ever.
func tuneHeap() {
	if os.Getenv("GOGC") != "" {
		return
	}
	c := new(collection)
	c.tune()
}

func (c *collection) tune() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if percent := percentFor(live[0].Value.Uint64()); percent != c.percent {
		c.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(c, (*collection).tune)
}
