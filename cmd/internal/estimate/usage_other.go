//go:build !unix

package estimate

import (
	"errors"
	"time"
)

type usage struct {
	cpu    time.Duration
	memory int64
}

func used() (usage, error) {
	return usage{}, errors.New("measure CPU time: this system has no getrusage")
}
