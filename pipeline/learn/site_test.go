package learn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// sortedFile writes rows to a file of sorted candidates and opens it.
func sortedFile(t *testing.T, rows []schemas.Candidate) *siteStream {
	t.Helper()
	store, err := blob.New(blob.Options{}).Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(rows, func(a, b schemas.Candidate) int { return schemas.CompareCandidates(&a, &b) })
	_, err = tables.Write(t.Context(), store, columnar.Candidates, "c.parquet", &schemas.Run{ID: "r", Hash: "h"}, columnar.Size{Rows: 3}, func(yield func(*schemas.Candidate, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := openSites(t.Context(), store, "c.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// Each site has its pages, its redirects and its targets, whether they are sought or not.
func TestSitesComeOneAfterTheOther(t *testing.T) {
	var rows []schemas.Candidate
	for _, site := range []string{"a", "b", "c"} {
		for rank := range uint64(5) {
			rows = append(rows, schemas.Candidate{Site: site, Kind: schemas.KindPage, Rank: rank, URL: fmt.Sprint(site, rank)})
		}
		for rank := range uint64(9) {
			for date := range int64(2) {
				rows = append(rows, schemas.Candidate{Site: site, Kind: schemas.KindTarget, Rank: rank, Date: date})
			}
		}
		rows = append(rows, schemas.Candidate{Site: site, Kind: schemas.KindRedirect, Rank: 20, Target: 7},
			schemas.Candidate{Site: site, Kind: schemas.KindRedirect, Rank: 21, Target: 20}, schemas.Candidate{Site: site, Kind: schemas.KindRedirect, Rank: 3, Target: 8})
	}
	s := sortedFile(t, rows)
	for _, site := range []string{"a", "b", "c"} {
		_, pages, err := s.next()
		if err != nil || len(pages) != 5 || s.site != site || pages[4].URL != site+"4" {
			t.Fatalf("%s: %d pages of %s, %v", site, len(pages), s.site, err)
		}
		if site == "b" {
			continue // nothing is sought
		}
		if err := s.Seek([]uint64{3, 20, 21, 30}); err != nil {
			t.Fatal(err)
		}
		// A page comes before a redirect from its address, and a redirect to a redirect
		// is not followed.
		for rank, want := range map[uint64]uint64{3: 3, 20: 7} {
			if got := s.Captures(rank); len(got) != 2 || got[0].Rank != want || got[0].Site != site || got[0].Date != 1 {
				t.Errorf("%s: captures of %d: %+v", site, rank, got)
			}
		}
		for _, rank := range []uint64{21, 30} {
			if got := s.Captures(rank); len(got) != 0 {
				t.Errorf("%s: captures of %d: %+v", site, rank, got)
			}
		}
	}
	if _, pages, err := s.next(); len(pages) != 0 || err != nil {
		t.Errorf("after the last site: %d pages, %v", len(pages), err)
	}
}
