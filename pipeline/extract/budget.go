package extract

import "golang.org/x/sync/semaphore"

// scoreMax is the default of Options.ScoreMemory: two texts of the longest that
// are scored, or some thousand usual pages.
const scoreMax = 512 << 20

// budget is the memory for scoring that the slots share (driver.Budget). Slots are
// served in the order in which they ask, so a large page is not passed by for ever.
type budget struct {
	*semaphore.Weighted
	size int64
}

func newBudget(size int64) *budget { return &budget{semaphore.NewWeighted(size), size} }

// Size implements driver.Budget.
func (b *budget) Size() int64 { return b.size }
