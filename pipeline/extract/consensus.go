package extract

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/compare/agreement"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/schemas"
)

// maxCells bounds the pairs x packages that are summed up in memory, at 32 bytes
// each. An item with more, because every host is a package, has several rows for
// a pair; the aggregator adds them up.
const maxCells = 1 << 19

// consensus compares what the extractors of a page chose, and sums up their
// agreement by package. One slot owns it.
type consensus struct {
	names []string // names of the extractors
	order []int    // their indices by name
	kinds []string // their families
	mute  []bool   // ensembles, whose vote would repeat that of a member or use the gold
	spans *agreement.Spans
	sums  map[string]*agreement.Matrix // by package, of the rows not yet written
}

// newConsensus returns nil for fewer than two extractors: there is nothing to
// compare.
func newConsensus(extractors []*algorithms.Extractor) *consensus {
	if len(extractors) < 2 {
		return nil
	}
	c := &consensus{sums: map[string]*agreement.Matrix{}}
	for i, e := range extractors {
		c.names = append(c.names, e.Name)
		c.kinds = append(c.kinds, e.Family)
		c.mute = append(c.mute, len(e.Members) > 0)
		c.order = append(c.order, i)
	}
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Compare(c.names[a], c.names[b]) })
	c.spans = agreement.NewSpans(c.kinds)
	return c
}

// page compares the extractions of a page of a package. The answer is valid
// until the next call. An extractor without spans has no answer, like one that
// failed or was skipped, and so has an ensemble.
func (c *consensus) page(pkg string, res *driver.Result) *agreement.Page {
	c.spans.Begin(res.Page.Body())
	for i := range res.Extractions {
		if x := &res.Extractions[i]; x.HasSelection && !c.mute[i] {
			c.spans.Add(i, &x.Selection)
		}
	}
	p := c.spans.Finish()
	m := c.sums[pkg]
	if m == nil {
		m = agreement.NewMatrix(c.kinds)
		c.sums[pkg] = m
	}
	m.Add(p)
	return p
}

// full reports whether the sums should be written.
func (c *consensus) full() bool { return len(c.sums)*agreement.Pairs(len(c.names)) > maxCells }

// rows writes the sums and resets them.
func (c *consensus) rows(run schemas.RunID, write func(*schemas.AgreementRow) error) error {
	for _, pkg := range slices.Sorted(maps.Keys(c.sums)) {
		m := c.sums[pkg]
		for k, i := range c.order {
			for _, j := range c.order[k+1:] {
				cell := m.At(i, j)
				row := schemas.AgreementRow{
					Run: string(run), Package: pkg, ExtractorA: c.names[i], ExtractorB: c.names[j],
					Documents: cell.Agreement.N, MeanF1: figure(cell.Agreement.Mean()), SumE9: cell.Agreement.Total,
					BothEmpty: cell.BothEmpty, Failed: cell.Failed,
				}
				if err := write(&row); err != nil {
					return err
				}
			}
		}
	}
	clear(c.sums)
	return nil
}

// figure is NaN, which the tables write as null, for a figure that is not known.
func figure(f agreement.Figure) float64 {
	if !f.Known {
		return math.NaN()
	}
	return f.Value
}

// agree compares the extractions of a page, if there are several. Sums that are too
// many to hold are written.
func (a *attempt) agree(pkg string, res *driver.Result) (*agreement.Page, error) {
	c := a.r.consensus
	if c == nil {
		return nil, nil
	}
	if c.full() {
		if err := a.writeAgreement(); err != nil {
			return nil, err
		}
	}
	return c.page(pkg, res), nil
}

// writeAgreement writes the sums that are held.
func (a *attempt) writeAgreement() error {
	c := a.r.consensus
	if c == nil {
		return nil
	}
	return c.rows(a.Item.Run, a.shards.agreement.Append)
}
