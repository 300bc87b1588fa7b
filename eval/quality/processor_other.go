//go:build !linux

package main

import (
	"errors"
	"runtime"
	"time"
)

func processorTime() (end func() (time.Duration, error), err error) {
	return nil, errors.New("take processor time: only Linux tells that of other programs: measure there, or give --keep-speed")
}

func machine() string { return runtime.GOARCH }
