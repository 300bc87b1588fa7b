package worker

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/conversion"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// rows is what writes the rows of one table: columnar.Writer, columnar.JSONLines,
// conversion.Writer.
type rows[T any] interface {
	Append(*T) error
	Close() error
	Rows() int64
}

// shard is the file of one table. It is begun by the first row: an item without
// rows for a table has no shard for it.
type shard[T any] struct {
	table schemas.Table
	name  string // of the file
	begin func(io.Writer) (rows[T], error)
	file  *blob.Writer
	rows  rows[T]
}

func (s *shard[T]) append(ctx context.Context, store blob.Store, row *T) error {
	if s.rows == nil {
		file, err := store.Create(ctx, s.name)
		if err != nil {
			return ofOutput(err)
		}
		s.file = file
		if s.rows, err = s.begin(file); err != nil {
			return ofOutput(fmt.Errorf("worker: %s: %w", s.name, err))
		}
	}
	if err := s.rows.Append(row); err != nil {
		return ofOutput(fmt.Errorf("worker: %s: %w", s.name, err))
	}
	return nil
}

// publish makes the file appear and describes it.
func (s *shard[T]) publish() (schemas.Shard, error) {
	if err := s.rows.Close(); err != nil {
		return schemas.Shard{}, ofOutput(fmt.Errorf("worker: %s: %w", s.name, err))
	}
	w, err := s.file.Commit()
	if err != nil {
		return schemas.Shard{}, ofOutput(err)
	}
	return schemas.Shard{Table: s.table, Name: w.Name, Rows: s.rows.Rows(), Bytes: w.Bytes, SHA256: w.SHA256}, nil
}

// discard forgets what was not published.
func (s *shard[T]) discard() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// shards are the rows of one attempt at one item.
type shards struct {
	store     blob.Store
	prefix    string // of their names
	documents shard[schemas.Document]
	scores    shard[schemas.ScoreRow]
	failures  shard[schemas.Failure]
	texts     shard[schemas.Text]
	agreement shard[schemas.AgreementRow]
}

// newShards begins an attempt at an item of run. attempt tells it from others.
func newShards(store blob.Store, run *schemas.Run, it *schemas.Item, attempt string) *shards {
	prefix := fmt.Sprintf("%s/%s/%s-%s-", schemas.ShardFolder, it.Hash, it.ID(), attempt)
	s := &shards{
		store: store, prefix: prefix,
		documents: parquet(columnar.Documents, prefix, it),
		scores:    parquet(columnar.Scores, prefix, it),
		failures:  parquet(columnar.Failures, prefix, it),
		texts:     parquet(columnar.Texts, prefix, it),
		agreement: parquet(columnar.Agreement, prefix, it),
	}
	switch run.Recipe.Texts {
	case schemas.TextsJSONLines:
		s.texts.name = prefix + "texts.jsonl"
		s.texts.begin = func(w io.Writer) (rows[schemas.Text], error) { return columnar.NewJSONLines(w), nil }
	case schemas.TextsWARC:
		s.texts.name = prefix + "texts" + conversion.Suffix
		s.texts.begin = func(w io.Writer) (rows[schemas.Text], error) {
			return conversion.NewWriter(w, conversion.Info{Name: string(it.ID()), Build: run.Recipe.Build, Run: run.ID, Hash: it.Hash, Created: run.Created})
		}
	}
	return s
}

func parquet[T any](t *columnar.Table[T], prefix string, it *schemas.Item) shard[T] {
	return shard[T]{
		table: t.Name(), name: prefix + string(t.Name()) + ".parquet",
		begin: func(w io.Writer) (rows[T], error) {
			return columnar.NewWriter(t, w, it.Run, it.Hash, columnar.ShardSize)
		},
	}
}

func (s *shards) document(ctx context.Context, r *schemas.Document) error {
	return s.documents.append(ctx, s.store, r)
}
func (s *shards) score(ctx context.Context, r *schemas.ScoreRow) error {
	return s.scores.append(ctx, s.store, r)
}
func (s *shards) failure(ctx context.Context, r *schemas.Failure) error {
	return s.failures.append(ctx, s.store, r)
}
func (s *shards) text(ctx context.Context, r *schemas.Text) error {
	return s.texts.append(ctx, s.store, r)
}
func (s *shards) agree(ctx context.Context, r *schemas.AgreementRow) error {
	return s.agreement.append(ctx, s.store, r)
}

// publish makes all shards appear, one after the other, and returns them in a
// fixed order. If it fails midway some have appeared; no report names them.
func (s *shards) publish() ([]schemas.Shard, error) {
	var out []schemas.Shard
	add := func(begun bool, publish func() (schemas.Shard, error)) error {
		if !begun {
			return nil
		}
		sh, err := publish()
		if err == nil {
			out = append(out, sh)
		}
		return err
	}
	err := add(s.documents.rows != nil, s.documents.publish)
	if err == nil {
		err = add(s.scores.rows != nil, s.scores.publish)
	}
	if err == nil {
		err = add(s.texts.rows != nil, s.texts.publish)
	}
	if err == nil {
		err = add(s.failures.rows != nil, s.failures.publish)
	}
	if err == nil {
		err = add(s.agreement.rows != nil, s.agreement.publish)
	}
	return out, err
}

// discard ends the attempt; what was published stays.
func (s *shards) discard() error {
	return errors.Join(s.documents.discard(), s.scores.discard(), s.texts.discard(), s.failures.discard(), s.agreement.discard())
}
