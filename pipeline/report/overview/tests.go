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

// compare finds the groups of extractors of each package that do not differ, as far as
// the work is within the bound: by the scorer that ranks first, then by the others. The
// tables are read once.
func (v *view) compare(ctx context.Context, store blob.Store) error {
	type table struct{ pkg, scorer string }
	chosen := map[table]*pkg{}
	// The work bounds the pages too.
	options := compare.Options{Want: func(pkg, scorer string) bool { return chosen[table{pkg, scorer}] != nil }}
	choose := func(p *pkg, scorer string, scored int64) bool {
		n := int64(len(p.Lines))
		replicates := int64(compare.Replicates(len(p.Lines)))
		work := replicates * (scored*(n+1) + costPerPair*n*(n-1)/2)
		if work > v.left {
			return false
		}
		v.left -= work
		chosen[table{p.Name, scorer}] = p
		return true
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		if p.All || p.Few || len(p.Lines) < 2 {
			continue
		}
		if !choose(p, p.Scorer.Name, p.scored) {
			p.Note = fmt.Sprintf("Whether extractors differ was not tested here: it takes more time than this page is worth. Use: winnow compare --scorers %s", p.Scorer.Name)
		}
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		if p.All || len(p.Lines) < 2 {
			continue
		}
		for _, m := range v.Scorers {
			scored := int64(0)
			for _, r := range p.rowsBy(m.Name, "") {
				scored = max(scored, r.Scored)
			}
			if scored >= stats.MinPages && chosen[table{p.Name, m.Name}] == nil {
				choose(p, m.Name, scored)
			}
		}
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
		p.groups[c.Scorer] = map[string]string{}
		for _, m := range c.Ranking {
			p.groups[c.Scorer][m.Extractor] = m.Group
		}
		if c.Scorer != p.Scorer.Name {
			continue
		}
		p.Sites, p.Tested, p.Replicates = c.Sites, c.Documents, c.Replicates
		for k := range p.Lines {
			l := &p.Lines[k]
			l.Group, l.GroupKnown = p.groups[c.Scorer][l.Extractor]
		}
	}
	return nil
}
