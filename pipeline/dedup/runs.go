package dedup

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Run is a finished run whose texts are to be compared.
type Run struct {
	Store    blob.Store
	Manifest *schemas.Manifest
}

// Check returns an error if the run has no texts to compare, with what to do.
func (r Run) Check() error {
	m := r.Manifest
	if m.Finished.IsZero() {
		return fmt.Errorf("dedup: run %s is not finished: go on with it first ('winnow run --run %s --out ...')", m.Run.ID, m.Run.ID)
	}
	if m.Run.Recipe.Texts == "" {
		return fmt.Errorf("dedup: run %s kept no texts, and near-duplicates are found by texts: run it again with --texts parquet", m.Run.ID)
	}
	return nil
}

// Texts yields the texts of runs by the named extractors, of all if there are no names.
func Texts(ctx context.Context, runs []Run, extractors []string) iter.Seq2[*Text, error] {
	return func(yield func(*Text, error) bool) {
		var t Text
		for _, r := range runs {
			for _, file := range r.Manifest.FilesOf(schemas.TableTexts) {
				for row, err := range tables.Texts(ctx, r.Store, file) {
					if err != nil {
						yield(nil, fmt.Errorf("%s: %w", r.Store.URL(), err))
						return
					}
					if len(extractors) > 0 && !slices.Contains(extractors, row.Extractor) {
						continue
					}
					t = Text{Run: row.Run, Package: row.Package, DocID: row.DocID, URL: row.URL, Extractor: row.Extractor, Content: row.Text}
					if !yield(&t, nil) {
						return
					}
				}
			}
		}
	}
}

// Write clusters the texts of runs and writes the table to a file of store.
func Write(ctx context.Context, runs []Run, extractors []string, o Options, store blob.Store, name string) (*Summary, error) {
	for _, r := range runs {
		if err := r.Check(); err != nil {
			return nil, err
		}
	}
	// What the file says it comes from: the run, or all of them.
	from := runs[0].Manifest.Run
	if len(runs) > 1 {
		var ids, hashes []string
		for _, r := range runs {
			ids, hashes = append(ids, string(r.Manifest.Run.ID)), append(hashes, r.Manifest.Run.Hash)
		}
		from.ID, from.Hash = schemas.RunID(strings.Join(ids, ",")), strings.Join(hashes, ",")
	}
	file, err := store.Create(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("dedup: create %s: %w", path.Base(name), err)
	}
	defer file.Close()
	w, err := columnar.NewWriter(columnar.Duplicates, file, from.ID, from.Hash, columnar.PartSize)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	defer w.Close()
	s, err := Find(ctx, func() iter.Seq2[*Text, error] { return Texts(ctx, runs, extractors) }, o, w.Append)
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	if _, err := file.Commit(); err != nil {
		return nil, fmt.Errorf("dedup: write %s: %w", path.Base(name), err)
	}
	return s, nil
}
