package serve

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// wanted describes what the tables are searched for.
type wanted struct {
	text      string // a part of the id, the URL, a fact or the extracted text of a page
	where     string // an expression over the columns of the page and the document, as that of --keep
	extractor string // whose documents and texts are searched
}

// findings are the pages that were found.
type findings struct {
	pages    []bool           // by their number in the index, which may have got more pages since
	excerpts map[int32]string // words around wanted.text, of the first maxExcerpts texts that have it
}

// maxExcerpts bounds the memory of findings.
const maxExcerpts = 10_000

func (f *findings) has(i int32) bool { return int(i) < len(f.pages) && f.pages[i] }

// search reads the tables of a run. One search is done at a time, and what it found is kept
// until the next, because readers turn the pages of a list.
type search struct {
	mu    sync.Mutex
	done  wanted
	parts int // number of the run's parts when it was done
	found *findings
}

// matches returns the pages that are wanted; nil if all are. An expression that is wrong is
// an errExpression.
func (x *pageIndex) matches(ctx context.Context, w wanted) (*findings, error) {
	if w.text == "" && w.where == "" {
		return nil, nil
	}
	s := &x.search
	s.mu.Lock()
	defer s.mu.Unlock()
	x.mu.RLock()
	m, f := x.m, &findings{pages: make([]bool, len(x.pages)), excerpts: map[int32]string{}}
	x.mu.RUnlock()
	if s.found != nil && s.done == w && s.parts == len(m.Parts) {
		return s.found, nil
	}
	for i := range f.pages {
		f.pages[i] = w.text == ""
	}
	if w.text != "" {
		if err := x.findText(ctx, m, w, f); err != nil {
			return nil, err
		}
	}
	if w.where != "" {
		if err := x.findWhere(ctx, m, w, f); err != nil {
			return nil, err
		}
	}
	s.done, s.parts, s.found = w, len(m.Parts), f
	return f, nil
}

// findText adds the pages that have the text.
func (x *pageIndex) findText(ctx context.Context, m *schemas.Manifest, w wanted, f *findings) error {
	text := strings.ToLower(w.text)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	facts := m.Run.Recipe.PageColumns()
	for row, err := range tables.TableRows(ctx, x.store, columnar.PageColumns(facts, "package", "doc_id", "url"), m) {
		if err != nil {
			return err
		}
		in := has(row.DocID) || has(row.URL)
		for i := range facts {
			in = in || facts[i].Kind == schemas.FactText && has(row.Facts[i].Text)
		}
		if at, known := x.number(row.Package, row.DocID); in && known {
			f.add(at)
		}
	}
	shown := func(row *schemas.Text) bool { return row.Extractor == w.extractor }
	for _, file := range m.FilesOf(schemas.TableTexts) {
		for row, err := range tables.Texts(ctx, x.store, file, shown) {
			if err != nil {
				return err
			}
			lower := strings.ToLower(row.Text)
			start := strings.Index(lower, text)
			at, known := x.number(row.Package, row.DocID)
			if start < 0 || !known {
				continue
			}
			if f.add(at); len(f.excerpts) < maxExcerpts {
				f.excerpts[at] = excerpt(lower, start, start+len(text))
			}
		}
	}
	return nil
}

// add adds a page. One that the index has got since is not added.
func (f *findings) add(page int32) {
	if int(page) < len(f.pages) {
		f.pages[page] = true
	}
}

// excerpt returns the words around a part of a text.
func excerpt(text string, start, end int) string {
	from, to := max(0, start-60), min(len(text), end+100)
	out := strings.Join(strings.Fields(strings.ToValidUTF8(text[from:to], "")), " ")
	if from > 0 {
		out = "… " + out
	}
	if to < len(text) {
		out += " …"
	}
	return out
}

// errExpression is the error of an expression.
type errExpression struct{ error }

// findWhere removes the pages for which the expression is not true.
func (x *pageIndex) findWhere(ctx context.Context, m *schemas.Manifest, w wanted, f *findings) error {
	filter, err := keep.New([]string{w.where}, m.Run.Recipe.Facts)
	if err != nil {
		return errExpression{fmt.Errorf("columns: %w", err)}
	}
	evaluator := filter.Evaluator()
	kept := make([]bool, len(f.pages))
	for i := range m.Parts {
		for row, err := range tables.DocumentColumns(ctx, x.store, columnar.PagesOf(&m.Run.Recipe), columnar.DocumentsOf(&m.Run.Recipe), &m.Parts[i]) {
			if err != nil {
				return err
			}
			if row.Extractor != w.extractor || evaluator.LeftOutBy(row.Page, row.Document) != "" {
				continue
			}
			if at, known := x.number(row.Package, row.DocID); known && int(at) < len(kept) {
				kept[at] = true
			}
		}
	}
	for i := range kept {
		f.pages[i] = f.pages[i] && kept[i]
	}
	return nil
}

// number returns the number of a page.
func (x *pageIndex) number(pkg, id string) (at int32, known bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.numberOf(pkg, id)
}
