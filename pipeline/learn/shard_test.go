package learn

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/pipeline/internal/cursor"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
)

// pages returns n captures on the given number of sites. Every fifth address is
// captured again.
func pages(n, sites int) []*Candidate {
	var out []*Candidate
	for i := range n {
		address := i
		if i%5 == 4 {
			address = i - 4
		}
		url := fmt.Sprintf("http://s%d.example/%d", address%sites, address)
		out = append(out, &Candidate{Site: fmt.Sprintf("s%d.example", address%sites), Rank: website.RankOf(url), TextHash: uint64(address / 2), URL: url,
			Date: int64(1000 + i*7%13), RecordID: fmt.Sprint("urn:", i), File: int32(i % 3), Offset: int64(i) * 100, Copy: int64(i%4) - 1})
	}
	return out
}

func shardOf(t testing.TB, kept, located []*Candidate) []byte {
	t.Helper()
	var out bytes.Buffer
	s := NewShard(&out)
	for _, c := range kept {
		if err := s.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range located {
		if err := s.Locate(Locations, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readAll(t testing.TB, data []byte, kind Kind) []*Candidate {
	t.Helper()
	file := bytes.NewReader(data)
	var out []*Candidate
	for b := int64(0); b < schemas.SiteBuckets; b += 100 {
		r, err := ReadShard(file, file.Size(), b, b+150)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Read(file, kind, b, min(b+100, schemas.SiteBuckets), func(c *Candidate) { out = append(out, c) }); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func lists(b *BottomK) map[string][]Candidate {
	out := map[string][]Candidate{}
	for name, kept := range b.All() {
		for _, c := range kept {
			out[name] = append(out[name], *c)
		}
	}
	return out
}

// The same pages are kept, however the input is divided into items, in whatever order
// the items are read, and if some are read twice. They equal the first pages of the
// sorted list.
func TestKeptPagesDoNotDependOnTheCut(t *testing.T) {
	all := pages(3000, 7)
	best := map[uint64]*Candidate{}
	for _, c := range all {
		if old := best[c.Rank]; old == nil || better(c, old) {
			best[c.Rank] = c
		}
	}
	want := map[string][]Candidate{}
	for _, c := range best {
		want[c.Site] = append(want[c.Site], *c)
	}
	for name := range want {
		slices.SortFunc(want[name], func(a, b Candidate) int { return map[bool]int{true: -1, false: 1}[a.Rank < b.Rank] })
		want[name] = want[name][:keptPages]
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, items := range []int{1, 2, 17, 300} {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var union BottomK
		for i := range items + 2 { // two items come twice
			from, to := i%items*len(all)/items, (i%items+1)*len(all)/items
			for _, c := range readAll(t, shardOf(t, all[from:to], nil), Samples) {
				union.Add(c)
			}
		}
		got := lists(&union)
		for name := range want {
			if !slices.Equal(got[name], want[name]) {
				t.Fatalf("%d items: site %s has other pages", items, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d items: %d sites, want %d", items, len(got), len(want))
		}
	}
}

func TestLongListSkipsPagesThatSayTheSame(t *testing.T) {
	var b BottomK
	for i := range 80 {
		b.Add(&Candidate{Site: "s", Rank: uint64(1000 - i), TextHash: uint64(i) / 2})
	}
	for _, kept := range b.All() {
		long := long(kept, template.LongList(template.SamplePages))
		if len(kept) != keptPages || len(long) != template.LongList(template.SamplePages) {
			t.Fatalf("%d kept, %d long", len(kept), len(long))
		}
		// The ranks 921, 922 … belong to i = 79, 78 …. The smaller rank of each pair
		// has the odd i.
		for i, c := range long {
			if c.Rank != uint64(921+2*i) {
				t.Errorf("page %d has rank %d", i, c.Rank)
			}
		}
	}
}

func TestShardHoldsLocations(t *testing.T) {
	all := pages(500, 40)
	for _, c := range all { // only sampled pages have a hash of their text
		c.Target, c.TextHash = c.TextHash, 0
	}
	got := readAll(t, shardOf(t, nil, all), Locations)
	slices.SortFunc(got, func(a, b *Candidate) int { return int(a.Offset - b.Offset) })
	if len(got) != len(all) {
		t.Fatalf("%d locations, want %d", len(got), len(all))
	}
	var both bytes.Buffer
	s := NewShard(&both)
	for i, c := range all {
		if err := s.Locate([]Kind{Locations, Redirects}[i%2], c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[Kind]int{Samples: 0, Locations: 250, Redirects: 250} {
		if n := len(readAll(t, both.Bytes(), kind)); n != want {
			t.Errorf("%d of kind %d, want %d", n, kind, want)
		}
	}
	for i := range all {
		want := *all[i]
		want.Target = 0 // only a redirect has a target
		if *got[i] != want {
			t.Fatalf("location %d: %+v, want %+v", i, *got[i], want)
		}
	}
	redirects := readAll(t, both.Bytes(), Redirects)
	slices.SortFunc(redirects, func(a, b *Candidate) int { return int(a.Offset - b.Offset) })
	for i, c := range redirects {
		if want := all[2*i+1]; *c != *want {
			t.Fatalf("redirect %d: %+v, want %+v", i, *c, *want)
		}
	}
}

func TestDamagedShardsAreErrors(t *testing.T) {
	good := shardOf(t, pages(200, 9), pages(200, 9))
	readSome := func(data []byte) error {
		file := bytes.NewReader(data)
		r, err := ReadShard(file, file.Size(), 0, schemas.SiteBuckets)
		if err != nil {
			return err
		}
		for _, k := range []Kind{Samples, Locations, Redirects} {
			if err := r.Read(file, k, 0, schemas.SiteBuckets, func(*Candidate) {}); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range good {
		data := bytes.Clone(good)
		data[i] ^= 0x10
		if err := readSome(data); i >= len(shardMagic) && !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("byte %d of %d changed: %v", i, len(good), err)
		}
		if err := readSome(good[:i]); !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
}

func FuzzReadShard(f *testing.F) {
	f.Add(shardOf(f, pages(20, 3), pages(20, 3)))
	f.Add(shardOf(f, nil, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := bytes.NewReader(data)
		r, err := ReadShard(file, file.Size(), 0, schemas.SiteBuckets)
		if err != nil {
			return
		}
		for _, k := range []Kind{Samples, Locations, Redirects} {
			r.Read(file, k, 0, schemas.SiteBuckets, func(*Candidate) {})
		}
	})
}
