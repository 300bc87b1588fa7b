package stats

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/compare/agreement"
	"github.com/winnow/winnow/schemas"
)

// Comparisons returns the number of pages that a row accounts for.
func Comparisons(r *schemas.AgreementRow) int64 { return r.Documents + r.BothEmpty + r.Failed }

// SumAgreement adds up adjacent rows of the same package and pair of extractors.
func SumAgreement(rows iter.Seq2[*schemas.AgreementRow, error]) iter.Seq2[*schemas.AgreementRow, error] {
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

// ManyPackages is the largest number of packages of which each, however small, has rows
// of its own in the agreement table.
const ManyPackages = 1000

// SmallPool joins the packages of fewer than Most pages into one. If hosts are
// packages, a host with one page would otherwise have hundreds of rows.
type SmallPool struct {
	Most            int   // packages of fewer pages are joined; 0 joins none
	Packages, Pages int64 // the packages that were joined, and their pages

	last string
	sums map[[2]string]*schemas.AgreementRow // by pair
}

// NewSmallPool returns the pool of a run with the given number of packages. If they are
// few, it joins none.
func NewSmallPool(r *schemas.Recipe, packages int) *SmallPool {
	p := &SmallPool{Most: r.AgreementPages}
	if p.Most == 0 {
		p.Most = schemas.AgreementPages
	}
	if packages <= ManyPackages {
		p.Most = 0
	}
	return p
}

// Rows yields the rows of the large packages, followed by those of the pool.
func (p *SmallPool) Rows(rows iter.Seq2[*schemas.AgreementRow, error]) iter.Seq2[*schemas.AgreementRow, error] {
	return func(yield func(*schemas.AgreementRow, error) bool) {
		p.sums = map[[2]string]*schemas.AgreementRow{}
		for row, err := range rows {
			if err == nil && (Comparisons(row) < int64(p.Most) || p.Most > 0 && row.Package == schemas.SmallPackages) {
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

func (p *SmallPool) add(r *schemas.AgreementRow) {
	if p.Packages == 0 || r.Package != p.last {
		p.last = strings.Clone(r.Package)
		p.Packages++
		p.Pages += Comparisons(r)
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

// meanAgreement returns the mean over a row's pages, or NaN if there are none.
func meanAgreement(r *schemas.AgreementRow) float64 {
	if m := (agreement.Sum{N: r.Documents, Total: r.SumE9}).Mean(); m.Known {
		return m.Value
	}
	return math.NaN()
}

// AgreementMeans is the mean agreement of each extractor with the others, by
// package. Add must be called with the rows of the agreement table in order, so that it
// holds the matrix of one package only.
type AgreementMeans struct {
	names  []string
	index  map[string]int
	matrix *agreement.Matrix
	pkg    string
	open   bool
	means  map[extraction]float64
}

// NewAgreementMeans returns AgreementMeans without any rows.
func NewAgreementMeans(r *schemas.Recipe) *AgreementMeans {
	m := &AgreementMeans{index: map[string]int{}, means: map[extraction]float64{}}
	var families []string
	for i, e := range r.Extractors {
		m.names = append(m.names, e.Name)
		m.index[e.Name] = i
		families = append(families, cmp.Or(e.Family, e.Name))
	}
	m.matrix = agreement.NewMatrix(families)
	return m
}

// Add counts the next row.
func (m *AgreementMeans) Add(r *schemas.AgreementRow) {
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

func (m *AgreementMeans) flush() {
	for i, name := range m.names {
		if mean := m.matrix.Mean(i); mean.Known {
			m.means[extraction{pkg: m.pkg, extractor: name}] = mean.Value
		}
	}
	clear(m.matrix.Cells)
}

// done returns the mean of each extraction that has one. All rows must have been added.
func (m *AgreementMeans) done() map[extraction]float64 {
	if m.open {
		m.flush()
	}
	return m.means
}
