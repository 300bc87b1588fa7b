//go:build !linux

package winnow

import "time"

var epoch = time.Now()

// thread is the time on the wall, where there is no clock of a thread.
func thread() time.Duration { return time.Since(epoch) }
