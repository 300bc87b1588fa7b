package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

// accessKey returns the key under which the access to a URL of a run is kept. It holds a
// hash of the URL, because keys may not have all characters of URLs.
func accessKey(run schemas.RunID, url string) string {
	sum := sha256.Sum256([]byte(url))
	return token(run) + "." + hex.EncodeToString(sum[:16])
}

// ShareAccess stores the URLs, with user, password or signature, by which the workers
// fetch a run's private files (schemas.Run.Access). It replaces those stored before,
// because a URL may have been signed again. They are kept until the run is over.
func (q *Queue) ShareAccess(ctx context.Context, run *schemas.Run) error {
	if len(run.Access) == 0 {
		return nil
	}
	kv, err := q.kv(ctx, access)
	if err != nil {
		return err
	}
	for public, full := range run.Access {
		if _, err := kv.PutString(ctx, accessKey(run.ID, public), full); err != nil {
			return fmt.Errorf("queue: run %s: access to %s: %w", run.ID, public, err)
		}
	}
	return nil
}

// Access returns the URL by which a private file of a run is fetched. The error is
// ErrNotFound if the broker does not have it.
func (q *Queue) Access(ctx context.Context, run schemas.RunID, public string) (string, error) {
	kv, err := q.kv(ctx, access)
	if err != nil {
		return "", err
	}
	e, err := kv.Get(ctx, accessKey(run, public))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("queue: run %s: access to %s: %w", run, public, err)
	}
	return string(e.Value()), nil
}
