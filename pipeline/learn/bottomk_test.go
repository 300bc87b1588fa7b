package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
)

// captures returns n captures on some sites. Every fifth address is captured again.
func captures(n, sites int) []*schemas.Candidate {
	var out []*schemas.Candidate
	for i := range n {
		address := i
		if i%5 == 4 {
			address = i - 4
		}
		url := fmt.Sprintf("http://s%d.example/%d", address%sites, address)
		out = append(out, &schemas.Candidate{Site: fmt.Sprintf("s%d.example", address%sites), Kind: schemas.KindPage, Rank: website.RankOf(url), URL: url,
			Date: int64(1000 + i*7%13), RecordID: fmt.Sprint("urn:", i), Offset: int64(i) * 100})
	}
	return out
}

func kept(t *testing.T, all []*schemas.Candidate) (out []*schemas.Candidate) {
	t.Helper()
	var b BottomK
	for _, c := range all {
		b.Add(c)
	}
	if err := b.Flush(func(c *schemas.Candidate) error { out = append(out, c); return nil }); err != nil {
		t.Fatal(err)
	}
	if b.Len() != 0 {
		t.Errorf("%d candidates are left", b.Len())
	}
	return out
}

// The pages of smallest rank are kept of each site, the latest capture of each address,
// whatever the order and however the pages are divided.
func TestBottomKIsASample(t *testing.T) {
	all := captures(2000, 4)
	want := slices.Clone(all)
	slices.SortFunc(want, schemas.CompareCandidates)
	want = slices.CompactFunc(want, func(a, b *schemas.Candidate) bool { return a.Site == b.Site && a.Rank == b.Rank })
	n := map[string]int{}
	want = slices.DeleteFunc(want, func(c *schemas.Candidate) bool { n[c.Site]++; return n[c.Site] > schemas.SitePages })
	if len(want) != 4*schemas.SitePages {
		t.Fatalf("%d candidates, want %d of each site", len(want), schemas.SitePages)
	}
	for round := range 20 {
		r := rand.New(rand.NewPCG(uint64(round), 1))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		cut := r.IntN(len(all))
		if got := kept(t, append(kept(t, all[:cut]), kept(t, all[cut:])...)); !slices.Equal(got, want) {
			t.Fatalf("round %d: other candidates", round)
		}
	}
}
