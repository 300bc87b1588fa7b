package commit

import (
	"context"
	"errors"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/retry"
)

// maxPause is the longest pause between two attempts; the first is Options.pause.
const maxPause = 30 * time.Second

// retry calls f again while the broker or the store does not answer or has no room.
// Such a fault costs time and never an item, so it is retried until ctx ends, or for
// Options.RetryFor. what names the operation in the log.
func (c *committer) retry(ctx context.Context, what string, f func() error) error {
	return retry.Policy{
		First: c.opt.pause, Longest: maxPause, For: c.opt.RetryFor,
		Temporary: func(err error) (time.Duration, bool) {
			return 0, errors.Is(err, blob.ErrTransient) || queue.Transient(err)
		},
		Waiting: func(err error, pause time.Duration) {
			c.log.Warn("waiting for the broker or the store", "to", what, "again_in", pause.String(), "reason", err)
		},
	}.Do(ctx, f)
}
