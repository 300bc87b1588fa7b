package compact

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow/winnow/algorithms/compare/agreement"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// agreement writes a part's file of the agreement table. It has one row for each
// package and pair, with the sums over all items. It returns nil if there are no rows.
func (c *Compactor) agreement(ctx context.Context, found *Damage, seq int, entries []*Entry) (*schemas.Shard, error) {
	s := newSorter(c, columnar.Agreement, schemas.CompareAgreement)
	defer s.Close()
	compared := map[*Entry]int64{}
	n, err := gather(ctx, c, found, columnar.Agreement, s, entries, func(e *Entry, r *schemas.AgreementRow) { compared[e] += stats.Comparisons(r) })
	if err != nil {
		return nil, err
	}
	pairs := int64(agreement.Pairs(len(c.Run.Recipe.Extractors)))
	for _, e := range entries {
		if e.Done != nil && compared[e] != e.Done.Counts.Pages*pairs {
			found.Add(e, fmt.Errorf("%w: %d comparisons of extractors, pages (%d) times pairs (%d) are %d",
				account.ErrConservation, compared[e], e.Done.Counts.Pages, pairs, e.Done.Counts.Pages*pairs))
		}
	}
	if n == 0 || found.Any() {
		return nil, nil
	}
	return tables.Write(ctx, c.Store, columnar.Agreement, schemas.PartName(schemas.TableAgreement, seq, c.Term)+".parquet", c.Run, c.Size, stats.SumAgreement(s.Sorted(ctx)))
}

// runAgreement makes the agreement table of all parts, and returns the means of
// its rows.
func (c *Compactor) runAgreement(ctx context.Context, m *schemas.Manifest, to blob.Store) (*stats.AgreementMeans, error) {
	s := newSorter(c, columnar.Agreement, schemas.CompareAgreement)
	defer s.Close()
	var compared, pages int64
	packages := map[string]bool{} // names are collected until their number shows whether small packages are pooled
	for i := range m.Parts {
		pages += m.Parts[i].Counts.Pages
		for row, err := range tables.PartRows(ctx, c.Store, columnar.Agreement, &m.Parts[i]) {
			if err == nil {
				compared += stats.Comparisons(row)
				if len(packages) <= stats.ManyPackages && !packages[row.Package] {
					packages[strings.Clone(row.Package)] = true
				}
				err = s.Add(row)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	pairs := int64(agreement.Pairs(len(m.Run.Recipe.Extractors)))
	if compared != pages*pairs {
		return nil, fmt.Errorf("compact: %w: the parts have %d comparisons of extractors, pages (%d) times pairs (%d) are %d",
			account.ErrConservation, compared, pages, pairs, pages*pairs)
	}
	pool := stats.NewSmallPool(&m.Run.Recipe, len(packages))
	means := stats.NewAgreementMeans(&m.Run.Recipe)
	_, err := tables.Write(ctx, to, columnar.Agreement, schemas.AgreementFile, &m.Run, c.Size, func(yield func(*schemas.AgreementRow, error) bool) {
		for row, err := range pool.Rows(stats.SumAgreement(s.Sorted(ctx))) {
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
		c.Log.Info("the agreement table has the small packages as one: there are many, and each would have a row for every pair of extractors",
			"package", schemas.SmallPackages, "packages", pool.Packages, "pages", pool.Pages, "with_fewer_pages_than", pool.Most)
	}
	return means, nil
}
