package worker

import (
	"sync"

	"github.com/winnow/winnow/schemas"
)

// Progress counts what an attempt has done.
type Progress struct {
	Bytes    int64 // bytes of the item's file that were read
	HTML     int64 // bytes of decoded pages
	Pages    int64
	Failures int64 // records that were refused, and extractions that failed
}

func (p *Progress) add(q Progress) {
	p.Bytes, p.HTML = p.Bytes+q.Bytes, p.HTML+q.HTML
	p.Pages, p.Failures = p.Pages+q.Pages, p.Failures+q.Failures
}

// Stats holds a worker's running totals, for a reader in the same process. The
// contribution of a failed attempt is subtracted again. The zero Stats is ready for use.
type Stats struct {
	mu     sync.Mutex
	phases map[schemas.Phase]Progress
}

// Of returns the totals of a phase, over all runs.
func (s *Stats) Of(phase schemas.Phase) Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phases[phase]
}

func (s *Stats) add(phase schemas.Phase, p Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phases == nil {
		s.phases = map[schemas.Phase]Progress{}
	}
	sum := s.phases[phase]
	sum.add(p)
	s.phases[phase] = sum
}

// tally is the contribution of one attempt to Stats.
type tally struct {
	stats *Stats
	phase schemas.Phase
	sum   Progress
}

func (t *tally) add(p Progress) {
	t.sum.add(p)
	t.stats.add(t.phase, p)
}

// undo subtracts everything that was added.
func (t *tally) undo() {
	p := t.sum
	t.add(Progress{-p.Bytes, -p.HTML, -p.Pages, -p.Failures})
}
