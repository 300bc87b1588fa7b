package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// processorTime begins to measure the time that this process and its children, such as
// winnow-peers, use on all processors. The function that it returns ends the measurement and
// returns the time; the children must still be running.
func processorTime() (end func() (time.Duration, error), err error) {
	// Reading the times of the children takes longer than some extractors do, so the time of
	// this process is taken after it here, and before it at the end.
	children, err := childrenTime()
	if err != nil {
		return nil, err
	}
	own, err := ownTime()
	return func() (time.Duration, error) {
		ownNow, err := ownTime()
		if err != nil {
			return 0, err
		}
		childrenNow, err := childrenTime()
		return ownNow - own + childrenNow - children, err
	}, err
}

func ownTime() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// childrenTime returns the time that the running children of this process have used so far, the
// sum over their threads.
func childrenTime() (took time.Duration, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // the process has ended
		}
		// The name of the program is in parentheses; its state and its parent follow.
		var state string
		var parent int
		if _, err := fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent); err != nil {
			return 0, fmt.Errorf("read %s: %w", name, err)
		}
		if parent != os.Getpid() {
			continue
		}
		threads, err := filepath.Glob(filepath.Join(filepath.Dir(name), "task/*/schedstat"))
		if err != nil {
			return 0, err
		}
		for _, name := range threads {
			var nanoseconds int64
			text, err := os.ReadFile(name)
			if err == nil {
				_, err = fmt.Sscan(string(text), &nanoseconds)
			}
			if err != nil {
				return 0, fmt.Errorf("read the processor time of a program: %w", err)
			}
			took += time.Duration(nanoseconds)
		}
	}
	return took, nil
}

// machine returns the name of the processor if the system reports it.
func machine() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
