package winnow

import (
	"syscall"
	"time"
	"unsafe"
)

// processor returns the processor time of this process on all its threads. So it includes
// the collection of garbage, which Go does on threads of its own, and not what other
// programs do on the machine meanwhile.
func processor() time.Duration {
	const processTime = 2 // CLOCK_PROCESS_CPUTIME_ID
	var now syscall.Timespec
	if _, _, err := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processTime, uintptr(unsafe.Pointer(&now)), 0); err != 0 {
		panic(err)
	}
	return time.Duration(now.Nano())
}
