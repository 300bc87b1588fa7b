package worker

import (
	"context"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// crashesPerRecord is how many careful attempts may end at a record before
	// it is given up: one may be somebody else's fault (a machine that was
	// switched off), two at the same record hardly.
	crashesPerRecord = 2
	// unexplained is how many attempts may end at no record at all before the
	// item is given up: between records, or before careful mode began.
	unexplained = 4
)

// careful remembers, across processes, where in an item its attempts ended. A
// worker that has lost the item finds that out at its next note
// (queue.ErrConflict).
type careful struct {
	q   *queue.Queue
	run schemas.RunID
	id  schemas.ItemID
	p   schemas.Progress
	rev uint64
	on  bool // notes are taken
}

// begin reads what is remembered of the item of a lease and learns from it. A
// first delivery costs no request, unless the broker's count of deliveries cannot
// be relied on (forgets): then every attempt is noted.
func begin(ctx context.Context, q *queue.Queue, l *queue.Lease, forgets bool) (*careful, error) {
	c := &careful{q: q, run: l.Item.Run, id: l.Item.ID(), p: schemas.Progress{Attempts: 1}}
	if l.Delivered <= 1 && l.Again == "" && !forgets {
		return c, nil
	}
	var err error
	if c.p, c.rev, err = q.Progress(ctx, c.run, c.id); err != nil {
		return nil, err
	}
	before := max(c.p.Attempts, l.Delivered-1)
	c.p.Attempts = before + 1
	if c.on = before > c.p.Retries; c.on {
		c.learn()
	} else if !forgets {
		return c, nil
	}
	return c, c.save(ctx)
}

// learn turns a note that was left behind into a crash.
func (c *careful) learn() {
	if c.p.At == nil {
		return
	}
	at := *c.p.At
	c.p.At = nil
	for i := range c.p.Crashes {
		if c.p.Crashes[i].Place == at {
			c.p.Crashes[i].Times++
			return
		}
	}
	c.p.Crashes = append(c.p.Crashes, schemas.Crash{Place: at, Times: 1})
}

// hopeless reports whether attempts keep ending where no record is to blame.
func (c *careful) hopeless() bool {
	n := c.p.Attempts - 1 - c.p.Retries
	for _, crash := range c.p.Crashes {
		n -= crash.Times
	}
	return n >= unexplained
}

// givenUp reports whether the record at p is to be left alone.
func (c *careful) givenUp(p schemas.Place) bool {
	for _, crash := range c.p.Crashes {
		if crash.Place == p {
			return crash.Times >= crashesPerRecord
		}
	}
	return false
}

// enter notes that the record at p is about to be worked on.
func (c *careful) enter(ctx context.Context, p schemas.Place) error {
	if !c.on {
		return nil
	}
	c.p.At = &p
	return c.save(ctx)
}

// leave notes that the record is done, so that a crash of the reader is not
// put down to it.
func (c *careful) leave(ctx context.Context) error {
	if !c.on {
		return nil
	}
	c.p.At = nil
	return c.save(ctx)
}

// retry notes that this attempt ends in order, though not with success, and
// returns how many did.
func (c *careful) retry(ctx context.Context, cause error) (int, error) {
	c.p.Retries++
	c.p.Cause = cause.Error()
	if len(c.p.Cause) > 500 {
		c.p.Cause = c.p.Cause[:500]
	}
	c.p.At = nil
	return c.p.Retries, c.save(ctx)
}

func (c *careful) save(ctx context.Context) error {
	rev, err := c.q.SetProgress(ctx, c.run, c.id, c.p, c.rev)
	if err == nil {
		c.rev = rev
	}
	return err
}
