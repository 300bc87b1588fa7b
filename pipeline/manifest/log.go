package manifest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// Log is the right to change a manifest, until another process takes it. One
// goroutine uses it.
type Log struct {
	// Manifest is what is committed. Only Append changes it.
	Manifest *schemas.Manifest
	// Term is how often the log was taken, this time included; 0 for a run that
	// was done before.
	Term int
	// Exclusive means that the store refuses to replace a change. If it does not,
	// only the lease of the run keeps two aggregators apart.
	Exclusive bool

	store blob.Store
	next  int   // number of the next change
	size  int64 // bytes of run.json
}

// TakenError means that another process took the log: this process can commit nothing
// any more. What it committed stays; the other process does the rest again.
type TakenError struct {
	Run        schemas.RunID
	Store      string             // the output folder
	Aggregator schemas.Aggregator // the aggregator that took it
	Term       int
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("manifest: run %s in %s was taken over by another aggregator (%s, since %s, term %d): it goes on there; end that one first if this one is to make the tables",
		e.Run, e.Store, e.Aggregator.Name, e.Aggregator.Since.Format(time.RFC3339), e.Term)
}

// Take makes this process the only one that can change the manifest. name is for
// people: it is what others are told. A run that is done is not taken.
func Take(ctx context.Context, store blob.Store, name string) (*Log, error) {
	me := schemas.Aggregator{Name: name, ID: rand.Text(), Since: time.Now().UTC().Truncate(time.Second)}
	for {
		f, err := load(ctx, store)
		if err != nil {
			return nil, err
		}
		l := &Log{Manifest: f.manifest, Exclusive: true, store: store, next: f.next, size: f.size}
		if !f.manifest.Finished.IsZero() {
			return l, nil
		}
		l.Term = len(f.manifest.Aggregators) + 1
		c := &schemas.Change{Aggregator: &me}
		err = l.Append(ctx, c)
		var taken *TakenError
		if errors.As(err, &taken) {
			continue // another process took it at the same time
		}
		if err != nil {
			return nil, err
		}
		// The same change is written once more, to see that the store refuses it: not
		// every server implements conditional writes.
		_, err = blob.WriteNew(ctx, store, schemas.ChangeName(c.Seq), encode(c))
		l.Exclusive = errors.Is(err, blob.ErrExists)
		if l.Exclusive || errors.Is(err, blob.ErrTransient) {
			err = nil
		}
		return l, err
	}
}

// Append commits a change and makes it in the manifest. The error is a
// *TakenError if another process took the log. After a temporary error the change
// may have been committed; Append of the same change finds out.
func (l *Log) Append(ctx context.Context, c *schemas.Change) error {
	c.Version, c.Run, c.Seq, c.Term = schemas.Version, l.Manifest.Run.ID, l.next, l.Term
	if c.Time.IsZero() { // when a change is tried again, it has to be the same
		c.Time = time.Now().UTC().Truncate(time.Second)
	}
	data := encode(c)
	_, err := blob.WriteNew(ctx, l.store, schemas.ChangeName(c.Seq), data)
	if errors.Is(err, blob.ErrExists) {
		err = l.checkOwn(ctx, data)
	}
	if err == nil {
		err = l.checkUnsealed(ctx, c)
	}
	if err != nil {
		return err
	}
	if err := l.Manifest.Apply(c); err != nil {
		return err
	}
	l.next++
	return nil
}

// Check returns a *TakenError if another process has the log: files that this process
// misses may then be files that the other one deleted.
func (l *Log) Check(ctx context.Context) error {
	there, err := blob.Exists(ctx, l.store, schemas.ChangeName(l.next))
	if err != nil {
		return err
	}
	info, err := l.store.Stat(ctx, schemas.ManifestFile)
	if err != nil || !there && info.Size == l.size {
		return err
	}
	f, err := load(ctx, l.store)
	if err != nil {
		return err
	}
	return l.takenError(f.manifest)
}

// checkOwn returns an error unless the next change was written by this process, whose
// store did not answer then. It is a *TakenError if another process wrote the change.
func (l *Log) checkOwn(ctx context.Context, mine []byte) error {
	there, err := new(budget).read(ctx, l.store, schemas.ChangeName(l.next))
	if err == nil && bytes.Equal(there, mine) {
		return nil
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	f, err := load(ctx, l.store)
	if err != nil {
		return err
	}
	return l.takenError(f.manifest)
}

// checkUnsealed verifies that the log was not sealed before a change was written:
// sealing removes the changes, so that their names are free again, but replaces
// run.json before that.
func (l *Log) checkUnsealed(ctx context.Context, c *schemas.Change) error {
	info, err := l.store.Stat(ctx, schemas.ManifestFile)
	if err != nil || info.Size == l.size {
		return err
	}
	f, err := readRunFile(ctx, l.store, new(budget))
	if err != nil {
		return err
	}
	if f.manifest.Finished.IsZero() {
		return fmt.Errorf("manifest: %s in %s was replaced while the run goes on", schemas.ManifestFile, l.store.URL())
	}
	return errors.Join(l.takenError(f.manifest), l.store.Delete(ctx, schemas.ChangeName(c.Seq)))
}

// takenError names the process that has the log, which is the last one in m.
func (l *Log) takenError(m *schemas.Manifest) error {
	taken := &TakenError{Run: m.Run.ID, Store: l.store.URL(), Term: len(m.Aggregators)}
	if n := len(m.Aggregators); n > 0 {
		taken.Aggregator = m.Aggregators[n-1]
	}
	return taken
}

// Seal writes a manifest that is finished to run.json and removes the changes. It
// may be repeated, also by others at the same time: all write the same.
func (l *Log) Seal(ctx context.Context) error {
	if l.Manifest.Finished.IsZero() {
		return fmt.Errorf("manifest: run %s is not done", l.Manifest.Run.ID)
	}
	f, err := readRunFile(ctx, l.store, new(budget))
	if err != nil {
		return err
	}
	if f.manifest.Finished.IsZero() {
		data, err := l.Manifest.Encode()
		if err == nil {
			_, err = blob.WriteAll(ctx, l.store, schemas.ManifestFile, data)
		}
		if err != nil {
			return err
		}
	}
	// In ascending order: a process that reads meanwhile finds a gap, and reads run.json.
	files, err := l.store.List(ctx, schemas.CommitsFolder+"/")
	if err != nil {
		return err
	}
	for _, f := range files {
		if !schemas.IsChange(f.Name) {
			continue // not a file of a manifest's log
		}
		if err := l.store.Delete(ctx, f.Name); err != nil {
			return err
		}
	}
	return nil
}

// encode cannot fail: a change has no value that JSON lacks.
func encode(c *schemas.Change) []byte {
	data, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("manifest: change %d: %v", c.Seq, err))
	}
	return append(data, '\n')
}
