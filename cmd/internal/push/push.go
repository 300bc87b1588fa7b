package push

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/schemas"
)

// Options are the settings of a push.
type Options struct {
	URL     string            // address of the engine; it may contain a user and a password
	Headers map[string]string // headers of every request, such as Authorization
	Form    *schemas.Bulk
	Delete  bool  // documents of which the run has no text are deleted
	Batch   int64 // number of bytes at which a request is sent
	Again   bool  // everything is sent again, whatever was answered before

	// Retry determines for how long, and with which pauses, a request is retried. Its Temporary
	// is set by this package.
	Retry retry.Policy
	// Rejected is called for each action that the engine refuses for good.
	Rejected func(id, reason string)
}

// State is how far a push has come. It is kept in the output folder.
type State struct {
	URL      string       `json:"url"` // without a password
	Form     schemas.Bulk `json:"form"`
	Delete   bool         `json:"delete,omitempty"`
	Actions  int64        `json:"actions"`  // actions that were answered, in the order in which they are sent
	Indexed  int64        `json:"indexed"`  // documents
	Deleted  int64        `json:"deleted"`  // documents that were in the index
	Rejected int64        `json:"rejected"` // actions that the engine refused for good
	Finished time.Time    `json:"finished,omitzero"`
}

// Run sends the rest of a push of a run, whose output folder is store. It returns how
// far the push has come, also with an error. A finished push sends nothing.
func Run(ctx context.Context, store blob.Store, m *schemas.Manifest, o Options) (*State, error) {
	to, err := newServer(&o)
	if err != nil {
		return nil, err
	}
	state := &State{URL: to.shown, Form: *o.Form, Delete: o.Delete}
	name := state.name()
	if !o.Again {
		if err := state.load(ctx, store, name); err != nil || !state.Finished.IsZero() {
			return state, err
		}
	}
	var batch [][]byte
	var size int64
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := to.send(ctx, batch, state); err != nil {
			return fmt.Errorf("push: %s: %w", to.shown, err)
		}
		state.Actions += int64(len(batch))
		batch, size = nil, 0
		return state.save(ctx, store, name)
	}
	for lines, err := range actions(ctx, store, m, &o, state.Actions) {
		if err != nil {
			return state, err
		}
		if n := int64(len(lines)); size+n > o.Batch {
			if err := send(); err != nil {
				return state, err
			}
		}
		batch, size = append(batch, []byte(string(lines))), size+int64(len(lines))
	}
	if err := send(); err != nil {
		return state, err
	}
	state.Finished = time.Now().UTC()
	return state, state.save(ctx, store, name)
}

// name returns the name of the file of the state: it is another one for another engine,
// form or purpose.
func (s *State) name() string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{s.URL, s.Form.Index, s.Form.ID, fmt.Sprint(s.Delete)}, s.Form.Fields...), "\x00")))
	return schemas.PushedName(hex.EncodeToString(sum[:8]))
}

// load sets s to the state that the output folder has, if there is one.
func (s *State) load(ctx context.Context, store blob.Store, name string) error {
	data, err := blob.ReadAll(ctx, store, name, 1<<20)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err == nil && s.Actions < 0 {
		err = fmt.Errorf("%d actions are answered", s.Actions)
	}
	if err != nil {
		return fmt.Errorf("push: %s: %w; --again sends everything again", name, err)
	}
	return nil
}

func (s *State) save(ctx context.Context, store blob.Store, name string) error {
	data, err := json.Marshal(s)
	if err == nil {
		_, err = blob.WriteAll(ctx, store, name, data)
	}
	if err != nil {
		return fmt.Errorf("push: record how far it has come: %w", err)
	}
	return nil
}
