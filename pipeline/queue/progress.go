package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// Progress returns the crash journal's entry for an item and the revision of the entry.
// If there is no entry it returns the zero Progress and revision 0.
func (q *Queue) Progress(ctx context.Context, run schemas.RunID, id schemas.ItemID) (schemas.Progress, uint64, error) {
	var p schemas.Progress
	kv, err := q.kv(ctx, progress)
	if err != nil {
		return p, 0, err
	}
	e, err := kv.Get(ctx, progressKey(run, id))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return p, 0, nil
	}
	if err == nil {
		err = json.Unmarshal(e.Value(), &p)
	}
	if err == nil && p.Version != schemas.Version {
		err = fmt.Errorf("version %d: this program reads version %d", p.Version, schemas.Version)
	}
	if err != nil {
		return schemas.Progress{}, 0, fmt.Errorf("queue: progress of %s/%s: %w", run, id, err)
	}
	return p, e.Revision(), nil
}

// SetProgress replaces the entry for an item if rev is still its revision (0 if there is
// no entry), and returns the new revision. Otherwise the error is ErrConflict, which
// means that another worker has the item now.
func (q *Queue) SetProgress(ctx context.Context, run schemas.RunID, id schemas.ItemID, p schemas.Progress, rev uint64) (uint64, error) {
	p.Version = schemas.Version
	data, err := json.Marshal(&p)
	if err != nil {
		return 0, fmt.Errorf("queue: progress of %s/%s: %w", run, id, err)
	}
	kv, err := q.kv(ctx, progress)
	if err != nil {
		return 0, err
	}
	if rev == 0 {
		rev, err = kv.Create(ctx, progressKey(run, id), data)
	} else {
		rev, err = kv.Update(ctx, progressKey(run, id), data, rev)
	}
	if wrongRevision(err) || errors.Is(err, jetstream.ErrKeyExists) {
		err = ErrConflict
	}
	if err != nil {
		return 0, fmt.Errorf("queue: progress of %s/%s: %w", run, id, err)
	}
	return rev, nil
}

func progressKey(run schemas.RunID, id schemas.ItemID) string { return token(run) + "." + string(id) }
