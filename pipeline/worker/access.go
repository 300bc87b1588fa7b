package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// admit lets the client open a private URL of a run: with what the broker has for it
// at this moment, since a URL may have been signed anew, or with what the client
// knows already, in the process that planned the run. What the broker has is refused
// if it is of another URL.
func admit(ctx context.Context, q *queue.Queue, blobs *blob.Client, run schemas.RunID, public string) error {
	full, err := q.Access(ctx, run, public)
	_, known := blobs.Granted(public)
	switch {
	case errors.Is(err, queue.ErrNotFound) && known:
		return nil
	case errors.Is(err, queue.ErrNotFound):
		return fmt.Errorf("worker: %s: the broker has no longer what it is fetched with: submit the run again, with the same inputs: %w", public, blob.ErrDenied)
	case err != nil:
		return err
	case blob.PublicURL(full) != blob.PublicURL(public):
		return fmt.Errorf("worker: the broker's access to %s is to another URL: %w", public, blob.ErrDenied)
	}
	blobs.Grant(full)
	return nil
}
