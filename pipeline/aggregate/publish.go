package aggregate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/supervise"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// finish publishes what is made of all parts and ends the run. Every step can be
// repeated.
func (a *aggregator) finish(ctx context.Context) (*Summary, error) {
	store, m := a.opt.Store, a.manifest
	rows, err := a.publishTables(ctx)
	if err != nil {
		return nil, err
	}
	if m.Finished.IsZero() {
		// Aggregators before this one may have written files until now.
		if err := a.clean(ctx); err != nil {
			return nil, err
		}
		totals := m.Totals
		if err := a.append(ctx, &schemas.Change{Totals: &totals, Finished: time.Now().UTC().Truncate(time.Second)}); err != nil {
			return nil, err
		}
	}
	if err := a.retry(ctx, "write run.json", func() error { return a.commits.Seal(ctx) }); err != nil {
		return nil, err
	}
	if err := a.report(ctx); err != nil {
		return nil, err
	}
	err = a.retry(ctx, "write "+schemas.SuccessFile, func() error {
		_, err := blob.WriteAll(ctx, store, schemas.SuccessFile, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := a.sweep(ctx); err != nil {
		a.log.Warn("shards left behind", "reason", err)
	}
	if err := a.retry(ctx, "end the run", func() error { return a.opt.Broker.Ended(ctx, schemas.RunDone) }); err != nil {
		return nil, err
	}
	losses, err := lossesOf(ctx, store, m)
	if err != nil {
		return nil, err
	}
	warnOf(a.log, losses)
	sum := summaryOf(m, rows)
	sum.Losses = losses
	return sum, nil
}

// report has the picture of the tables made, unless everything was published
// before.
func (a *aggregator) report(ctx context.Context) error {
	if a.opt.Report == nil {
		return nil
	}
	if _, err := a.opt.Store.Stat(ctx, schemas.SuccessFile); err == nil {
		return nil
	}
	err := a.retry(ctx, "write the report", func() error { return a.opt.Report(ctx, a.opt.Store) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		a.log.Error("no report", "reason", err)
	}
	return nil
}

// publishTables writes the package and failures tables, unless they are there.
func (a *aggregator) publishTables(ctx context.Context) (rows []schemas.PackageRow, err error) {
	if !a.manifest.Finished.IsZero() {
		if rows, err = ReadPackages(ctx, a.opt.Store); !errors.Is(err, blob.ErrNotFound) {
			return rows, err
		}
	}
	if err := checkTotals(a.manifest); err != nil {
		return nil, err
	}
	err = a.retry(ctx, "write the tables", func() (err error) {
		rows, err = recompute(ctx, &a.opt, a.manifest)
		return err
	})
	return rows, err
}

// checkTotals sets the totals of the run and verifies them. That every file is
// covered from its first to its last byte was checked when its last item was.
func checkTotals(m *schemas.Manifest) error {
	m.Totals = schemas.Counts{}
	var span int64
	items := 0
	for i := range m.Parts {
		p := &m.Parts[i]
		addCounts(&m.Totals, &p.Counts)
		span += p.Counts.Bytes
		items += len(p.Items)
		rows := map[schemas.Table]int64{}
		for _, f := range p.Files {
			rows[f.Table] += f.Rows
		}
		for _, table := range []schemas.Table{schemas.TableDocuments, schemas.TableScores, schemas.TableTexts} {
			if rows[table] != p.Counts.Rows[table] {
				return fmt.Errorf("aggregate: part %d: %w: its files have %d rows of %s, its items %d", i, ErrConservation, rows[table], table, p.Counts.Rows[table])
			}
		}
	}
	if items != m.Run.Items() {
		return fmt.Errorf("aggregate: %w: parts hold %d items, the plan has %d", ErrConservation, items, m.Run.Items())
	}
	if err := checkCounts(&m.Totals, &m.Run.Recipe, span); err != nil {
		return fmt.Errorf("aggregate: run: %w", err)
	}
	return nil
}

// sweep deletes what only the work needed.
func (a *aggregator) sweep(ctx context.Context) error {
	if a.opt.KeepShards {
		return nil
	}
	shards, err := a.opt.Store.List(ctx, schemas.ShardFolder+"/")
	if err != nil {
		return err
	}
	for _, s := range shards {
		if err := a.opt.Store.Delete(ctx, s.Name); err != nil {
			return err
		}
	}
	if s, ok := a.opt.Store.(blob.Sweeper); ok {
		return s.Sweep(ctx, schemas.ShardFolder, schemas.CommitsFolder)
	}
	return nil
}

// Recompute makes the package, agreement and failures tables anew, of the parts that are
// committed in an output folder: also while a run is going on, and with another
// version of this package. It returns the summary.
func Recompute(ctx context.Context, store blob.Store) (*Summary, error) {
	opt := Options{Store: store}
	opt.withDefaults()
	m, err := LoadManifest(ctx, store)
	if err != nil {
		return nil, err
	}
	rows, err := recompute(ctx, &opt, m)
	if err != nil {
		return nil, err
	}
	losses, err := lossesOf(ctx, store, m)
	if err != nil {
		return nil, err
	}
	sum := summaryOf(m, rows)
	sum.Losses = losses
	return sum, nil
}

func recompute(ctx context.Context, opt *Options, m *schemas.Manifest) ([]schemas.PackageRow, error) {
	if err := writeFailures(ctx, opt, m); err != nil {
		return nil, err
	}
	means, err := writeAgreement(ctx, opt, m)
	if err != nil {
		return nil, err
	}
	t, err := tallyParts(ctx, opt.Store, m, func() *tally {
		t := newTally(&m.Run.Recipe)
		t.costsKept = costsKeptFor(m)
		return t
	})
	if err != nil {
		return nil, err
	}
	t.agreeMeans = means
	if err := t.check(); err != nil {
		return nil, err
	}
	rows := t.rows(m.Run.ID)
	_, err = writeTable(ctx, opt.Store, columnar.Packages, schemas.PackagesFile, &m.Run, opt.layout, func(yield func(*schemas.PackageRow, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
	return rows, err
}

// writeFailures gathers the failures of all parts and the files that were
// refused when the run was planned.
func writeFailures(ctx context.Context, opt *Options, m *schemas.Manifest) error {
	s := &sorter[schemas.Failure]{table: columnar.Failures, compare: schemas.CompareFailures, limit: opt.SortRows, dir: opt.TempDir}
	defer s.close()
	for i := range m.Parts {
		for row, err := range partRows(ctx, opt.Store, columnar.Failures, &m.Parts[i]) {
			if err == nil {
				err = s.add(row)
			}
			if err != nil {
				return err
			}
		}
	}
	for i := range m.Run.Files {
		if f := &m.Run.Files[i]; f.Refused != "" {
			row := schemas.Failure{Run: string(m.Run.ID), File: f.URL, Length: f.Size, Stage: "file", Reason: f.Refused, Severity: "lost", Attempts: 1}
			if err := s.add(&row); err != nil {
				return err
			}
		}
	}
	_, err := writeTable(ctx, opt.Store, columnar.Failures, schemas.FailuresFile, &m.Run, opt.layout, s.sorted(ctx))
	return err
}

// tallyParts counts the rows of all parts, several at a time, in tallies made by
// fresh: the result does not depend on the order.
func tallyParts(ctx context.Context, store blob.Store, m *schemas.Manifest, fresh func() *tally) (*tally, error) {
	workers := min(runtime.GOMAXPROCS(0), 4, max(1, len(m.Parts)))
	tallies := make([]*tally, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			tallies[w] = fresh()
			for i := w; i < len(m.Parts); i += workers {
				err := supervise.Call(func() error { return tallyPart(ctx, store, &m.Parts[i], tallies[w]) })
				if err != nil {
					return fmt.Errorf("aggregate: part %d: %w", i, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, t := range tallies[1:] {
		tallies[0].merge(t)
	}
	return tallies[0], nil
}

// tallyPart counts the rows of a part. Both tables have the same order, so that
// the scores of an extraction are found beside its document.
func tallyPart(ctx context.Context, store blob.Store, p *schemas.Part, t *tally) error {
	next, stop := iter.Pull2(partRows(ctx, store, columnar.Scores, p))
	defer stop()
	j := join{next: next, chosen: &t.chosen}
	if err := j.advance(); err != nil {
		return err
	}
	for row, err := range partRows(ctx, store, columnar.Documents, p) {
		if err != nil {
			return err
		}
		if !t.chosen.extraction(row.Package, row.Extractor) {
			continue
		}
		if err := j.document(row, t); err != nil {
			return err
		}
		if err := t.full(); err != nil {
			return err
		}
	}
	return j.end(t)
}

// join walks documents and scores side by side. Documents of one key (package,
// doc_id, extractor) are held together: an id that was archived twice has two
// documents and, for each scorer, two scores in the same order.
type join struct {
	next   func() (*schemas.ScoreRow, error, bool)
	chosen *choice
	score  *schemas.ScoreRow // nil at the end

	key    schemas.Document // of the group: Package, DocID, Extractor
	scored []scored
}

func (j *join) advance() error {
	for {
		row, err, ok := j.next()
		if j.score = row; !ok {
			j.score = nil
			return err
		}
		if err != nil || j.chosen.extraction(row.Package, row.Extractor) && among(j.chosen.scorers, row.Scorer) {
			return err
		}
	}
}

// document takes the next row of documents.
func (j *join) document(row *schemas.Document, t *tally) error {
	s := t.document(row)
	if len(j.scored) > 0 && schemas.CompareDocuments(row, &j.key) != 0 {
		if err := j.flush(t); err != nil {
			return err
		}
	}
	j.key.Package, j.key.DocID, j.key.Extractor = row.Package, row.DocID, row.Extractor
	j.scored = append(j.scored, s)
	return nil
}

// flush counts the scores of the group.
func (j *join) flush(t *tally) error {
	scorer, n := "", 0
	for j.score != nil && j.score.Package == j.key.Package && j.score.DocID == j.key.DocID && j.score.Extractor == j.key.Extractor {
		if j.score.Scorer != scorer {
			scorer, n = j.score.Scorer, 0
		}
		if n == len(j.scored) {
			return fmt.Errorf("%w: package %s, document %s, extractor %s has %d rows of documents and more of scores by %s",
				ErrConservation, j.key.Package, j.key.DocID, j.key.Extractor, n, scorer)
		}
		t.score(j.score, &j.scored[n])
		n++
		if err := j.advance(); err != nil {
			return err
		}
	}
	j.scored = j.scored[:0]
	return nil
}

func (j *join) end(t *tally) error {
	if err := j.flush(t); err != nil {
		return err
	}
	if s := j.score; s != nil {
		return fmt.Errorf("%w: package %s, document %s, extractor %s has a score and no row of documents", ErrConservation, s.Package, s.DocID, s.Extractor)
	}
	return nil
}

// partRows yields the rows of a part's files of a table.
func partRows[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], p *schemas.Part) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, f := range p.Files {
			if f.Table != table.Name() {
				continue
			}
			for row, err := range FileRows(ctx, store, table, f.Name) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// FileRows yields the rows of a table file in an output folder. A row is valid
// until the next one; after an error nothing follows.
func FileRows[T any](ctx context.Context, store blob.Store, table *columnar.Table[T], name string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		file, err := store.Open(ctx, name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		r, err := columnar.NewReader(table, file, file.Size())
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		for row, err := range r.All(ctx) {
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// ReadPackages reads the package table of an output folder.
func ReadPackages(ctx context.Context, store blob.Store) ([]schemas.PackageRow, error) {
	var rows []schemas.PackageRow
	for row, err := range FileRows(ctx, store, columnar.Packages, schemas.PackagesFile) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, *row)
	}
	return rows, nil
}
