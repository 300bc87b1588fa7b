package mask

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

func TestThreshold(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 9: 1, 10: 1, 11: 2, 20: 2, 24: 3, 25: 3, 30: 3, 31: 4, 64: 7} {
		if got := Threshold(10, n); got != want {
			t.Errorf("10 %% of %d: %d, want %d", n, got, want)
		}
	}
	if Threshold(100, 5) != 5 || Threshold(1, 5) != 1 {
		t.Error("thresholds at the ends")
	}
}

// TestStorageIsLossless: what is below the threshold of all pages is below that
// of all but one, whether or not the page left out had it.
func TestStorageIsLossless(t *testing.T) {
	for percent := 1; percent <= 100; percent++ {
		for n := 1; n <= 64; n++ {
			if least := Threshold(percent, n); Threshold(percent, n-1) < least-1 {
				t.Errorf("%d %%, %d pages: leaving one out lowers the threshold by more than one", percent, n)
			}
		}
	}
}

func TestOthers(t *testing.T) {
	f := func(n, page int, m uint64, wantN, wantCount int) {
		t.Helper()
		o := Without(n, page)
		if got := o.Count(m); o.N != wantN || got != wantCount {
			t.Errorf("%d pages without %d: %b counts %d of %d, want %d of %d", n, page, m, got, o.N, wantCount, wantN)
		}
	}
	f(3, -1, 0b101, 3, 2)
	f(3, 0, 0b101, 2, 1)
	f(3, 1, 0b101, 2, 2)
	f(3, 3, 0b101, 3, 2)
	f(64, 63, ^uint64(0), 63, 63)
}

func TestFold(t *testing.T) {
	got := Fold([][]uint64{Keys([]uint64{3, 1, 2, 3}), {2}, nil, Keys([]uint64{2, 1})})
	if want := []Entry{{1, 0b1001}, {2, 0b1011}, {3, 0b0001}}; !slices.Equal(got, want) {
		t.Errorf("%b, want %b", got, want)
	}
	if got := Common(got, 2); !slices.Equal(got, []Entry{{1, 0b1001}, {2, 0b1011}}) {
		t.Errorf("common: %b", got)
	}
	if got := Fold(nil); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

// TestFoldNaive compares with a Go map.
func TestFoldNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		pages := make([][]uint64, r.IntN(65))
		want := map[uint64]uint64{}
		for p := range pages {
			for range r.IntN(40) {
				k := r.Uint64N(100) << r.UintN(57)
				pages[p] = append(pages[p], k)
				want[k] |= 1 << p
			}
			pages[p] = Keys(pages[p])
		}
		entries := Fold(pages)
		m := newMap(entries)
		if len(entries) != len(want) || m.Len() != len(want) || !slices.IsSortedFunc(entries, func(a, b Entry) int { return cmpKeys(a, b) }) {
			t.Fatalf("%d entries, want %d, in order", len(entries), len(want))
		}
		for k, mask := range want {
			if m.Of(k) != mask {
				t.Fatalf("%x: %b, want %b", k, m.Of(k), mask)
			}
			if _, there := want[k+1]; !there && m.Of(k+1) != 0 {
				t.Fatalf("%x is found", k+1)
			}
		}
	}
	if newMap(nil).Of(^uint64(0)) != 0 || newMap([]Entry{{^uint64(0), 1}}).Of(^uint64(0)) != 1 {
		t.Error("the last key")
	}
}

func cmpKeys(a, b Entry) int {
	if a.Key < b.Key {
		return -1
	}
	return 1
}

func TestFit(t *testing.T) {
	entries := []Entry{{1, 0b1}, {2, 0b111}, {3, 0b11}, {4, 0b11}, {5, 0b111}}
	got, cut := fit(slices.Clone(entries), 3*EntrySize+5)
	if want := []Entry{{2, 0b111}, {3, 0b11}, {5, 0b111}}; !cut || !slices.Equal(got, want) {
		t.Errorf("%v %v, want %v", got, cut, want)
	}
	if got, cut := fit(entries, 5*EntrySize); cut || len(got) != 5 {
		t.Errorf("%v %v", got, cut)
	}
	if got, cut := fit(entries, -1); !cut || len(got) != 0 {
		t.Errorf("%v %v", got, cut)
	}
}

func TestCodec(t *testing.T) {
	entries := []Entry{{7, 0b1}, {1 << 60, 0b110}}
	var w codec.Writer
	Write(&w, entries)
	WriteKeys(&w, []uint64{1, 5})
	r := codec.NewReader(w.Out)
	m := Read(r, 3)
	keys := ReadKeys(r)
	if err := r.Close(); err != nil || !slices.Equal(m.entries, entries) || !slices.Equal(keys, []uint64{1, 5}) {
		t.Errorf("%v %v %v", m.entries, keys, err)
	}
	bad := func(n int, entries ...Entry) {
		t.Helper()
		var w codec.Writer
		Write(&w, entries)
		r := codec.NewReader(w.Out)
		if m := Read(r, n); !errors.Is(r.Close(), codec.ErrMalformed) || m.Of(7) != 0 {
			t.Errorf("%v of %d pages was read", entries, n)
		}
	}
	bad(2, Entry{7, 0b100})
	bad(2, Entry{7, 0})
	bad(2, Entry{7, 1}, Entry{7, 1})
	bad(2, Entry{7, 1}, Entry{6, 1})
	bad(65, Entry{7, 1})
	r = codec.NewReader([]byte{2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
	if ReadKeys(r); !errors.Is(r.Close(), codec.ErrMalformed) {
		t.Error("keys twice the same were read")
	}
	r = codec.NewReader([]byte{255, 255, 255, 255, 15})
	if Read(r, 3); !errors.Is(r.Close(), codec.ErrMalformed) {
		t.Error("a count beyond the data was taken")
	}
}

func TestTable(t *testing.T) {
	var s algorithms.Sample
	for r, keys := range [][]uint64{{9, 1, 9}, {1, 2}, {1, 2}, {1}, {1}} {
		data, err := Sketch(keys)
		if err != nil {
			t.Fatal(err)
		}
		s.Pages = append(s.Pages, algorithms.Sketched{Rank: uint64(r), Data: data})
	}
	learned, err := Learn(&s, 40) // two pages of five
	if err != nil || learned.Nothing || len(learned.Notes) > 0 {
		t.Fatalf("%+v %v", learned, err)
	}
	table, err := Open(learned.Body)
	if err != nil || table.Pages != 5 || table.Len() != 2 || table.Of(1) != 0b11111 || table.Of(2) != 0b00110 || table.Of(9) != 0 {
		t.Errorf("%+v %v", table, err)
	}
	if _, err := Sketch(make([]uint64, 10)); err != nil {
		t.Error(err) // they are one
	}
	many := make([]uint64, algorithms.MaxSketch/8)
	for i := range many {
		many[i] = uint64(i)
	}
	if _, err := Sketch(many); err != algorithms.ErrPageTooLarge {
		t.Errorf("%d keys: %v", len(many), err)
	}
	s.Pages[2].Data = []byte{1}
	if _, err := Learn(&s, 40); !errors.Is(err, codec.ErrMalformed) {
		t.Errorf("a damaged sketch: %v", err)
	}
	if _, err := Open([]byte{65, 0}); !errors.Is(err, codec.ErrMalformed) {
		t.Errorf("a table of 65 pages: %v", err)
	}
}
