package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

const (
	// giveUpAfter is how long an input that cannot be read is retried. It is shorter
	// than on a cluster, because there is one worker and a user who waits.
	giveUpAfter = time.Minute
	// faultLimit is how long a fault of this machine, such as a full disk, may last
	// before the run ends with an error. The run can be continued later.
	faultLimit = 2 * time.Minute
	// faultPause is the time between attempts to write to the store's folder.
	faultPause = time.Second
)

// brokenError means that the store of the broker in this process failed.
type brokenError struct {
	dir   string
	cause error
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("local: broker: store %s: %v: free space or repair the disk, then go on with the run", e.dir, e.cause)
}
func (e *brokenError) Unwrap() error { return e.cause }

// setupError means that the broker could not make its streams.
type setupError struct{ error }

func (e *setupError) Unwrap() error { return e.error }

// supervise carries out a run with a broker in this process. If the broker's store
// fails, it is started again when its folder can be written, and the run goes on as if
// the program had been started again; when that does not help for a while it ends with
// the error.
func supervise(ctx context.Context, opt *Options, dir string, store blob.Store, run *schemas.Run) (*stats.Summary, error) {
	var since time.Time // start of an uninterrupted series of failures
	for {
		began := time.Now()
		s, err := attempt(ctx, opt, dir, store, run)
		var broken *brokenError
		if !errors.As(err, &broken) || ctx.Err() != nil {
			return s, err
		}
		if since.IsZero() || time.Since(began) > faultLimit {
			since = time.Now()
		}
		opt.Log.Warn("the broker is started again when its store can be written", "store", broken.dir, "reason", broken.cause)
		for {
			select {
			case <-time.After(faultPause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if time.Since(since) > opt.Worker.FaultLimit {
				return nil, broken
			}
			if err := writable(broken.dir); err == nil {
				break
			}
		}
	}
}

// attempt carries out a run with one start of the broker. The error is a *brokenError
// if the broker's store failed.
func attempt(ctx context.Context, opt *Options, dir string, store blob.Store, run *schemas.Run) (s *stats.Summary, err error) {
	b, err := startBroker(dir)
	if err != nil {
		return nil, err
	}
	finished := false
	defer func() { err = errors.Join(err, b.stop(finished)) }()
	q, err := queue.Dial(ctx, queue.Options{InProcess: b, Name: "winnow-run", Log: opt.Log})
	if err != nil {
		return nil, err
	}
	defer q.Close()
	working, stop := context.WithCancel(ctx)
	defer stop()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-b.log.broken:
			stop()
			q.Close() // so that no request waits for an answer
		case <-working.Done():
		}
	}()
	s, err = carryOut(working, opt, q, store, run)
	stop()
	<-watched
	cause := b.log.failure()
	if cause == nil && errors.As(err, new(*setupError)) && ctx.Err() == nil {
		cause = writable(b.dir) // the broker says only that it cannot, and not why
	}
	if err != nil && cause != nil {
		return nil, &brokenError{b.dir, cause}
	}
	finished = err == nil
	return s, err
}

// writable writes a file into the folder of a store, and removes it.
func writable(dir string) error {
	parent := filepath.Dir(dir) // the server creates the store's own folder
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(parent, "probe-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, 1<<20))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
