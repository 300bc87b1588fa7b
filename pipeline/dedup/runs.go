package dedup

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/fact/signature"
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

// Check returns an error if the run has nothing to compare, with what to do. With exact,
// signatures are not enough.
func (r Run) Check(exact bool) error {
	m := r.Manifest
	if m.Finished.IsZero() {
		return fmt.Errorf("dedup: run %s is not finished: go on with it first ('winnow run --run %s --out ...')", m.Run.ID, m.Run.ID)
	}
	if form := m.Run.Recipe.TextForm; form != "" && (exact || r.minHash() == nil) {
		return fmt.Errorf("dedup: run %s kept its texts as %s, whose markup would be compared, too: run it again with --facts signature or without the form in --texts", m.Run.ID, form)
	}
	if m.Run.Recipe.Texts != "" || !exact && r.minHash() != nil {
		return nil
	}
	if exact {
		return fmt.Errorf("dedup: run %s kept no texts, whose shingles are to be compared: run it again with --texts parquet, or leave --exact out", m.Run.ID)
	}
	return fmt.Errorf("dedup: run %s has neither signatures nor texts: run it again with --facts signature or --texts parquet", m.Run.ID)
}

// minHash returns the column of documents with the signatures of texts, nil if the run
// has not computed them.
func (r Run) minHash() []schemas.FactColumn {
	columns := r.Manifest.Run.Recipe.DocumentColumns()
	i := slices.IndexFunc(columns, func(c schemas.FactColumn) bool { return c.Name == signature.MinHashColumn })
	if i < 0 {
		return nil
	}
	return columns[i : i+1]
}

// Texts yields the texts of runs by the named extractors, of all if there are no names. It
// reads signatures instead of texts where a run has them, unless exact is set.
func Texts(ctx context.Context, runs []Run, extractors []string, exact bool) iter.Seq2[*Text, error] {
	return func(yield func(*Text, error) bool) {
		for _, r := range runs {
			texts := r.texts(ctx)
			if column := r.minHash(); column != nil && !exact {
				texts = r.signatures(ctx, column)
			}
			for t, err := range texts {
				if err != nil {
					yield(nil, fmt.Errorf("%s: %w", r.Store.URL(), err))
					return
				}
				if len(extractors) > 0 && !slices.Contains(extractors, t.Extractor) {
					continue
				}
				if !yield(t, nil) {
					return
				}
			}
		}
	}
}

// texts yields the texts of the run.
func (r Run) texts(ctx context.Context) iter.Seq2[*Text, error] {
	return func(yield func(*Text, error) bool) {
		for _, file := range r.Manifest.FilesOf(schemas.TableTexts) {
			for row, err := range tables.Texts(ctx, r.Store, file, nil) {
				if err != nil {
					yield(nil, err)
					return
				}
				t := Text{Run: row.Run, Package: row.Package, DocID: row.DocID, URL: row.URL, Extractor: row.Extractor, Content: row.Text}
				if t.Run == "" { // JSON lines do not repeat it
					t.Run = string(r.Manifest.Run.ID)
				}
				if !yield(&t, nil) {
					return
				}
			}
		}
	}
}

// signatures yields the texts of the run by their signatures. Pages on which an extractor
// chose nothing, failed or was skipped have no text.
func (r Run) signatures(ctx context.Context, column []schemas.FactColumn) iter.Seq2[*Text, error] {
	return func(yield func(*Text, error) bool) {
		table := columnar.DocumentColumns(column, "run", "package", "doc_id", "url", "extractor", "outcome")
		for _, file := range r.Manifest.FilesOf(schemas.TableDocuments) {
			for row, err := range tables.Rows(ctx, r.Store, table, file) {
				if err != nil {
					yield(nil, err)
					return
				}
				if row.Outcome != "ok" {
					continue
				}
				t := Text{Run: row.Run, Package: row.Package, DocID: row.DocID, URL: row.URL, Extractor: row.Extractor}
				if v := row.Facts[0]; v.Known {
					t.MinHash = new(signature.MinHash)
					if !t.MinHash.Read([]byte(v.Text)) {
						yield(nil, fmt.Errorf("%s: the signature of %s by %s has %d bytes, want %d", file, row.DocID, row.Extractor, len(v.Text), signature.Size))
						return
					}
				}
				if !yield(&t, nil) {
					return
				}
			}
		}
	}
}

// Write clusters the texts of runs and writes the table to a file of store.
func Write(ctx context.Context, runs []Run, extractors []string, o Options, store blob.Store, name string) (*Summary, error) {
	for _, r := range runs {
		if err := r.Check(o.Exact); err != nil {
			return nil, err
		}
	}
	// The run that the file names as its source: a single run, or all of them.
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
	s, err := Find(ctx, func() iter.Seq2[*Text, error] { return Texts(ctx, runs, extractors, o.Exact) }, o, w.Append)
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
