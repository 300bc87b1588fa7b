package warc

import (
	"runtime"
	"syscall"
	"time"
)

// threadTime is the processor time that the calling thread has used, to which it
// stays bound: on a busy machine the clock on the wall says little.
func threadTime() time.Duration {
	runtime.LockOSThread()
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
