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
