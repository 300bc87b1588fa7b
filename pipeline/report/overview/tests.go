package overview

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/compare"
	"github.com/winnow/winnow/pipeline/stats"
)

// costPerPair is the cost of a replicate of a pair. The unit is the addition of one
// page's score.
const costPerPair = 15

// compare finds the groups of extractors of each package that do not differ by the scorer
// that ranks, as far as the work is within the bound.
func (v *view) compare(ctx context.Context, store blob.Store) error {
	type table struct{ pkg, scorer string }
	chosen := map[table]*pkg{}
	// The work bounds the pages too.
	options := compare.Options{Want: func(pkg, scorer string) bool { return chosen[table{pkg, scorer}] != nil }}
	for i := range v.Packages {
		p := &v.Packages[i]
		if p.All || p.scored < stats.MinPages || len(p.Lines) < 2 {
			continue
		}
		n := int64(len(p.Lines))
		work := int64(compare.Replicates(len(p.Lines))) * (p.scored*(n+1) + costPerPair*n*(n-1)/2)
		if work > v.left {
			p.Note = fmt.Sprintf("Whether extractors differ was not tested here: it takes more time than this page is worth. Use: winnow compare --scorers %s", p.Scorer.Name)
			continue
		}
		v.left -= work
		chosen[table{p.Name, p.Scorer.Name}] = p
	}
	if len(chosen) == 0 {
		return nil
	}
	all, err := compare.Run(ctx, store, options)
	if err != nil {
		return err
	}
	for i := range all {
		c := &all[i]
		p := chosen[table{c.Package, c.Scorer}]
		p.Sites, p.Tested, p.Replicates = c.Sites, c.Documents, c.Replicates
		for _, m := range c.Ranking {
			if l := p.line(m.Extractor); l != nil {
				l.Group = m.Group
			}
		}
	}
	return nil
}
