package overview

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/compare"
)

// costPerPair is the cost of a replicate of a pair. The unit is the addition of one
// page's score.
const costPerPair = 15

// compare finds the groups of extractors of a package that do not differ, if the work
// is within the bound.
func (v *view) compare(ctx context.Context, store blob.Store, p *pkg) error {
	switch {
	case p.All || p.scored == 0:
		return nil
	case len(p.Lines) < 2:
		return nil
	}
	n := int64(len(p.Lines))
	replicates := int64(compare.Replicates(len(p.Lines)))
	work := replicates * (p.scored*(n+1) + costPerPair*n*(n-1)/2)
	if work > v.left {
		p.Note = fmt.Sprintf("Whether extractors differ was not tested here: it takes more time than this page is worth. Use: winnow compare --scorers %s", p.Scorer.Name)
		return nil
	}
	v.left -= work
	all, err := compare.Run(ctx, store, compare.Options{Packages: []string{p.Name}, Scorers: []string{p.Scorer.Name}})
	if err != nil {
		return err
	}
	c := &all[0]
	p.Sites, p.Tested, p.Replicates = c.Sites, c.Documents, c.Replicates
	for _, m := range c.Ranking {
		for i := range p.Lines {
			if l := &p.Lines[i]; l.Extractor == m.Extractor {
				l.Group, l.GroupKnown = m.Group, true
			}
		}
	}
	return nil
}
