package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// EndedError means that a run was canceled, or failed, and is not worked on any more.
type EndedError struct {
	Out string // the output folder
	schemas.Ended
}

func (e *EndedError) Error() string {
	text := fmt.Sprintf("run %s is %s since %s", e.Run, e.State, e.Time.Format(time.RFC3339))
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return fmt.Sprintf("%s (%s): delete the run (winnow runs delete --yes --unfinished %s), or choose another run id and output folder",
		text, blob.Below(e.Out, schemas.EndedFile), e.Out)
}

// End marks a run as ended without tables: it is canceled, or failed for a reason. The
// first mark counts; if there is one, the error is the *EndedError of that.
func End(ctx context.Context, store blob.Store, run schemas.RunID, state schemas.RunState, reason string) error {
	data, err := json.Marshal(&schemas.Ended{Version: schemas.Version, Run: run, State: state, Reason: reason, Time: time.Now().UTC().Truncate(time.Second)})
	if err == nil {
		_, err = blob.WriteNew(ctx, store, schemas.EndedFile, append(data, '\n'))
	}
	if errors.Is(err, blob.ErrExists) {
		return Ended(ctx, store)
	}
	return err
}

// Ended returns an *EndedError if the run of a folder was canceled, or failed.
func Ended(ctx context.Context, store blob.Store) error {
	data, err := blob.ReadAll(ctx, store, schemas.EndedFile, 1<<20)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	e, err := schemas.DecodeEnded(data)
	if err != nil {
		return fmt.Errorf("manifest: %s: %w", blob.Below(store.URL(), schemas.EndedFile), err)
	}
	return &EndedError{store.URL(), *e}
}

// Over reports whether a run is over: its tables are published, or the error is the
// *EndedError of a run that was canceled, or failed.
func Over(ctx context.Context, store blob.Store) (bool, error) {
	if done, err := blob.Exists(ctx, store, schemas.SuccessFile); done || err != nil {
		return done, err
	}
	return false, Ended(ctx, store)
}
