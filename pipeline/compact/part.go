package compact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// shardInMemory is the largest shard that is held in memory; larger ones go
// through a temporary file, so that what was checked is what is read.
const shardInMemory = 32 << 20

// Part writes the files of part seq. Nothing refers to them yet. The error is a
// *Damage if shards of some items cannot be used.
func (c *Compactor) Part(ctx context.Context, seq int, entries []*Entry) (schemas.Part, error) {
	part := schemas.Part{Seq: seq, Inputs: inputs(entries)}
	var span int64
	for _, e := range entries {
		part.Items = append(part.Items, schemas.Commit{ID: e.Item.ID(), File: e.Item.File, Seq: e.Item.Seq,
			First: e.First, Next: e.Next, Dead: e.Dead, Unverified: e.Unverified})
		if e.Done != nil {
			account.AddCounts(&part.Counts, &e.Done.Counts)
			span += e.Next - e.First
		}
	}
	if err := account.CheckCounts(&part.Counts, &c.Run.Recipe, span); err != nil {
		return part, fmt.Errorf("compact: part %d: %w", seq, err)
	}

	// One table after the other: the workers need the cores more, and it halves
	// the memory.
	found := new(Damage)
	rows := newRowCheck(&c.Run.Recipe, found)
	documents, err := merge(ctx, c, found, columnar.Documents, schemas.CompareDocuments, seq, entries, nil, func(e *Entry, r *schemas.Document) {
		rows.document(e, r)
		if _, late := slices.BinarySearch(e.Done.Unverified, r.Offset); late || e.Unverified {
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
	texts, err := c.adopt(ctx, found, seq, entries)
	if err != nil {
		return part, err
	}
	if found.Any() {
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
func inputs(entries []*Entry) []schemas.Input {
	byFile := map[int]*schemas.Input{}
	for _, e := range entries {
		if e.Done != nil {
			c := &e.Done.Counts
			account.AddInput(byFile, &schemas.Input{File: e.Item.File, Records: c.Records, ByType: c.ByType, Pages: c.Pages,
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
func merge[T any](ctx context.Context, c *Compactor, found *Damage, table *columnar.Table[T], compare func(a, b *T) int,
	seq int, entries []*Entry, extra []T, edit func(*Entry, *T)) (*schemas.Shard, error) {

	s := &sorter[T]{table: table, compare: compare, limit: c.SortRows, dir: c.TempDir}
	defer s.close()
	want, err := gather(ctx, c, found, s, entries, edit)
	if err != nil || found.Any() {
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
	return tables.Write(ctx, c.Store, table, schemas.PartName(table.Name(), seq, c.Term)+".parquet", c.Run, c.Size, s.sorted(ctx))
}

// gather adds the rows of a table's shards to s and returns their number, which
// is the one that was reported. Once an item is damaged, rows are only read to see
// whether others are.
func gather[T any](ctx context.Context, c *Compactor, found *Damage, s *sorter[T], entries []*Entry, edit func(*Entry, *T)) (total int64, err error) {
	table := s.table
	for _, e := range entries {
		if e.Done == nil || found.has(e) {
			continue
		}
		var rows int64
		add := func(row *T) error {
			rows++
			if edit != nil {
				edit(e, row)
			}
			if found.Any() {
				return nil
			}
			return s.add(row)
		}
		for i := range e.Done.Shards {
			shard := &e.Done.Shards[i]
			if shard.Table != table.Name() {
				continue
			}
			if err := readShard(ctx, c, table, shard, add); err != nil {
				if !IsDamage(err) {
					return 0, err
				}
				found.Add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
		}
		if reported := e.Done.Counts.Rows[table.Name()]; rows != reported {
			found.Add(e, fmt.Errorf("%w: its shards have %d rows of %s, its report %d", account.ErrConservation, rows, table.Name(), reported))
		}
		total += rows
	}
	return total, nil
}

// readShard checks a shard and calls f for each of its rows. A file whose reading
// panics is an error like any other that is malformed.
func readShard[T any](ctx context.Context, c *Compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	return panics.Call(func() error { return readRows(ctx, c, table, shard, f) })
}

func readRows[T any](ctx context.Context, c *Compactor, table *columnar.Table[T], shard *schemas.Shard, f func(*T) error) error {
	file, err := c.Store.Open(ctx, shard.Name)
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
	if m := r.Meta(); m.Run != c.Run.ID || m.Recipe != c.Run.Hash {
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
func (c *Compactor) verify(file blob.File, shard *schemas.Shard) (readCloserAt, error) {
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
		temp, err := os.CreateTemp(c.TempDir, "winnow-shard-*.parquet")
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
func (c *Compactor) adopt(ctx context.Context, found *Damage, seq int, entries []*Entry) ([]schemas.Shard, error) {
	var out []schemas.Shard
	for _, e := range entries {
		if e.Done == nil || found.has(e) {
			continue
		}
		var rows int64
		for i := range e.Done.Shards {
			shard := e.Done.Shards[i]
			if shard.Table != schemas.TableTexts {
				continue
			}
			rows += shard.Rows
			name := fmt.Sprintf("%s-f%05d-i%05d%s", schemas.PartName(schemas.TableTexts, seq, c.Term), e.Item.File, e.Item.Seq, shard.Ending())
			do := c.Copy
			if found.Any() {
				do = c.there
			}
			if err := do(ctx, &shard, name); err != nil {
				if !IsDamage(err) {
					return nil, err
				}
				found.Add(e, fmt.Errorf("shard %s: %w", shard.Name, err))
			}
			shard.Name = name
			out = append(out, shard)
		}
		if reported := e.Done.Counts.Rows[schemas.TableTexts]; rows != reported {
			found.Add(e, fmt.Errorf("%w: its shards have %d rows of texts, its report %d", account.ErrConservation, rows, reported))
		}
	}
	return out, nil
}

// Copy gives a shard another name, if possible without moving its bytes.
func (c *Compactor) Copy(ctx context.Context, shard *schemas.Shard, name string) error {
	if err := c.there(ctx, shard, ""); err != nil {
		return err
	}
	return blob.Copy(ctx, c.Store, shard.Name, name)
}

// Intact verifies that a shard's bytes are those that were reported.
func (c *Compactor) Intact(ctx context.Context, shard *schemas.Shard) error {
	file, err := c.Store.Open(ctx, shard.Name)
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
func (c *Compactor) there(ctx context.Context, shard *schemas.Shard, _ string) error {
	info, err := c.Store.Stat(ctx, shard.Name)
	if err == nil && info.Size != shard.Bytes {
		err = fmt.Errorf("%w: %d bytes, reported %d", errChecksum, info.Size, shard.Bytes)
	}
	return err
}
