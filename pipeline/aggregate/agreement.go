package aggregate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/score/agreement"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// agreement writes a part's file of the agreement table: one row for each
// package and pair, whose sums are those of all items. It returns nil if there
// are no rows.
func (c *compactor) agreement(ctx context.Context, found *damage, seq int, entries []*entry) (*schemas.Shard, error) {
	s := &sorter[schemas.AgreementRow]{table: columnar.Agreement, compare: schemas.CompareAgreement, limit: c.sortRows, dir: c.tempDir}
	defer s.close()
	compared := map[*entry]int64{}
	n, err := gather(ctx, c, found, s, entries, func(e *entry, r *schemas.AgreementRow) { compared[e] += comparisons(r) })
	if err != nil {
		return nil, err
	}
	pairs := int64(agreement.Pairs(len(c.run.Recipe.Extractors)))
	for _, e := range entries {
		if e.done != nil && compared[e] != e.done.Counts.Pages*pairs {
			found.add(e, fmt.Errorf("%w: %d comparisons of extractors, pages (%d) times pairs (%d) are %d",
				ErrConservation, compared[e], e.done.Counts.Pages, pairs, e.done.Counts.Pages*pairs))
		}
	}
	if n == 0 || found.any() {
		return nil, nil
	}
	return writeTable(ctx, c.store, columnar.Agreement, schemas.PartName(schemas.TableAgreement, seq, c.term)+".parquet", c.run, c.size, addAgreement(s.sorted(ctx)))
}

// comparisons is how many pages a row accounts for.
func comparisons(r *schemas.AgreementRow) int64 { return r.Documents + r.BothEmpty + r.Failed }

// addAgreement makes one row of neighbours that are about one package and pair.
func addAgreement(rows iter.Seq2[*schemas.AgreementRow, error]) iter.Seq2[*schemas.AgreementRow, error] {
	return func(yield func(*schemas.AgreementRow, error) bool) {
		var sum schemas.AgreementRow
		open := false
		flush := func() bool {
			sum.MeanF1 = meanAgreement(&sum)
			return yield(&sum, nil)
		}
		for row, err := range rows {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case open && schemas.CompareAgreement(&sum, row) == 0:
				unitePairs(&sum, row)
				continue
			case open && !flush():
				return
			}
			sum, open = *row, true
		}
		if open {
			flush()
		}
	}
}

// writeAgreement makes the agreement table of all parts, and returns the mean
// agreement of each extractor with the others, by package.
func writeAgreement(ctx context.Context, opt *Options, m *schemas.Manifest) (map[extraction]float64, error) {
	s := &sorter[schemas.AgreementRow]{table: columnar.Agreement, compare: schemas.CompareAgreement, limit: opt.SortRows, dir: opt.TempDir}
	defer s.close()
	var compared, pages int64
	packages := map[string]bool{} // no more than decide whether small ones are pooled
	for i := range m.Parts {
		pages += m.Parts[i].Counts.Pages
		for row, err := range partRows(ctx, opt.Store, columnar.Agreement, &m.Parts[i]) {
			if err == nil {
				compared += comparisons(row)
				if len(packages) <= manyPackages && !packages[row.Package] {
					packages[strings.Clone(row.Package)] = true
				}
				err = s.add(row)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	pairs := int64(agreement.Pairs(len(m.Run.Recipe.Extractors)))
	if compared != pages*pairs {
		return nil, fmt.Errorf("aggregate: %w: the parts have %d comparisons of extractors, pages (%d) times pairs (%d) are %d",
			ErrConservation, compared, pages, pairs, pages*pairs)
	}
	pool := &smallPool{most: m.Run.Recipe.AgreementPages}
	if pool.most == 0 {
		pool.most = schemas.AgreementPages
	}
	if len(packages) <= manyPackages {
		pool.most = 0
	}
	means := newRowMeans(&m.Run.Recipe)
	_, err := writeTable(ctx, opt.Store, columnar.Agreement, schemas.AgreementFile, &m.Run, opt.layout, func(yield func(*schemas.AgreementRow, error) bool) {
		for row, err := range pool.rows(addAgreement(s.sorted(ctx))) {
			if err == nil {
				means.add(row)
			}
			if !yield(row, err) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if pool.packages > 0 {
		opt.Log.Info("the agreement table has the small packages as one: there are many, and each would have a row for every pair of extractors",
			"package", schemas.SmallPackages, "packages", pool.packages, "pages", pool.pages, "with_fewer_pages_than", pool.most)
	}
	return means.done(), nil
}

// manyPackages is the number of packages up to which each has its own rows in the
// agreement table, however small it is.
const manyPackages = 1000

// smallPool joins the packages of fewer than most pages into one: where hosts are
// packages, those of a page each would have hundreds of rows for it.
type smallPool struct {
	most            int
	packages, pages int64 // that were joined

	last string
	sums map[[2]string]*schemas.AgreementRow // by pair
}

// rows yields the rows of the large packages, and behind them those of the pool.
func (p *smallPool) rows(rows iter.Seq2[*schemas.AgreementRow, error]) iter.Seq2[*schemas.AgreementRow, error] {
	return func(yield func(*schemas.AgreementRow, error) bool) {
		p.sums = map[[2]string]*schemas.AgreementRow{}
		for row, err := range rows {
			if err == nil && (comparisons(row) < int64(p.most) || p.most > 0 && row.Package == schemas.SmallPackages) {
				p.add(row)
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		for _, pair := range slices.SortedFunc(maps.Keys(p.sums), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			row := p.sums[pair]
			row.MeanF1 = meanAgreement(row)
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (p *smallPool) add(r *schemas.AgreementRow) {
	if p.packages == 0 || r.Package != p.last {
		p.last = strings.Clone(r.Package)
		p.packages++
		p.pages += comparisons(r)
	}
	pair := [2]string{r.ExtractorA, r.ExtractorB}
	sum := p.sums[pair]
	if sum == nil {
		pair = [2]string{strings.Clone(pair[0]), strings.Clone(pair[1])}
		sum = &schemas.AgreementRow{Run: strings.Clone(r.Run), Package: schemas.SmallPackages, ExtractorA: pair[0], ExtractorB: pair[1]}
		p.sums[pair] = sum
	}
	unitePairs(sum, r)
}

// unitePairs adds the pages of b to a, for one pair of extractors.
func unitePairs(a, b *schemas.AgreementRow) {
	a.Documents += b.Documents
	a.SumE9 += b.SumE9
	a.BothEmpty += b.BothEmpty
	a.Failed += b.Failed
}

// meanAgreement is the mean of a row's pages; NaN if there are none.
func meanAgreement(r *schemas.AgreementRow) float64 {
	if m := (agreement.Sum{N: r.Documents, Total: r.SumE9}).Mean(); m.Known {
		return m.Value
	}
	return math.NaN()
}

// rowMeans takes the rows of the agreement table in order, so that it holds the
// matrix of one package only.
type rowMeans struct {
	names  []string
	index  map[string]int
	matrix *agreement.Matrix
	pkg    string
	open   bool
	means  map[extraction]float64
}

func newRowMeans(r *schemas.Recipe) *rowMeans {
	m := &rowMeans{index: map[string]int{}, means: map[extraction]float64{}}
	var families []string
	for i, e := range r.Extractors {
		m.names = append(m.names, e.Name)
		m.index[e.Name] = i
		families = append(families, cmp.Or(e.Family, e.Name))
	}
	m.matrix = agreement.NewMatrix(families)
	return m
}

func (m *rowMeans) add(r *schemas.AgreementRow) {
	if m.open && r.Package != m.pkg {
		m.flush()
	}
	m.pkg, m.open = r.Package, true
	i, known := m.index[r.ExtractorA]
	j, also := m.index[r.ExtractorB]
	if known && also && i != j {
		m.matrix.At(i, j).Agreement = agreement.Sum{N: r.Documents, Total: r.SumE9}
	}
}

func (m *rowMeans) flush() {
	for i, name := range m.names {
		if mean := m.matrix.Mean(i); mean.Known {
			m.means[extraction{pkg: m.pkg, extractor: name}] = mean.Value
		}
	}
	clear(m.matrix.Cells)
}

func (m *rowMeans) done() map[extraction]float64 {
	if m.open {
		m.flush()
	}
	return m.means
}
