package ingest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// The newest capture of an address counts, by the end of its run and by nothing else. There
// is none if that run has the address with different content, and none of runs before one
// that cannot be compared.
func TestLatestCaptures(t *testing.T) {
	client := blob.New(blob.Options{})
	defer client.Close()
	store := func() blob.Store {
		s, err := client.Store(t.Context(), filepath.Join(t.TempDir(), "r"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	table := columnar.Pages
	run := func(night int, pages ...schemas.Page) extractedRun {
		t.Helper()
		r := extractedRun{store: store(), id: schemas.RunID(fmt.Sprint("night-", night)), finished: time.Unix(int64(night), 0), pages: int64(len(pages))}
		for i := range pages { // a file for each page
			f, err := tables.Write(t.Context(), r.store, table, fmt.Sprintf("pages/part-%05d.parquet", i), &schemas.Run{ID: r.id, Hash: "h"}, columnar.PartSize,
				func(yield func(*schemas.Page, error) bool) { yield(&pages[i], nil) })
			if err != nil {
				t.Fatal(err)
			}
			r.files = append(r.files, f.Name)
		}
		return r
	}
	page := func(url string, content uint64) schemas.Page { return schemas.Page{URL: url, ContentHash: content} }
	first := run(1, page("a", 1), page("b", 1), page("c", 1), page("d", 1), page("e", 5))
	second := run(2, page("a", 2), page("b", 2), page("b", 2), page("c", 3), page("c", 2))
	third := run(3, page("a", 1))
	table = columnar.PageColumns(nil, "url") // of an earlier version
	old := run(2, page("d", 0))

	for _, c := range []struct {
		runs  []extractedRun
		limit int64
		want  string
		note  string
	}{
		{nil, 0, "none", ""},
		{[]extractedRun{{}}, 0, "none", ""}, // it was removed
		{[]extractedRun{first}, 0, "a1 b1 c1 d1 e5", ""},
		{[]extractedRun{first, second}, 0, "a2 b2 d1 e5", ""},
		{[]extractedRun{second, first, third, first}, 0, "a1 b2 d1 e5", ""},
		{[]extractedRun{first, second, third}, 11, "a1 b2 d1 e5", ""},
		{[]extractedRun{first, second, third}, 10, "a1 b2", "the latest 2 of 3 earlier runs, because all have more than 10 pages (--limit earlier-pages)"},
		{[]extractedRun{first, second}, 4, "none", "the latest 0 of 2 earlier runs"},
		{[]extractedRun{first, old, third}, 0, "a1", "the latest 1 of 3 earlier runs, because run night-2 was carried out by an earlier version"},
	} {
		var notes []string
		opt := Options{Run: "next", Store: store(), Note: func(s string) { notes = append(notes, s) }}
		opt.Recipe.Limits.EarlierPages = c.limit
		f, err := writeCaptures(t.Context(), &opt, slices.Clone(c.runs))
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if f != nil {
			var list []string
			last := uint64(0)
			for row, err := range tables.Rows(t.Context(), opt.Store, columnar.Captures, f.Name) {
				if err != nil {
					t.Fatal(err)
				}
				if row.Address < last {
					t.Errorf("%s: not in the order of addresses", c.want)
				}
				last = row.Address
				for _, url := range []string{"a", "b", "c", "d", "e"} {
					if source.HashAddress(url) == row.Address {
						list = append(list, fmt.Sprint(url, row.Content))
					}
				}
			}
			slices.Sort(list)
			got = strings.Join(list, " ")
			r := schemas.Run{Captures: f}
			if !r.Writes(f.Name) || int(f.Rows) != len(list) {
				t.Errorf("%+v for %d addresses", f, len(list))
			}
		}
		if got != c.want || (len(notes) > 0) != (c.note != "") || c.note != "" && !strings.Contains(notes[0], c.note) {
			t.Errorf("captures %s, notes %q; want %s, %q", got, notes, c.want, c.note)
		}
	}

	// A part that has been removed is an error: older captures would count for its pages.
	if err := second.store.Delete(t.Context(), second.files[0]); err != nil {
		t.Fatal(err)
	}
	opt := Options{Run: "next", Store: store()}
	if _, err := writeCaptures(t.Context(), &opt, []extractedRun{first, second}); err == nil || !strings.Contains(err.Error(), second.files[0]) {
		t.Errorf("a part is missing: %v", err)
	}
}
