package warc

import (
	"runtime"
	"syscall"
	"time"
)

// threadTime returns the processor time that the calling thread has used, and binds the
// goroutine to that thread. On a busy machine, wall clock times say little.
func threadTime() time.Duration {
	runtime.LockOSThread()
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
