package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow/winnow/schemas"
)

// AbsentError means that a program has waited in vain for a run to be published.
type AbsentError struct {
	Run    schemas.RunID
	Waited time.Duration
}

func (e AbsentError) Error() string {
	return fmt.Sprintf("the broker has not known run %s for %v: check the id, the broker's URL and prefix (--nats, --nats-prefix), and that ingest has published the run and that it was not over before", e.Run, e.Waited)
}

// AwaitRun waits until the broker holds a run, or remembers its output folder. After wait
// it returns an AbsentError.
func (q *Queue) AwaitRun(ctx context.Context, id schemas.RunID, wait time.Duration, log *slog.Logger) error {
	late := time.After(wait)
	for logged := false; ; {
		_, err := q.Run(ctx, id)
		if err != nil {
			_, err = q.FolderOf(ctx, id)
		}
		if err == nil {
			return nil
		}
		if !logged {
			logged = true
			log.Info("waiting for a run that the broker does not know yet", "run", id, "for", wait.String())
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-late:
			return fmt.Errorf("queue: %w", AbsentError{Run: id, Waited: wait})
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
