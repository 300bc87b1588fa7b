package aggregate

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// Group is the figures of one group of documents, extractor and scorer.
type Group struct {
	Key string
	Row schemas.PackageRow // as of a package; PageType is empty, AgreeMean NaN
}

// GroupOptions choose what Groups computes. Empty lists mean all.
type GroupOptions struct {
	By                            Grouping
	Packages, Extractors, Scorers []string
	// MaxRows bounds the answer, and with it the memory: some 600 bytes a row, 20
	// for each of its documents up to 4096 of them, 82 kB beyond; and for each group
	// and extractor 32 for each document up to as many. Default 100,000.
	MaxRows int
}

// Groups computes the package table anew for the groups of every package, from
// the committed parts of a run, in the order of package, group, extractor and
// scorer. It is no file of the run: by site the table can be as long as the
// documents'.
func Groups(ctx context.Context, store blob.Store, m *schemas.Manifest, o GroupOptions) ([]Group, error) {
	if o.MaxRows <= 0 {
		o.MaxRows = 100_000
	}
	g, err := NewGrouper(ctx, store, m, o.By)
	if err != nil {
		return nil, err
	}
	t, err := tallyParts(ctx, store, m, func() *tally {
		t := newTally(&m.Run.Recipe)
		t.grouped, t.most, t.costsKept = g.Of, o.MaxRows, costsKeptFor(m)
		t.chosen = choice{o.Packages, o.Extractors, o.Scorers}
		return t
	})
	if err != nil {
		return nil, err
	}
	if err := t.full(); err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	rows := t.rows(m.Run.ID)
	groups := make([]Group, len(rows))
	for i, r := range rows {
		groups[i] = Group{Key: r.PageType, Row: r}
		groups[i].Row.PageType = ""
	}
	return groups, nil
}

// full is the error of a tally that would make more rows than it may.
func (t *tally) full() error {
	if t.most > 0 && max(len(t.extractions), len(t.measures)) > t.most {
		return fmt.Errorf("aggregate: the groups make more than %d rows: choose packages, extractors or scorers, or allow more", t.most)
	}
	return nil
}

// choice is what a tally counts. The zero choice is everything.
type choice struct{ packages, extractors, scorers []string }

func (c *choice) extraction(pkg, extractor string) bool {
	return among(c.packages, pkg) && among(c.extractors, extractor)
}

func among(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
