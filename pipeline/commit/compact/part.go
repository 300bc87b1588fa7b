package compact

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Part writes the files of part seq. Nothing refers to them before they are committed.
// The error is a *Damage if the shards of some items cannot be used.
func (c *Compactor) Part(ctx context.Context, seq int, entries []*Entry) (schemas.Part, error) {
	part := schemas.Part{Seq: seq, Inputs: inputs(entries)}
	var span int64
	for _, e := range entries {
		item := schemas.Commit{ID: e.Item.ID(), File: e.Item.File.Index, Seq: e.Item.Seq,
			First: e.First, Next: e.Next, Dead: e.Dead, Unverified: e.Unverified}
		if e.Done != nil {
			item.Pages, item.Ended, item.Elapsed = e.Done.Counts.Pages, e.Done.Ended, e.Done.Elapsed
			account.AddCounts(&part.Counts, &e.Done.Counts)
			span += e.Next - e.First
		}
		part.Items = append(part.Items, item)
	}
	if err := account.CheckCounts(&part.Counts, &c.Run.Recipe, span); err != nil {
		return part, fmt.Errorf("compact: part %d: %w", seq, err)
	}

	// Tables are merged one after the other, because the workers need the cores more,
	// and because it halves the memory.
	found := new(Damage)
	rows := newRowCheck(&c.Run.Recipe, found)
	documents, err := merge(ctx, c, found, columnar.DocumentsOf(&c.Run.Recipe), schemas.CompareDocuments, seq, entries, nil, rows.document)
	if err != nil {
		return part, err
	}
	rows.endDocuments()
	pages, err := merge(ctx, c, found, columnar.PagesOf(&c.Run.Recipe), schemas.ComparePages, seq, entries, nil, func(e *Entry, r *schemas.Page) {
		rows.page(e, r)
		if _, late := slices.BinarySearch(e.Done.Unverified, r.Offset); late || e.Unverified {
			r.Flags = withUnverified(r.Flags)
		}
	})
	if err != nil {
		return part, err
	}
	rows.endPages()
	scores, err := merge(ctx, c, found, columnar.Scores, schemas.CompareScores, seq, entries, nil, rows.score)
	if err != nil {
		return part, err
	}
	rows.endScores()
	links, err := merge(ctx, c, found, columnar.Links, schemas.CompareLinks, seq, entries, nil, rows.link)
	if err != nil {
		return part, err
	}
	rows.endLinks(entries)
	var lost []schemas.Failure
	for _, e := range entries {
		lost = append(lost, e.Lost...)
	}
	failures, err := merge(ctx, c, found, columnar.Failures, schemas.CompareFailures, seq, entries, lost, nil)
	if err != nil {
		return part, err
	}
	agreement, err := c.agreement(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	texts, err := c.texts(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	records, err := c.records(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	if found.Any() {
		return part, found
	}
	for _, f := range []*schemas.Shard{pages, documents, scores, links, failures, agreement} {
		if f != nil {
			part.Files = append(part.Files, *f)
		}
	}
	part.Files = slices.Concat(part.Files, texts, records)
	return part, nil
}

// inputs adds up what the items of a part read from each file.
func inputs(entries []*Entry) []schemas.Input {
	byFile := map[int]*schemas.Input{}
	for _, e := range entries {
		if e.Done != nil {
			c := &e.Done.Counts
			account.AddInput(byFile, &schemas.Input{File: e.Item.File.Index, Records: c.Records, ByType: c.ByType, Pages: c.Pages,
				Refused: account.Sum(c.Refused), Defects: c.Defects, BytesUnits: c.BytesUnits, BytesGaps: c.BytesGaps})
		}
	}
	var out []schemas.Input
	for _, f := range slices.Sorted(maps.Keys(byFile)) {
		out = append(out, *byFile[f])
	}
	return out
}

// withUnverified adds the flag of unverified records to the flags of the reader, at its
// position in their order.
func withUnverified(flags string) string {
	if flags == "" {
		return unverified
	}
	names := strings.Split(flags, ",")
	if slices.Contains(names, unverified) {
		return flags
	}
	before := (warc.FlagUnverified - 1).Names()
	at := 0
	for at < len(names) && slices.Contains(before, names[at]) {
		at++
	}
	return strings.Join(slices.Insert(names, at, unverified), ",")
}

var unverified = warc.FlagUnverified.Names()[0]

// merge sorts the rows of a table's shards, and extra rows, into one file. It returns
// nil if there are no rows, or if shards are damaged. It calls edit for every row
// before the row is sorted.
func merge[T any](ctx context.Context, c *Compactor, found *Damage, table *columnar.Table[T], compare func(a, b *T) int,
	seq int, entries []*Entry, extra []T, edit func(*Entry, *T)) (*schemas.Shard, error) {

	s := newSorter(c, table, compare)
	defer s.Close()
	want, err := gather(ctx, c, found, table, s, entries, edit)
	if err != nil || found.Any() {
		return nil, err
	}
	for i := range extra {
		if err := s.Add(&extra[i]); err != nil {
			return nil, err
		}
		want++
	}
	if want == 0 {
		return nil, nil
	}
	return tables.Write(ctx, c.Store, table, schemas.PartName(table.Name(), seq, c.Term)+".parquet", c.Run, c.Size, s.Sorted(ctx))
}

// gather adds the rows of a table's shards to s, as readShards reads them. It calls edit,
// unless it is nil, for every row.
func gather[T any](ctx context.Context, c *Compactor, found *Damage, table *columnar.Table[T], s *extsort.Sorter[T], entries []*Entry, edit func(*Entry, *T)) (total int64, err error) {
	return readShards(ctx, c, found, table, entries, func(e *Entry, row *T) error {
		if edit != nil {
			edit(e, row)
		}
		if found.Any() {
			return nil
		}
		return s.Add(row)
	})
}

// readShards calls f for each row of a table's shards, and returns their number. After an item
// was found damaged, it reads rows only to find other damaged items.
func readShards[T any](ctx context.Context, c *Compactor, found *Damage, table *columnar.Table[T], entries []*Entry, f func(*Entry, *T) error) (total int64, err error) {
	return eachShard(found, table.Name(), entries, func(e *Entry, shard *schemas.Shard) (rows int64, err error) {
		err = readShard(ctx, c, table, shard, func(row *T) error {
			rows++
			return f(e, row)
		})
		return rows, err
	})
}

// eachShard calls f for each shard of a table, which returns the number of its rows. The result
// is the number of all rows. An item whose report has another number, or for whose shards f
// returns damage, is added to found.
func eachShard(found *Damage, table schemas.Table, entries []*Entry, f func(*Entry, *schemas.Shard) (rows int64, err error)) (total int64, err error) {
	for _, e := range entries {
		if e.Done == nil || found.has(e) {
			continue
		}
		var rows int64
		for i := range e.Done.Shards {
			shard := &e.Done.Shards[i]
			if shard.Table != table {
				continue
			}
			n, err := f(e, shard)
			rows += n
			if err != nil {
				if !IsDamage(err) {
					return 0, err
				}
				found.Add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
		}
		if reported := e.Done.Counts.Rows[table]; rows != reported {
			found.Add(e, fmt.Errorf("%w: its shards have %d rows of %s, its report %d", account.ErrConservation, rows, table, reported))
		}
		total += rows
	}
	return total, nil
}
