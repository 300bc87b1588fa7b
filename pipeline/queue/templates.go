package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

const templates = "templates"

// templatesShare is the part of the limits' bytes that the templates of one run
// may have. When they are full the rest stays in the output folder alone.
const templatesShare = 15

// Templates are the learned templates of a run, by site, in the broker's object
// store: near the workers, and gone with the run. The truth is in the output
// folder. There is one bucket per run, so that forgetting a run needs no list of
// its sites.
type Templates struct {
	store jetstream.ObjectStore
	run   schemas.RunID
}

// SetupTemplates makes the bucket for a run's templates, unless it is there. A
// broker without room for it is no error: the output folder has them all.
func (q *Queue) SetupTemplates(ctx context.Context, run schemas.RunID) error {
	l := q.limits.withDefaults()
	_, err := q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: q.templatesBucket(run), Description: fmt.Sprintf("winnow: templates of run %s", run),
		MaxBytes: l.share(templatesShare), Storage: jetstream.FileStorage, Replicas: l.Replicas,
	})
	var api *jetstream.APIError
	if errors.As(err, &api) && slices.Contains(noRoom, api.ErrorCode) {
		q.log.Warn("queue: no room for templates in the broker", "run", run, "reason", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("queue: templates of run %s: %w", run, err)
	}
	return nil
}

// noRoom are the server's codes for limits of its account, its memory and its
// storage.
var noRoom = []jetstream.ErrorCode{10002, 10023, 10047}

// Templates binds to the templates of a run. It is ErrNotFound if there is no
// bucket for them.
func (q *Queue) Templates(ctx context.Context, run schemas.RunID) (*Templates, error) {
	store, err := q.js.ObjectStore(ctx, q.templatesBucket(run))
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("queue: templates of run %s: %w", run, err)
	}
	return &Templates{store, run}, nil
}

// Put stores the templates of a site unless they are there. It is ErrConflict if
// others are there: learning gave two answers to one question.
func (t *Templates) Put(ctx context.Context, site string, data []byte) error {
	name := templateName(site)
	info, err := t.store.GetInfo(ctx, name)
	switch {
	case err == nil && sameBytes(info, data):
		return nil
	case err == nil:
		err = ErrConflict
	case errors.Is(err, jetstream.ErrObjectNotFound):
		_, err = t.store.Put(ctx, jetstream.ObjectMeta{Name: name, Description: site}, bytes.NewReader(data))
	}
	if err != nil {
		return fmt.Errorf("queue: templates of %.200q: %w", site, err)
	}
	return nil
}

// sameBytes compares an object's digest with data's.
func sameBytes(info *jetstream.ObjectInfo, data []byte) bool {
	sum := sha256.Sum256(data)
	return info.Size == uint64(len(data)) && strings.TrimSuffix(info.Digest, "=") == "SHA-256="+base64.RawURLEncoding.EncodeToString(sum[:])
}

// Get returns the templates of a site. It is ErrNotFound if there are none here.
func (t *Templates) Get(ctx context.Context, site string) ([]byte, error) {
	data, err := t.store.GetBytes(ctx, templateName(site))
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("queue: templates of %.200q: %w", site, err)
	}
	return data, nil
}

// Sites are the names of all sites that have templates here, in no order.
func (t *Templates) Sites(ctx context.Context) ([]string, error) {
	infos, err := t.store.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("queue: templates of run %s: %w", t.run, err)
	}
	var sites []string
	for _, info := range infos {
		sites = append(sites, info.Description)
	}
	return sites, nil
}

// templateName is a site's name in the store: sites are as crawls have them.
func templateName(site string) string {
	sum := sha256.Sum256([]byte(site))
	return hex.EncodeToString(sum[:16])
}

// templatesBucket is the bucket of a run. Buckets may not have dots in their
// names; the hash keeps runs apart that differ in nothing else.
func (q *Queue) templatesBucket(run schemas.RunID) string {
	name := string(run)
	if strings.Contains(name, ".") {
		name = strings.ReplaceAll(name, ".", "-") + "-" + messageID("templates", name)[:12]
	}
	return q.bucket(templates) + "_" + name
}

// deleteTemplates removes a run's templates.
func (q *Queue) deleteTemplates(ctx context.Context, run schemas.RunID) error {
	err := q.js.DeleteObjectStore(ctx, q.templatesBucket(run))
	if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("queue: templates of run %s: %w", run, err)
	}
	return nil
}
