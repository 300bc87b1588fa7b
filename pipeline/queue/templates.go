package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow/winnow/schemas"
)

const (
	templates = "templates"

	// headerSite holds the site of a message with templates. Its subject has only a hash
	// of the site.
	headerSite = "Winnow-Site"

	// headersMax bounds the size of the headers of a message with templates, in bytes.
	headersMax = 8 << 10
)

// ErrFull says that the broker has no room for more templates.
var ErrFull = errors.New("no room for more templates in the broker")

// Templates holds copies of the learned templates of a run, by site, in the broker,
// where workers read them faster than from the output folder. They are removed with the
// run. The templates in the output folder are authoritative: every worker can write to
// the broker, so a reader compares a copy with the digest in the output folder.
type Templates struct {
	q      *Queue
	stream jetstream.Stream
	run    schemas.RunID
}

// Templates binds to the templates of a run. The error is ErrNotFound if the broker
// keeps none.
func (q *Queue) Templates(ctx context.Context, run schemas.RunID) (*Templates, error) {
	stream, err := q.js.Stream(ctx, "KV_"+q.bucket(templates))
	if err != nil {
		return nil, fmt.Errorf("queue: templates of run %s: %w", run, missing(err))
	}
	return &Templates{q, stream, run}, nil
}

// Put stores the templates of a site unless they are already stored. The error is
// ErrConflict if different templates are stored, and ErrFull if the broker has no room.
// Templates that are too large for a message are not stored; readers then use those in
// the output folder.
func (t *Templates) Put(ctx context.Context, site string, data []byte) error {
	if int64(len(data)+headersMax) > t.q.nc.MaxPayload() || len(site) > headersMax/2 {
		return nil
	}
	msg := nats.NewMsg(t.subject(site))
	msg.Data = data
	msg.Header.Set(headerSite, site)
	_, err := t.q.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequencePerSubject(0))
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case wrongRevision(err):
		var old []byte
		if old, err = t.Get(ctx, site); err == nil && !bytes.Equal(old, data) {
			err = ErrConflict
		}
	case errors.As(err, &api) && api.ErrorCode == storeFailed:
		err = ErrFull
	}
	if err != nil {
		return fmt.Errorf("queue: put templates of %.200q: %w", site, err)
	}
	return nil
}

// storeFailed is the server's code for a message that a full stream refuses.
const storeFailed jetstream.ErrorCode = 10077

// Get returns the templates of a site. The error is ErrNotFound if the broker has none.
func (t *Templates) Get(ctx context.Context, site string) ([]byte, error) {
	msg, err := t.stream.GetLastMsgForSubject(ctx, t.subject(site))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("queue: get templates of %.200q: %w", site, err)
	}
	return msg.Data, nil
}

// Sites returns the names of all sites that have templates in the broker, in no order.
func (t *Templates) Sites(ctx context.Context) ([]string, error) {
	info, err := t.stream.Info(ctx, jetstream.WithSubjectFilter(t.prefix()+"*"))
	if err != nil {
		return nil, fmt.Errorf("queue: templates of run %s: %w", t.run, err)
	}
	sites := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		msg, err := t.stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue // the run was released meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("queue: templates of run %s: %w", t.run, err)
		}
		sites = append(sites, msg.Header.Get(headerSite))
	}
	return sites, nil
}

// prefix returns the prefix of the subjects of a run's templates.
func (t *Templates) prefix() string { return t.q.templatesPrefix(t.run) }

func (q *Queue) templatesPrefix(run schemas.RunID) string {
	return "$KV." + q.bucket(templates) + "." + token(run) + "."
}

// subject returns the subject of a site's templates. It has a hash of the site, because
// a site's name comes from a crawl and may have any characters.
func (t *Templates) subject(site string) string {
	sum := sha256.Sum256([]byte(site))
	return t.prefix() + hex.EncodeToString(sum[:16])
}
