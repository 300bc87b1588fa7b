package vector

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// of is the vector with the given counts.
func of(counts map[string]int) View {
	type feature struct {
		id    uint32
		count int
	}
	var all []feature
	for name, n := range counts {
		id := wordID(xxhash.Sum64String(name))
		switch name {
		case "#img":
			id = images
		case "#script":
			id = scripts
		case "#a":
			id = links
		}
		all = append(all, feature{id, n})
	}
	slices.SortFunc(all, func(a, b feature) int { return int(int64(a.id) - int64(b.id)) })
	var s Set
	for _, f := range all {
		s.add(f.id, f.count)
	}
	s.seal()
	return s.View(0)
}

func cosine(v, w View) float64 {
	return float64(dot(v, w)) / math.Sqrt(float64(v.Square)*float64(w.Square))
}

// TestCosine has worked examples.
func TestCosine(t *testing.T) {
	f := func(v, w View, cos float64, similar bool) {
		t.Helper()
		if got := cosine(v, w); math.Abs(got-cos) > 5e-6 {
			t.Errorf("cosine %v, want %v", got, cos)
		}
		if Similar(v, w, 90) != similar || Similar(w, v, 90) != similar {
			t.Errorf("similar %v, want %v", !similar, similar)
		}
	}
	// dot 1+1+1+12 = 15, |v|² = 12, |w|² = 20: 15/√240
	f(of(map[string]int{"home": 1, "news": 1, "sport": 1, "#a": 3}),
		of(map[string]int{"home": 1, "news": 1, "sport": 1, "login": 1, "#a": 4}), 0.96825, true)
	f(of(map[string]int{"copyright": 1, "2009": 1, "acme": 1}), of(map[string]int{"copyright": 1, "2010": 1, "acme": 1}), 0.66667, false)
	// Exactly 0.9 is not above it: 9·10/(10·10), with |v|² = 81+19·1, |w|² = 100.
	v := map[string]int{"x": 9}
	for i := range 19 {
		v[string(rune('a'+i))] = 1
	}
	f(of(v), of(map[string]int{"x": 10}), 0.9, false)
	f(of(map[string]int{"#img": 1}), of(map[string]int{"#img": 3}), 1, true)
}

func TestPage(t *testing.T) {
	html := `<div>news <a href=/>home</a> <img> News<script>1</script></div><div><svg></svg></div><p></p><p>NEWS home news<a href=x></a><img></p><script></script>`
	p := Classic.Of(algotest.Pass(html))
	// body has a script, but neither words nor media; svg has no features.
	if want := []int32{-1, 0, -1, -1, 1}; !slices.Equal(p.Block, want) {
		t.Errorf("vectors %v, want %v", p.Block, want)
	}
	if got := p.View(0); Compare(got, of(map[string]int{"#img": 1, "#script": 1, "#a": 1, "news": 2, "home": 1})) != 0 || got.Square != 8 {
		t.Errorf("%v", got)
	}
	if b := ClassicBinary.Of(algotest.Pass(html)); b.View(0).Square != 5 {
		t.Errorf("binary: %v", b.View(0))
	}
	same := Classic.Of(algotest.Pass(`<div>a b</div><p>b a</p><div>a b b</div>`))
	if want := []int32{-1, 0, 0, 1}; !slices.Equal(same.Block, want) {
		t.Errorf("vectors %v, want %v", same.Block, want)
	}
}

// similar are all vectors that Each finds.
func similar(x *Index, s *Search, v View) (found []int32, ok bool) {
	ok = x.Each(s, v, func(int32) bool { return false }, func(i int32) bool { found = append(found, i); return false })
	return found, ok
}

// random has vectors of few and many features, many of which share some.
func random(r *rand.Rand, n int) *Set {
	var p Pool
	for range n {
		var s Set
		id := uint32(r.IntN(3))
		for range 1 + r.IntN(1+r.IntN(30)) {
			s.add(id, 1+r.IntN(1+r.IntN(5)))
			id += 1 + uint32(r.IntN(1+r.IntN(8)))
		}
		s.seal()
		p.Put(s.View(0))
	}
	return &p.Set
}

// TestIndexNaive: the index finds what comparing all pairs finds.
func TestIndexNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pairs := 0
	for round := range 40 {
		eps := []int{90, 90, 75, 0, 99, 100}[round%6]
		set, others := random(r, 150), random(r, 50)
		x := NewIndex(set, eps)
		s := Search{Left: math.MaxInt}
		for _, probe := range []*Set{set, others} {
			for i := range probe.Len() {
				v := probe.View(i)
				found, ok := similar(x, &s, v)
				got := slices.Sorted(slices.Values(found))
				var want []int32
				for j := range set.Len() {
					if Similar(v, set.View(j), eps) {
						want = append(want, int32(j))
					}
				}
				if pairs += len(want); !ok || !slices.Equal(got, want) {
					t.Fatalf("ε %d: %v, want %v", eps, got, want)
				}
			}
		}
	}
	if pairs < 10_000 {
		t.Errorf("only %d similar pairs: the test shows little", pairs)
	}
}

// TestPages: skipping and stopping do not change what is asked for.
func TestPages(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		set := random(r, 120)
		masks := make([]uint64, set.Len())
		for i := range masks {
			first, second := r.IntN(12), r.IntN(12)
			masks[i] = 1<<first | 1<<second
		}
		x, s := NewIndex(set, 80), Search{Left: math.MaxInt}
		union, ok := Join(set, masks, 80, math.MaxInt)
		for i := range set.Len() {
			want := uint64(0)
			for j := range set.Len() {
				if Similar(set.View(i), set.View(j), 80) {
					want |= masks[j]
				}
			}
			three, ok3 := x.Pages(&s, set.View(i), masks, func(m uint64) bool { return bits.OnesCount64(m) >= 3 })
			if !ok || !ok3 || union[i] != want || (bits.OnesCount64(three) >= 3) != (bits.OnesCount64(want) >= 3) || three&^want != 0 {
				t.Fatalf("%b and %b, want %b", union[i], three, want)
			}
		}
	}
}

// TestPrefixIsShort: the index looks at few of the vectors that share a feature.
func TestPrefixIsShort(t *testing.T) {
	var set Set
	for i := range 1000 { // all share three links, each has two words of its own
		set.add(links, 3)
		set.add(firstWord+uint32(2*i), 2)
		set.add(firstWord+uint32(2*i)+1, 2)
		set.seal()
	}
	x := NewIndex(&set, 90)
	s := Search{Left: 12}
	if found, ok := similar(x, &s, set.View(500)); !ok || !slices.Equal(found, []int32{500}) {
		t.Errorf("%v %v", found, ok)
	}
}

func TestBudget(t *testing.T) {
	var set Set
	for i := range 200 {
		set.add(images, 1+i)
		set.seal()
	}
	x := NewIndex(&set, 90)
	s := Search{Left: 100}
	if found, ok := similar(x, &s, set.View(0)); ok || len(found) != 0 {
		t.Errorf("%d found within no budget", len(found))
	}
	s.Left = 1000
	if found, ok := similar(x, &s, set.View(0)); !ok || len(found) != 200 {
		t.Errorf("%d found, want 200", len(found))
	}
}

func TestPool(t *testing.T) {
	var p Pool
	a, b := of(map[string]int{"a": 1}), of(map[string]int{"a": 2})
	for i, want := range []int{0, 1, 0, 1} {
		if got := p.Put([]View{a, b}[i%2]); got != want {
			t.Errorf("vector %d is number %d, want %d", i, got, want)
		}
	}
	if p.Len() != 2 || p.View(1).Square != 4 {
		t.Errorf("%d vectors", p.Len())
	}
	if p.Reset(); p.Put(b) != 0 || p.Len() != 1 {
		t.Error("a pool that was emptied is not empty")
	}
}

func TestCodec(t *testing.T) {
	set := random(rand.New(rand.NewPCG(5, 6)), 50)
	var w codec.Writer
	size := 0
	for i := range set.Len() {
		Write(&w, set.View(i))
		size += Size(set.View(i))
	}
	if len(w.Out) != size {
		t.Errorf("%d bytes, not the %d announced", len(w.Out), size)
	}
	r := codec.NewReader(w.Out)
	var got Set
	for range set.Len() {
		got.Read(r)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range set.Len() {
		if a, b := got.View(i), set.View(i); Compare(a, b) != 0 || a.Square != b.Square {
			t.Errorf("%v, want %v", a, b)
		}
	}
	for _, bad := range [][]byte{{0}, {1, 9, 0, 0, 0, 0}, {2, 9, 0, 0, 0, 1, 9, 0, 0, 0, 1}, {2, 9, 0, 0, 0, 1, 8, 0, 0, 0, 1}, {9, 1, 1, 1, 1, 1}} {
		r := codec.NewReader(bad)
		if new(Set).Read(r); r.Close() == nil {
			t.Errorf("%v was read", bad)
		}
	}
}
