package commit

import (
	"context"
	"errors"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
)

// retryMost is how long is waited at most between two tries; Options.pause is where
// that begins.
const retryMost = 30 * time.Second

// retry repeats f, which may be repeated, while the broker or the store is away or
// has no room. Such a fault costs time and never an item, so it lasts until ctx
// ends, or for as long as Options.Patience. what names the operation for the log.
func (c *committer) retry(ctx context.Context, what string, f func() error) error {
	return retry(ctx, &c.opt, what, f)
}

func retry(ctx context.Context, opt *Options, what string, f func() error) error {
	began := time.Now()
	for wait := opt.pause; ; wait = min(2*wait, retryMost) {
		err := f()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, blob.ErrTransient) && !queue.Transient(err):
			return err
		case opt.Patience > 0 && time.Since(began) > opt.Patience:
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
