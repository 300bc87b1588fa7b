package worker

import (
	"context"
	"time"

	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

const (
	// The delay before an item is delivered again grows with each retry.
	retryFirst = time.Second
	maxRetry   = time.Minute

	// reportWait is how long a worker that was told to end waits for a broker that does
	// not accept its report.
	reportWait = time.Minute
)

// lingering returns a context that ends reportWait after ctx. With it a finished item is
// reported however long the broker does not accept the report, unless the worker is told
// to end.
func lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(reportWait):
			cancel()
		case <-late.Done():
		}
	})
	return late, func() { stop(); cancel() }
}

// settle acts on the error that ended an attempt according to its owner, and returns
// the fault if it is this machine's.
func (s *slot) settle(ended context.Context, j *job, l *queue.Lease, c *journal, err error) *fault {
	ctx := context.WithoutCancel(ended)
	log := s.w.opt.Log.With("run", l.Item.Run, "item", l.Item.ID())
	f := classify(ctx, s.w.opt.Blobs, &j.Job, &l.Item, err)
	switch f.owner {
	case ownerOther:
		log.Warn("another worker has the item", "reason", err)
		l.Abandon()
	case ownerProgram:
		s.giveUp(ended, l, c, f.reason, err)
	case ownerMachine:
		log.Debug("item is given back", "reason", f.err)
		s.giveBack(ctx, l, c, retryFirst, err)
		return &f
	case ownerBroker:
		log.Warn("item is given back: the broker is at fault", "reason", err)
		s.giveBack(ctx, l, c, min(retryFirst<<min(c.p.Retries, 16), maxRetry), err)
	case ownerSource:
		u, final := unreadable(c.p.Unreadable, s.w.opt.Name, time.Now(), s.w.opt.GiveUpAfter, f.lasting)
		if c.p.Unreadable = u; final {
			s.giveUp(ended, l, c, f.reason, err)
			return nil
		}
		delay := min(retryFirst<<min(u.Times-1, 16), maxRetry, max(s.w.opt.GiveUpAfter/4, retryFirst))
		log.Warn("item is tried again", "after", delay.String(), "times", u.Times, "since", u.Since.Format(time.RFC3339), "reason", err)
		s.giveBack(ctx, l, c, delay, err)
	}
	return nil
}

// giveBack ends an attempt in order, and asks the broker to deliver the item again after
// delay.
func (s *slot) giveBack(ctx context.Context, l *queue.Lease, c *journal, delay time.Duration, cause error) {
	log := s.w.opt.Log.With("run", l.Item.Run, "item", l.Item.ID())
	if err := c.retry(ctx, cause); err != nil {
		log.Debug("crash journal", "reason", err)
	}
	s.w.opt.Metrics.retries.Inc()
	if err := l.Retry(delay); err != nil {
		log.Warn("item could not be given back: it is delivered again when its lease expires", "reason", err)
	}
}

func (s *slot) giveUp(ended context.Context, l *queue.Lease, c *journal, reason string, cause error) {
	s.w.opt.Log.Error("item given up", "run", l.Item.Run, "item", l.Item.ID(), "why", reason, "reason", cause)
	s.w.opt.Metrics.deadLetters.WithLabelValues(queue.StageItem, reason).Inc()
	ctx, cancel := lingering(ended)
	defer cancel()
	err := l.GiveUp(ctx, &schemas.Dead{
		Item: l.Item, Offset: l.Item.File.Start, Length: l.Item.File.Length(),
		Stage: queue.StageItem, Reason: reason, Detail: cause.Error(), Attempts: c.p.Attempts, Time: time.Now().UTC(),
	})
	if err != nil {
		s.w.opt.Log.Warn("item not settled", "run", l.Item.Run, "item", l.Item.ID(), "reason", err)
	}
}
