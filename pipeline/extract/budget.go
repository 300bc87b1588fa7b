package extract

import "golang.org/x/sync/semaphore"

// maxScore is the default of Options.ScoreMemory: two texts of the longest that
// are scored, or some thousand usual pages.
const maxScore = 512 << 20

// budget is the memory for scoring that the slots share (driver.Budget). Slots are
// served in the order in which they ask, so that a large page is never starved.
type budget struct {
	*semaphore.Weighted
	size int64
}

func newBudget(size int64) *budget { return &budget{semaphore.NewWeighted(size), size} }

// Size implements driver.Budget.
func (b *budget) Size() int64 { return b.size }
