package aggregate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/supervise"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// shardInMemory is the largest shard that is held in memory; larger ones go
// through a temporary file, so that what was checked is what is read.
const shardInMemory = 32 << 20

// compactor makes the files of a part of what the items' shards hold.
type compactor struct {
	store    blob.Store
	run      *schemas.Run
	sortRows int
	tempDir  string
	size     columnar.Size
	term     int
}

// compact writes the files of part seq. Nothing refers to them yet. The error is a
// *damage if shards of some items cannot be used.
func (c *compactor) compact(ctx context.Context, seq int, entries []*entry) (schemas.Part, error) {
	part := schemas.Part{Seq: seq, Inputs: inputs(entries)}
	var span int64
	for _, e := range entries {
		part.Items = append(part.Items, schemas.Commit{ID: e.item.ID(), File: e.item.File, Seq: e.item.Seq,
			First: e.first, Next: e.next, Dead: e.dead, Unverified: e.unverified})
		if e.done != nil {
			account.AddCounts(&part.Counts, &e.done.Counts)
			span += e.next - e.first
		}
	}
	if err := account.CheckCounts(&part.Counts, &c.run.Recipe, span); err != nil {
		return part, fmt.Errorf("aggregate: part %d: %w", seq, err)
	}

	// One table after the other: the workers need the cores more, and it halves
	// the memory.
	found := new(damage)
	rows := newRowCheck(&c.run.Recipe, found)
	documents, err := merge(ctx, c, found, columnar.Documents, schemas.CompareDocuments, seq, entries, nil, func(e *entry, r *schemas.Document) {
		rows.document(e, r)
		if _, late := slices.BinarySearch(e.done.Unverified, r.Offset); late || e.unverified {
			r.Flags = withUnverified(r.Flags)
		}
	})
	if err != nil {
		return part, err
	}
	rows.endDocuments()
	scores, err := merge(ctx, c, found, columnar.Scores, schemas.CompareScores, seq, entries, nil, rows.score)
	if err != nil {
		return part, err
	}
	rows.endScores()
	var lost []schemas.Failure
	for _, e := range entries {
		lost = append(lost, e.lost...)
	}
	failures, err := merge(ctx, c, found, columnar.Failures, schemas.CompareFailures, seq, entries, lost, nil)
	if err != nil {
		return part, err
	}
	agreement, err := c.agreement(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	texts, err := c.adopt(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	if found.any() {
		return part, found
	}
	for _, f := range []*schemas.Shard{documents, scores, failures, agreement} {
		if f != nil {
			part.Files = append(part.Files, *f)
		}
	}
	part.Files = append(part.Files, texts...)
	return part, nil
}

// inputs adds up what items of a part read, by file.
func inputs(entries []*entry) []schemas.Input {
	byFile := map[int]*schemas.Input{}
	for _, e := range entries {
		if e.done != nil {
			c := &e.done.Counts
			account.AddInput(byFile, &schemas.Input{File: e.item.File, Records: c.Records, ByType: c.ByType, Pages: c.Pages,
				Refused: account.Sum(c.Refused), Defects: c.Defects, BytesUnits: c.BytesUnits, BytesGaps: c.BytesGaps})
		}
	}
	var out []schemas.Input
	for _, f := range slices.Sorted(maps.Keys(byFile)) {
		out = append(out, *byFile[f])
	}
	return out
}

// withUnverified adds the flag of unverified records, at its place among those of
// the reader.
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

// merge sorts the rows of a table's shards, and extra ones, into one file. It
// returns nil if there are none, or if shards were found to be damaged. edit sees
// every row before it is sorted.
func merge[T any](ctx context.Context, c *compactor, found *damage, table *columnar.Table[T], compare func(a, b *T) int,
	seq int, entries []*entry, extra []T, edit func(*entry, *T)) (*schemas.Shard, error) {

	s := &sorter[T]{table: table, compare: compare, limit: c.sortRows, dir: c.tempDir}
	defer s.close()
	want, err := gather(ctx, c, found, s, entries, edit)
	if err != nil || found.any() {
		return nil, err
	}
	for i := range extra {
		if err := s.add(&extra[i]); err != nil {
			return nil, err
		}
		want++
	}
	if want == 0 {
		return nil, nil
	}
	return tables.Write(ctx, c.store, table, schemas.PartName(table.Name(), seq, c.term)+".parquet", c.run, c.size, s.sorted(ctx))
}

// gather adds the rows of a table's shards to s and returns their number, which
// is the one that was reported. Once an item is damaged, rows are only read to see
// whether others are.
func gather[T any](ctx context.Context, c *compactor, found *damage, s *sorter[T], entries []*entry, edit func(*entry, *T)) (total int64, err error) {
	table := s.table
	for _, e := range entries {
		if e.done == nil || found.has(e) {
			continue
		}
		var rows int64
		add := func(row *T) error {
			rows++
			if edit != nil {
				edit(e, row)
			}
			if found.any() {
				return nil
			}
			return s.add(row)
		}
		for i := range e.done.Shards {
			shard := &e.done.Shards[i]
			if shard.Table != table.Name() {
				continue
			}
			if err := readShard(ctx, c, table, shard, add); err != nil {
				if !isDamage(err) {
					return 0, err
				}
				found.add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
		}
		if reported := e.done.Counts.Rows[table.Name()]; rows != reported {
			found.add(e, fmt.Errorf("%w: its shards have %d rows of %s, its report %d", account.ErrConservation, rows, table.Name(), reported))
		}
		total += rows
	}
	return total, nil
}

// errChecksum says that a shard's bytes are not those that were reported.
var errChecksum = errors.New("checksum differs from the report's")

// readShard checks a shard and calls f for each of its rows. A file whose reading
// panics is an error like any other that is malformed.
func readShard[T any](ctx context.Context, c *compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	return supervise.Call(func() error { return readRows(ctx, c, table, shard, f) })
}

func readRows[T any](ctx context.Context, c *compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	file, err := c.store.Open(ctx, shard.Name)
	if err != nil {
		return err
	}
	defer file.Close()
	checked, err := c.verify(file, shard)
	if err != nil {
		return err
	}
	defer checked.Close()
	r, err := columnar.NewReader(table, checked, shard.Bytes)
	if err != nil {
		return err
	}
	if m := r.Meta(); m.Run != c.run.ID || m.Recipe != c.run.Hash {
		return fmt.Errorf("%w: it is of run %s, recipe %s", columnar.ErrMalformed, m.Run, m.Recipe)
	}
	for row, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

type readCloserAt interface {
	io.ReaderAt
	io.Closer
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// verify copies a shard to memory or to a temporary file and compares its
// checksum on the way.
func (c *compactor) verify(file blob.File, shard *schemas.Shard) (readCloserAt, error) {
	if file.Size() != shard.Bytes {
		return nil, fmt.Errorf("%w: %d bytes, reported %d", errChecksum, file.Size(), shard.Bytes)
	}
	var to io.Writer
	var out readCloserAt
	hash := sha256.New()
	in := io.NewSectionReader(file, 0, file.Size())
	if shard.Bytes <= shardInMemory {
		data := make([]byte, shard.Bytes)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, err
		}
		hash.Write(data)
		out = inMemory{bytes.NewReader(data)}
	} else {
		temp, err := os.CreateTemp(c.tempDir, "winnow-shard-*.parquet")
		if err != nil {
			return nil, err
		}
		os.Remove(temp.Name()) // it lives as long as it is open
		to, out = io.MultiWriter(temp, hash), temp
		if _, err := io.CopyBuffer(to, in, make([]byte, 1<<20)); err != nil {
			temp.Close()
			return nil, err
		}
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != shard.SHA256 {
		out.Close()
		return nil, fmt.Errorf("%w: %s, reported %s", errChecksum, sum, shard.SHA256)
	}
	return out, nil
}

// adopt takes over the shards of texts as they are, under names of the part.
func (c *compactor) adopt(ctx context.Context, found *damage, seq int, entries []*entry) ([]schemas.Shard, error) {
	var out []schemas.Shard
	for _, e := range entries {
		if e.done == nil || found.has(e) {
			continue
		}
		var rows int64
		for i := range e.done.Shards {
			shard := e.done.Shards[i]
			if shard.Table != schemas.TableTexts {
				continue
			}
			rows += shard.Rows
			name := fmt.Sprintf("%s-f%05d-i%05d%s", schemas.PartName(schemas.TableTexts, seq, c.term), e.item.File, e.item.Seq, shard.Ending())
			do := c.copy
			if found.any() {
				do = c.there
			}
			if err := do(ctx, &shard, name); err != nil {
				if !isDamage(err) {
					return nil, err
				}
				found.add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
			shard.Name = name
			out = append(out, shard)
		}
		if reported := e.done.Counts.Rows[schemas.TableTexts]; rows != reported {
			found.add(e, fmt.Errorf("%w: its shards have %d rows of texts, its report %d", account.ErrConservation, rows, reported))
		}
	}
	return out, nil
}

// copy gives a shard another name, if possible without moving its bytes.
func (c *compactor) copy(ctx context.Context, shard *schemas.Shard, name string) error {
	if err := c.there(ctx, shard, ""); err != nil {
		return err
	}
	return blob.Copy(ctx, c.store, shard.Name, name)
}

// intact verifies that a shard's bytes are those that were reported.
func (c *compactor) intact(ctx context.Context, shard *schemas.Shard) error {
	file, err := c.store.Open(ctx, shard.Name)
	if err != nil {
		return err
	}
	defer file.Close()
	checked, err := c.verify(file, shard)
	if err != nil {
		return err
	}
	return checked.Close()
}

// there verifies that a shard has the size that was reported.
func (c *compactor) there(ctx context.Context, shard *schemas.Shard, _ string) error {
	info, err := c.store.Stat(ctx, shard.Name)
	if err == nil && info.Size != shard.Bytes {
		err = fmt.Errorf("%w: %d bytes, reported %d", errChecksum, info.Size, shard.Bytes)
	}
	return err
}
