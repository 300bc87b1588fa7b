package tables

import (
	"context"
	"fmt"
	"iter"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// PageColumns returns the columns of the pages table that readers of a run need who join
// it with documents, by a grouping if they have one. The others, such as titles and
// addresses that facts found, would slow them down.
func PageColumns(r *schemas.Recipe, by stats.Grouping) *columnar.Table[schemas.Page] {
	var facts []schemas.FactColumn
	if by == stats.ByLanguage {
		facts = r.PageColumns() // stats.LanguageOf reads one of them
	}
	return columnar.PageColumns(facts, "package", "doc_id", "page_id", "url", "site", "page_type", "gold_language", "html_bytes", "complexity", "page_consensus")
}

// Documents yields the rows of a part's documents, each with the row of its page: both
// tables are in the order of schemas.ComparePages, so each is read once. The columns of
// pages must include package, doc_id and page_id. A row is valid until the next one. An
// error is the last value; a document without a page is one.
func Documents(ctx context.Context, store blob.Store, pages *columnar.Table[schemas.Page], p *schemas.Part) iter.Seq2[stats.Document, error] {
	return DocumentColumns(ctx, store, pages, columnar.Documents, p)
}

// DocumentColumns is Documents with some columns of documents, which must include
// package, doc_id, page_id and extractor.
func DocumentColumns(ctx context.Context, store blob.Store, pages *columnar.Table[schemas.Page], documents *columnar.Table[schemas.Document], p *schemas.Part) iter.Seq2[stats.Document, error] {
	return func(yield func(stats.Document, error) bool) {
		next, stop := iter.Pull2(PartRows(ctx, store, pages, p))
		defer stop()
		j := pageJoin{next: next}
		for row, err := range PartRows(ctx, store, documents, p) {
			var page *schemas.Page
			if err == nil {
				page, err = j.pageOf(row)
			}
			if !yield(stats.Document{Document: row, Page: page}, err) || err != nil {
				return
			}
		}
	}
}

// pageJoin finds the pages of documents that come in order. It holds all pages of one
// package and id: a page that was archived twice has two.
type pageJoin struct {
	next  func() (*schemas.Page, error, bool)
	ahead *schemas.Page  // the first page after those held; nil before the first and after the last
	held  []schemas.Page // pages of one package and id
	at    int            // index of the page found last
	ended bool
}

func (j *pageJoin) pageOf(row *schemas.Document) (*schemas.Page, error) {
	key := schemas.Page{Package: row.Package, DocID: row.DocID}
	if len(j.held) == 0 || schemas.ComparePages(&j.held[0], &key) != 0 {
		if err := j.load(&key); err != nil {
			return nil, err
		}
	}
	// Every extractor has its rows in the order of the pages, so the search begins at the
	// page that follows the last one.
	for n := range j.held {
		if i := (j.at + n) % len(j.held); j.held[i].PageID == row.PageID {
			j.at = i + 1
			return &j.held[i], nil
		}
	}
	return nil, fmt.Errorf("tables: %w: document %s of package %s by %s has no row of pages", account.ErrConservation, row.DocID, row.Package, row.Extractor)
}

// load reads the pages with the package and id of key.
func (j *pageJoin) load(key *schemas.Page) error {
	j.held, j.at = j.held[:0], 0
	for {
		if j.ahead == nil && !j.ended {
			row, err, ok := j.next()
			if err != nil {
				return err
			}
			j.ahead, j.ended = row, !ok
		}
		if j.ended {
			return nil
		}
		switch c := schemas.ComparePages(j.ahead, key); {
		case c > 0:
			return nil
		case c == 0:
			j.held = append(j.held, *j.ahead)
		}
		j.ahead = nil
	}
}
