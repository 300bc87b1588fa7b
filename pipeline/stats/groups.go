package stats

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Group holds the figures of one group of documents, extractor and scorer.
type Group struct {
	Key string
	Row schemas.PackageRow // like the row of a package; PageType is empty
}

// GroupOptions choose the figures of groups. Empty lists mean all.
type GroupOptions struct {
	By                            Grouping
	Packages, Extractors, Scorers []string
	// MaxRows bounds the number of rows and with it the memory. A row takes some 600
	// bytes, plus 20 for each of its documents up to 4096, and 82 kB beyond. A group
	// and extractor take 32 bytes for each document up to as many. Default 100,000.
	MaxRows int
}

// NewGroupTally returns an empty tally of the groups that g finds.
func NewGroupTally(m *schemas.Manifest, o GroupOptions, g *Grouper) *Tally {
	t := NewTally(m)
	t.grouped, t.most = g.Of, o.MaxRows
	if t.most <= 0 {
		t.most = maxGroupRows
	}
	t.chosen = choice{o.Packages, o.Extractors, o.Scorers}
	return t
}

// maxGroupRows is the default of GroupOptions.MaxRows.
const maxGroupRows = 100_000

// Groups returns the figures of a tally of groups, in the order of package, group,
// extractor and scorer.
func (t *Tally) Groups(run schemas.RunID) ([]Group, error) {
	if err := t.full(); err != nil {
		return nil, err
	}
	rows, err := t.Rows(run, nil)
	if err != nil {
		return nil, err
	}
	groups := make([]Group, len(rows.Packages))
	for i, r := range rows.Packages {
		groups[i] = Group{Key: r.PageType, Row: r}
		groups[i].Row.PageType = ""
	}
	return groups, nil
}

// full returns the error of a tally that would have more rows than allowed.
func (t *Tally) full() error {
	if t.most > 0 && len(t.extractions)*max(1, len(t.scorers)) > t.most {
		return fmt.Errorf("stats: the groups make more than %d rows: choose packages, extractors or scorers, or allow more", t.most)
	}
	return nil
}

// choice selects the rows that a tally counts. The zero choice selects all rows.
type choice struct{ packages, extractors, scorers []string }

func (c *choice) extraction(pkg, extractor string) bool {
	return among(c.packages, pkg) && among(c.extractors, extractor)
}

func among(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
