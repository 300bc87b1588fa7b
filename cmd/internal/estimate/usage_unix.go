//go:build unix

package estimate

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// usage is what a process has used so far.
type usage struct {
	cpu    time.Duration // with its children that have ended
	memory int64         // largest resident memory, without children
}

// used returns what this process has used.
func used() (u usage, err error) {
	var self, children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return u, fmt.Errorf("measure CPU time: %w", err)
	}
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		return u, fmt.Errorf("measure CPU time of child processes: %w", err)
	}
	cpu := func(r *syscall.Rusage) time.Duration { return time.Duration(r.Utime.Nano() + r.Stime.Nano()) }
	unit := int64(1 << 10)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return usage{cpu: cpu(&self) + cpu(&children), memory: int64(self.Maxrss) * unit}, nil
}
