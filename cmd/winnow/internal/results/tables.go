package results

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// Formats are the forms that rows can be written in.
var Formats = []string{"tsv", "csv", "json"}

// Tables are the names of the tables that Write can write.
var Tables = []string{"results", "pages", "documents", "scores", "links", "packages", "speed", "groups", "agreement", "texts", "templates", "confidence", "failures", "files", "duplicates"}

// Write writes one table of the run in store.
func Write(ctx context.Context, w io.Writer, store blob.Store, table, format string, o Options) error {
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		return err
	}
	out, err := newSheet(w, format)
	if err != nil {
		return err
	}
	switch table {
	case "results":
		err = writeResults(ctx, out, store, m, o)
	case "pages": // its rows are about pages, whichever extractor ran
		err = writeRows(ctx, out, store, columnar.PagesOf(&m.Run.Recipe), m.FilesOf(schemas.TablePages), func(r *schemas.Page) bool {
			return len(o.Packages) == 0 || slices.Contains(o.Packages, r.Package)
		})
	case "documents":
		err = writeRows(ctx, out, store, columnar.DocumentsOf(&m.Run.Recipe), m.FilesOf(schemas.TableDocuments), func(r *schemas.Document) bool { return o.wants(r.Package, r.Extractor) })
	case "scores":
		err = writeRows(ctx, out, store, columnar.Scores, m.FilesOf(schemas.TableScores), func(r *schemas.ScoreRow) bool { return o.wants(r.Package, r.Extractor) && o.wantsScorer(r.Scorer) })
	case "links": // like those of pages
		if m.Run.Recipe.LinksColumn() < 0 {
			return fmt.Errorf("results: run %s has no table links: it was made without --facts links", m.Run.ID)
		}
		err = writeRows(ctx, out, store, columnar.Links, m.FilesOf(schemas.TableLinks), func(r *schemas.LinkRow) bool {
			return len(o.Packages) == 0 || slices.Contains(o.Packages, r.Package)
		})
	case "packages":
		err = writeRows(ctx, out, store, columnar.Packages, []string{schemas.PackagesFile}, func(r *schemas.PackageRow) bool { return o.wants(r.Package, r.Extractor) && o.wantsScorer(r.Scorer) })
	case "speed":
		err = writeRows(ctx, out, store, columnar.Speed, []string{schemas.SpeedFile}, func(r *schemas.SpeedRow) bool { return o.wants(r.Package, r.Extractor) })
	case "groups":
		err = writeGroups(ctx, out, store, m, o)
	case "agreement":
		err = writeRows(ctx, out, store, columnar.Agreement, []string{schemas.AgreementFile}, func(r *schemas.AgreementRow) bool {
			return o.wants(r.Package, r.ExtractorA) || o.wants(r.Package, r.ExtractorB)
		})
	case "texts":
		err = writeTexts(ctx, out, store, m, o)
	case "templates": // its rows are about sites and not packages
		files := m.FilesOf(schemas.TableTemplates)
		if len(files) == 0 {
			return fmt.Errorf("results: run %s has no table templates: it has not learned yet, or has no site-level extractor", m.Run.ID)
		}
		err = writeRows(ctx, out, store, columnar.TemplateList, files, func(r *schemas.TemplateRow) bool {
			return len(o.Extractors) == 0 || slices.Contains(o.Extractors, r.Method)
		})
	case "confidence":
		err = writeConfidence(ctx, out, store, m, o)
	case "failures":
		err = writeRows(ctx, out, store, columnar.Failures, []string{schemas.FailuresFile}, func(*schemas.Failure) bool { return true })
	case "files": // a file may belong to many packages
		err = writeFiles(out, m)
	case "duplicates":
		err = writeRows(ctx, out, store, columnar.Duplicates, []string{schemas.DuplicatesFile}, func(r *schemas.Duplicate) bool { return o.wants(r.Package, r.Extractor) })
		if errors.Is(err, blob.ErrNotFound) {
			return fmt.Errorf("results: run %s has no table duplicates: 'winnow dedup OUT' makes it: %w", m.Run.ID, err)
		}
	default:
		return fmt.Errorf("results: no table %q; there are: %v", table, Tables)
	}
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("results: run %s has no table %s: it is not finished, or makes none: %w", m.Run.ID, table, err)
	}
	if err != nil {
		return err
	}
	return out.flush()
}

// writeTexts writes the texts, whose files may be tables, JSON lines or archives.
func writeTexts(ctx context.Context, out *sheet, store blob.Store, m *schemas.Manifest, o Options) error {
	if m.Run.Recipe.Texts == "" {
		return fmt.Errorf("results: run %s kept no texts: it was made without --texts", m.Run.ID)
	}
	wanted := func(r *schemas.Text) bool { return o.wants(r.Package, r.Extractor) }
	return writeFrom(out, columnar.Texts, m.FilesOf(schemas.TableTexts), nil, func(file string) iter.Seq2[*schemas.Text, error] {
		return tables.Texts(ctx, store, file, wanted)
	})
}

// writeRows writes the wanted rows of the given files of a table.
func writeRows[T any](ctx context.Context, out *sheet, store blob.Store, table *columnar.Table[T], files []string, wanted func(*T) bool) error {
	return writeFrom(out, table, files, wanted, func(file string) iter.Seq2[*T, error] {
		return tables.Rows(ctx, store, table, file)
	})
}

// writeFrom is writeRows with the rows that read returns for each file. If wanted is nil, it
// writes them all.
func writeFrom[T any](out *sheet, table *columnar.Table[T], files []string, wanted func(*T) bool, read func(file string) iter.Seq2[*T, error]) error {
	if err := out.header(table.Columns()); err != nil {
		return err
	}
	for _, file := range files {
		for row, err := range read(file) {
			if err != nil {
				return err
			}
			if wanted != nil && !wanted(row) {
				continue
			}
			if err := out.row(table.Cells(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sheet writes rows of cells in one of Formats.
type sheet struct {
	names []string
	csv   *csv.Writer
	json  *json.Encoder
	line  []string
}

func newSheet(w io.Writer, format string) (*sheet, error) {
	switch format {
	case "tsv", "csv":
		s := &sheet{csv: csv.NewWriter(w)}
		if format == "tsv" {
			s.csv.Comma = '\t'
		}
		return s, nil
	case "json":
		s := &sheet{json: json.NewEncoder(w)}
		s.json.SetEscapeHTML(false)
		return s, nil
	}
	return nil, fmt.Errorf("results: no format %q; there are: %v", format, Formats)
}

func (s *sheet) header(names []string) error {
	s.names = names
	if s.csv == nil {
		return nil
	}
	return s.csv.Write(names)
}

func (s *sheet) row(cells []columnar.Cell) error {
	if s.csv != nil {
		s.line = s.line[:0]
		for _, c := range cells {
			s.line = append(s.line, plain(c))
		}
		return s.csv.Write(s.line)
	}
	object := make(map[string]any, len(cells)) // Encode sorts the keys
	for i, c := range cells {
		switch {
		case c.Null:
			object[s.names[i]] = nil
		case c.Number:
			object[s.names[i]] = json.RawMessage(c.Text)
		default:
			object[s.names[i]] = c.Text
		}
	}
	return s.json.Encode(object)
}

// plain returns a cell that no spreadsheet treats as a formula. Names and texts come
// from a crawl, and a spreadsheet would compute a text that begins with "=". An
// apostrophe before the text prevents that, as OWASP recommends (CSV Injection).
// Numbers are not changed. JSON has every text unchanged.
func plain(c columnar.Cell) string {
	if c.Number || c.Null || c.Text == "" || c.Text == "-" {
		return c.Text
	}
	switch r, _ := utf8.DecodeRuneInString(c.Text); r {
	case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠':
		if _, err := strconv.ParseFloat(c.Text, 64); err != nil {
			return "'" + c.Text
		}
	}
	return c.Text
}

func (s *sheet) flush() error {
	if s.csv == nil {
		return nil
	}
	s.csv.Flush()
	return s.csv.Error()
}
