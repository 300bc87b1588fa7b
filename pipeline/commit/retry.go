package commit

import (
	"context"
	"errors"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
)

// maxPause is the longest pause between two attempts; the first is Options.pause.
const maxPause = 30 * time.Second

// retry calls f again while the broker or the store does not answer or has no room.
// Such a fault costs time and never an item, so it is retried until ctx ends, or for
// Options.RetryFor. what names the operation in the log.
func (c *committer) retry(ctx context.Context, what string, f func() error) error {
	return retry(ctx, &c.opt, what, f)
}

func retry(ctx context.Context, opt *Options, what string, f func() error) error {
	began := time.Now()
	for wait := opt.pause; ; wait = min(2*wait, maxPause) {
		err := f()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, blob.ErrTransient) && !queue.Transient(err):
			return err
		case opt.RetryFor > 0 && time.Since(began) > opt.RetryFor:
			return err
		}
		opt.Log.Warn("waiting for the broker or the store", "to", what, "again_in", wait.String(), "reason", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
