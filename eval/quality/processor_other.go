//go:build !unix

package main

import (
	"errors"
	"runtime"
	"time"
)

func processorTime() (end func() (time.Duration, error), err error) {
	return nil, errors.New("take processor time: this system has no getrusage: measure on another, or give --keep-speed")
}

func machine() string { return runtime.GOARCH }
