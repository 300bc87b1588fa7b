package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
)

// Admit lets the blob client open a private URL of the run. It asks the broker for the
// URL with user, password or signature each time, because a URL may have been signed
// again. In the process that planned the run the client may know that URL already. An
// answer of the broker that belongs to another URL is refused.
func (j *Job) Admit(ctx context.Context, public string) error {
	_, known := j.Blobs.Granted(public)
	full, err := "", error(queue.ErrNotFound)
	if j.Queue != nil {
		full, err = j.Queue.Access(ctx, j.Run.ID, public)
	}
	switch {
	case errors.Is(err, queue.ErrNotFound) && known:
		return nil
	case j.Queue == nil:
		return fmt.Errorf("worker: open %s: it needs a password or a signature, which is not stored: %w", public, blob.ErrDenied)
	case errors.Is(err, queue.ErrNotFound):
		return fmt.Errorf("worker: open %s: the broker no longer has the password or signature for it: submit the run again, with the same inputs: %w", public, blob.ErrDenied)
	case err != nil:
		return err
	case blob.PublicURL(full) != blob.PublicURL(public):
		return fmt.Errorf("worker: open %s: the broker's entry for it belongs to another URL: %w", public, blob.ErrDenied)
	}
	j.Blobs.Grant(full)
	return nil
}
