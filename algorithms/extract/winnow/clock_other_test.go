//go:build !linux

package winnow

import "time"

var epoch = time.Now()

// processor returns wall time, for systems whose clocks are not known here.
func processor() time.Duration { return time.Since(epoch) }
