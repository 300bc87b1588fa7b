package aggregate

import (
	"fmt"
	"hash/maphash"

	"github.com/winnow/winnow/schemas"
)

// rowCheck verifies that the rows of an item's shards are those that its report
// counts, and that every extraction has a score by every scorer. Otherwise the rows
// of one bad shard would be found out only when the whole run is added up, and end
// it.
type rowCheck struct {
	seed    maphash.Seed
	scorers map[string]bool
	items   map[*entry]*itemRows
}

// itemRows is what the rows of an item add up to. The sums are of hashes of the
// keys of rows, which a worker cannot foresee: equal sums are equal sets of keys.
type itemRows struct {
	outcomes  map[string]int64
	documents uint64
	scores    map[string]uint64 // by scorer
}

func newRowCheck(r *schemas.Recipe) *rowCheck {
	c := &rowCheck{seed: maphash.MakeSeed(), scorers: map[string]bool{}, items: map[*entry]*itemRows{}}
	for _, m := range r.Scorers {
		c.scorers[m.Name] = true
	}
	return c
}

func (c *rowCheck) of(e *entry) *itemRows {
	i := c.items[e]
	if i == nil {
		i = &itemRows{outcomes: map[string]int64{}, scores: map[string]uint64{}}
		c.items[e] = i
	}
	return i
}

// key identifies an extraction within a run.
func (c *rowCheck) key(pkg, doc, extractor string) uint64 {
	return maphash.Comparable(c.seed, [3]string{pkg, doc, extractor})
}

func (c *rowCheck) document(e *entry, r *schemas.Document) {
	i := c.of(e)
	i.outcomes[outcomeKey(r.Extractor, r.Outcome, r.Reason)]++
	i.documents += c.key(r.Package, r.DocID, r.Extractor)
}

func (c *rowCheck) score(e *entry, r *schemas.ScoreRow) {
	if c.scorers[r.Scorer] { // a row of another scorer makes a row of one of these missing
		c.of(e).scores[r.Scorer] += c.key(r.Package, r.DocID, r.Extractor)
	}
}

// verify adds the items that do not add up to what is damaged.
func (c *rowCheck) verify(entries []*entry, found *damage) {
	for _, e := range entries {
		if e.done == nil || found.has(e) {
			continue
		}
		i := c.of(e)
		if err := checkOutcomes(i.outcomes, e.done.Counts.Outcomes); err != nil {
			found.add(e, err)
			continue
		}
		for scorer := range c.scorers {
			if i.scores[scorer] != i.documents {
				found.add(e, fmt.Errorf("%w: the scores by %s are not those of its documents", ErrConservation, scorer))
				break
			}
		}
	}
}
