package aggregate

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms/score/agreement"
	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
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
	n, err := gather(ctx, c, found, s, entries, func(e *entry, r *schemas.AgreementRow) { compared[e] += stats.Comparisons(r) })
	if err != nil {
		return nil, err
	}
	pairs := int64(agreement.Pairs(len(c.run.Recipe.Extractors)))
	for _, e := range entries {
		if e.done != nil && compared[e] != e.done.Counts.Pages*pairs {
			found.add(e, fmt.Errorf("%w: %d comparisons of extractors, pages (%d) times pairs (%d) are %d",
				account.ErrConservation, compared[e], e.done.Counts.Pages, pairs, e.done.Counts.Pages*pairs))
		}
	}
	if n == 0 || found.any() {
		return nil, nil
	}
	return tables.Write(ctx, c.store, columnar.Agreement, schemas.PartName(schemas.TableAgreement, seq, c.term)+".parquet", c.run, c.size, stats.SumAgreement(s.sorted(ctx)))
}

// writeAgreement makes the agreement table of all parts, and returns the means of
// its rows.
func writeAgreement(ctx context.Context, opt *Options, m *schemas.Manifest) (*stats.AgreementMeans, error) {
	s := &sorter[schemas.AgreementRow]{table: columnar.Agreement, compare: schemas.CompareAgreement, limit: opt.SortRows, dir: opt.TempDir}
	defer s.close()
	var compared, pages int64
	packages := map[string]bool{} // no more than decide whether small ones are pooled
	for i := range m.Parts {
		pages += m.Parts[i].Counts.Pages
		for row, err := range tables.PartRows(ctx, opt.Store, columnar.Agreement, &m.Parts[i]) {
			if err == nil {
				compared += stats.Comparisons(row)
				if len(packages) <= stats.ManyPackages && !packages[row.Package] {
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
			account.ErrConservation, compared, pages, pairs, pages*pairs)
	}
	pool := stats.NewSmallPool(&m.Run.Recipe, len(packages))
	means := stats.NewAgreementMeans(&m.Run.Recipe)
	_, err := tables.Write(ctx, opt.Store, columnar.Agreement, schemas.AgreementFile, &m.Run, opt.layout, func(yield func(*schemas.AgreementRow, error) bool) {
		for row, err := range pool.Rows(stats.SumAgreement(s.sorted(ctx))) {
			if err == nil {
				means.Add(row)
			}
			if !yield(row, err) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if pool.Packages > 0 {
		opt.Log.Info("the agreement table has the small packages as one: there are many, and each would have a row for every pair of extractors",
			"package", schemas.SmallPackages, "packages", pool.Packages, "pages", pool.Pages, "with_fewer_pages_than", pool.Most)
	}
	return means, nil
}
