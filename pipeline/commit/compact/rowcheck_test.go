package compact

import (
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestPagesAndDocumentsAreTheSame checks that an item's rows of pages must be those that
// its documents are about, one for each page.
func TestPagesAndDocumentsAreTheSame(t *testing.T) {
	recipe := &schemas.Recipe{Extractors: []schemas.Method{{Name: "a"}, {Name: "b"}}}
	one, two := schemas.Page{Package: "p", DocID: "1", PageID: 1}, schemas.Page{Package: "p", DocID: "2", PageID: 2}
	f := func(sound bool, pages ...schemas.Page) {
		t.Helper()
		e := &Entry{Done: &schemas.Done{Counts: schemas.Counts{Outcomes: map[string]int64{"a/ok": 2, "b/ok": 2}}}}
		found := new(Damage)
		check := newRowCheck(recipe, found)
		for _, p := range []schemas.Page{one, two} {
			for _, m := range recipe.Extractors {
				check.document(e, &schemas.Document{Package: p.Package, DocID: p.DocID, PageID: p.PageID, Extractor: m.Name, Outcome: "ok"})
			}
		}
		check.endDocuments()
		for i := range pages {
			check.page(e, &pages[i])
		}
		check.endPages()
		if sound == found.Any() || !sound && !strings.Contains(found.Cause(e).Error(), "its rows of pages are not those of its documents") {
			t.Errorf("%+v: found %v", pages, found)
		}
	}
	f(true, one, two)
	f(true, two, one)
	f(false, one)
	f(false, one, one)
	f(false, one, schemas.Page{Package: "p", DocID: "2", PageID: 3})
	f(false, one, schemas.Page{Package: "q", DocID: "2", PageID: 2})
}

// TestLinksAreThoseThatPagesCount checks that every page of an item must have as many
// rows of links as its own row says.
func TestLinksAreThoseThatPagesCount(t *testing.T) {
	recipe := &schemas.Recipe{Facts: []schemas.Fact{{Name: "other", Pages: []schemas.FactColumn{{Name: "o", Kind: schemas.FactText}}},
		{Name: "links", Links: true, Pages: []schemas.FactColumn{{Name: "links", Kind: schemas.FactInt}}}}}
	page := func(id string, links uint64) schemas.Page {
		return schemas.Page{Package: "p", DocID: id, Facts: []schemas.Value{{}, {Known: true, Number: links}}}
	}
	f := func(sound bool, ids ...string) {
		t.Helper()
		e := &Entry{Done: &schemas.Done{}}
		found := new(Damage)
		check := newRowCheck(recipe, found)
		for _, p := range []schemas.Page{page("1", 2), page("2", 1), page("3", 0), {Package: "p", DocID: "4", Facts: make([]schemas.Value, 2)}} {
			check.page(e, &p)
		}
		for _, id := range ids {
			check.link(e, &schemas.LinkRow{Package: "p", DocID: id})
		}
		check.endLinks([]*Entry{e})
		if sound == found.Any() || !sound && !strings.Contains(found.Cause(e).Error(), "its links are not those that its pages count") {
			t.Errorf("%v: found %v", ids, found)
		}
	}
	f(true, "1", "1", "2")
	f(true, "2", "1", "1")
	f(false, "1", "2")
	f(false, "1", "2", "2")
	f(false, "1", "1", "2", "3")
	f(false)
}
