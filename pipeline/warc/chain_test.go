package warc

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// account holds the totals of all accepted items of a file.
type account struct {
	recs       []got
	byType     map[string]int64
	units      int64
	gaps       int64
	defects    map[Code]int64
	unverified []int64
}

func (a *account) add(recs []got, s Summary) {
	if a.byType == nil {
		a.byType, a.defects = map[string]int64{}, map[Code]int64{}
	}
	a.recs = append(a.recs, recs...)
	a.units += s.BytesUnits
	a.gaps += s.BytesGaps
	for k, v := range s.ByType {
		a.byType[k] += v
	}
	for k, v := range s.Defects {
		a.defects[k] += v
	}
	a.unverified = append(a.unverified, s.Unverified...)
}

func (a *account) diff(b *account) string {
	for i := range min(len(a.recs), len(b.recs)) {
		if a.recs[i] != b.recs[i] {
			return fmt.Sprintf("record %d is %v, want %v", i, a.recs[i], b.recs[i])
		}
	}
	switch {
	case len(a.recs) != len(b.recs):
		return fmt.Sprintf("%d records, want %d", len(a.recs), len(b.recs))
	case !maps.Equal(a.byType, b.byType):
		return fmt.Sprintf("types %v, want %v", a.byType, b.byType)
	case a.units != b.units || a.gaps != b.gaps:
		return fmt.Sprintf("%d+%d bytes, want %d+%d", a.units, a.gaps, b.units, b.gaps)
	case !maps.Equal(a.defects, b.defects):
		return fmt.Sprintf("defects %v, want %v", a.defects, b.defects)
	case !slices.Equal(a.unverified, b.unverified):
		return fmt.Sprintf("unverified %v, want %v", a.unverified, b.unverified)
	}
	return ""
}

// partition reads a file in items that begin at the cuts. It returns what the chain
// accepts and how many items had to be run again.
func partition(t testing.TB, r *Reader, src Source, cuts []int64, opt Options) (sum account, foreign, reruns int) {
	t.Helper()
	var c Chain
	edges := append(append([]int64{0}, cuts...), src.Size())
	for i := range edges[1:] {
		start, end, first := edges[i], edges[i+1], int64(-1)
		for runs := 0; ; runs++ {
			recs, s := readItem(t, r, src, start, end, first, opt)
			v, from, err := c.Next(Extent{start, end, s.First, s.Next})
			if err != nil {
				t.Fatal(err)
			}
			if v == Accept {
				sum.add(recs, s)
				break
			}
			foreign += len(recs)
			if v == Discard {
				break
			}
			if reruns++; runs > 0 {
				t.Fatalf("item [%d,%d) from %d was run again twice", start, end, first)
			}
			first = from
		}
	}
	if _, err := c.Close(src.Size(), true); err != nil {
		t.Fatal(err)
	}
	return sum, foreign, reruns
}

// randomCuts cuts a file into up to 49 items. Some of the cuts lie exactly at the start of
// a record or one byte after it.
func randomCuts(rng *rand.Rand, size int64, recs []got) []int64 {
	var cuts []int64
	for range rng.IntN(49) {
		if len(recs) > 0 && rng.IntN(4) == 0 {
			at := recs[rng.IntN(len(recs))].Offset + rng.Int64N(2)
			cuts = append(cuts, min(at, size))
			continue
		}
		cuts = append(cuts, rng.Int64N(size+1))
	}
	slices.Sort(cuts)
	return cuts
}

// checkPartitions compares n random partitions of a file with reading it in one piece. It
// returns how many records were read at wrong locations meanwhile.
func checkPartitions(t *testing.T, src Source, n int, opt Options) (foreign, reruns int) {
	t.Helper()
	var want account
	recs, s := readAll(t, src, opt)
	want.add(recs, s)
	var r Reader // used for all items, because no item may depend on the state that another left
	rng := rand.New(rand.NewPCG(1, uint64(src.Size())))
	for range n {
		cuts := randomCuts(rng, src.Size(), want.recs)
		sum, f, again := partition(t, &r, src, cuts, opt)
		if d := sum.diff(&want); d != "" {
			t.Fatalf("cut at %v: %s", cuts, d)
		}
		foreign += f
		reruns += again
	}
	return foreign, reruns
}

// TestRealCollectionPartitions checks that every file of the collection, in any partition,
// gives the records of reading it from front to back.
func TestRealCollectionPartitions(t *testing.T) {
	dir, files := shared(t)
	n := partitions(30)
	for _, f := range files {
		if strings.Contains(f.name, "giant_html") {
			continue // one record of 431 MB
		}
		t.Run(f.name, func(t *testing.T) {
			src := openShared(t, dir, f.name)
			format, err := Probe(src)
			if err == nil && !format.Splittable() {
				t.Skip("one item")
			}
			b := make([]byte, src.Size())
			src.ReadAt(b, 0)
			foreign, reruns := checkPartitions(t, bytes.NewReader(b), max(1, min(n, int(50<<20/(src.Size()+1)))), Options{})
			if f.name == "derived/warc-inside-warc.warc.gz" && (foreign == 0 || reruns == 0) {
				t.Error("no scan was led astray: the test shows nothing")
			}
		})
	}
}
