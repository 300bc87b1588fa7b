//go:build !linux

package warc

import "time"

func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
