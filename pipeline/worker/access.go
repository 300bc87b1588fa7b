package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// admit lets the client open a private URL of a run. It asks the broker for the URL with
// user, password or signature each time, because a URL may have been signed again. In
// the process that planned the run the client may know that URL already. An answer of
// the broker that belongs to another URL is refused.
func admit(ctx context.Context, q *queue.Queue, blobs *blob.Client, run schemas.RunID, public string) error {
	_, known := blobs.Granted(public)
	full, err := "", error(queue.ErrNotFound)
	if q != nil {
		full, err = q.Access(ctx, run, public)
	}
	switch {
	case errors.Is(err, queue.ErrNotFound) && known:
		return nil
	case q == nil:
		return fmt.Errorf("worker: open %s: it needs a password or a signature, which is not stored: %w", public, blob.ErrDenied)
	case errors.Is(err, queue.ErrNotFound):
		return fmt.Errorf("worker: open %s: the broker no longer has the password or signature for it: submit the run again, with the same inputs: %w", public, blob.ErrDenied)
	case err != nil:
		return err
	case blob.PublicURL(full) != blob.PublicURL(public):
		return fmt.Errorf("worker: open %s: the broker's entry for it belongs to another URL: %w", public, blob.ErrDenied)
	}
	blobs.Grant(full)
	return nil
}
