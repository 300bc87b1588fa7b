package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// This is the worked example of the specification, scorers 15.4.
func TestWilcoxonWorkedExample(t *testing.T) {
	s := Wilcoxon([]float64{0.10, 0.05, -0.02, 0, 0.20, 0.05})
	if !near(s.Plus, 18) || !near(s.Minus, 2) || !near(s.Effect(), 0.8) || !near(s.P, 0.125) || !s.Exact {
		t.Errorf("%+v, effect %v; want 18, 2, 0.8, 0.125", s, s.Effect())
	}
	if s.Wins != 4 || s.Ties != 1 || s.Losses != 1 {
		t.Errorf("%d wins, %d ties, %d losses", s.Wins, s.Ties, s.Losses)
	}
}

func TestWilcoxonNothing(t *testing.T) {
	for _, d := range [][]float64{nil, {0, 0, 1e-12}} {
		if s := Wilcoxon(d); s.P != 1 || s.Effect() != 0 {
			t.Errorf("%v: %+v", d, s)
		}
	}
}

// twin enumerates all assignments of signs directly.
func twin(d []float64) float64 {
	type item struct{ rank, value float64 }
	var items []item
	for _, x := range d {
		if x == 0 {
			continue
		}
		below, equal := 0, 0
		for _, y := range d {
			switch {
			case math.Abs(y) < math.Abs(x)-tie:
				below++
			case math.Abs(math.Abs(y)-math.Abs(x)) < tie:
				equal++
			}
		}
		items = append(items, item{float64(below) + float64(equal+1)/2, x})
	}
	sum, plus := 0.0, 0.0
	for _, it := range items {
		sum += it.rank
		if it.value > 0 {
			plus += it.rank
		}
	}
	far := 0
	for signs := range 1 << len(items) {
		w := 0.0
		for i, it := range items {
			if signs>>i&1 == 1 {
				w += it.rank
			}
		}
		if math.Abs(w-sum/2) >= math.Abs(plus-sum/2)-1e-9 {
			far++
		}
	}
	return float64(far) / float64(int(1)<<len(items))
}

func TestWilcoxonTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		d := make([]float64, 1+random.IntN(12))
		for i := range d {
			d[i] = float64(random.IntN(9)-4) / 8 // many ties and zeros
		}
		if got, want := Wilcoxon(d).P, twin(d); !near(got, want) {
			t.Fatalf("%v: p %v, want %v", d, got, want)
		}
	}
}

// At the size from which the approximation is used, it is close to the enumeration.
func TestWilcoxonApproximation(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		d := make([]float64, maxExact)
		for i := range d {
			d[i] = random.NormFloat64() + 0.2
		}
		s := Wilcoxon(d)
		var doubled []int
		for i := range d {
			doubled = append(doubled, 2*(i+1))
		}
		if approximate := normalP(doubled, s.Plus); math.Abs(approximate-s.P) > 0.01 {
			t.Errorf("exact %v, approximate %v", s.P, approximate)
		}
	}
}

func TestBootstrap(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const n = 400
	scores := make([][]float64, 3)
	clusters := make([]int, n)
	for i := range n {
		base := random.Float64()
		scores[0] = append(scores[0], base)
		scores[1] = append(scores[1], base+0.05*random.Float64()) // better by 0.025
		scores[2] = append(scores[2], random.Float64())           // no better than 0, with noise
		clusters[i] = i
	}
	b := NewBootstrap(scores, clusters, 2000, 1)
	mean, low, high, p := b.Difference(1, 0)
	if math.Abs(mean-0.025) > 0.003 || low > mean || high < mean || low < 0.02 || high > 0.03 || p > 0.01 {
		t.Errorf("difference %v [%v, %v], p %v", mean, low, high, p)
	}
	if _, low, high, p := b.Difference(2, 0); p < 0.05 || low > 0 || high < 0 {
		t.Errorf("noise differs: [%v, %v], p %v", low, high, p)
	}
	if _, _, _, p := b.Difference(0, 0); p != 1 {
		t.Errorf("a method differs from itself: p %v", p)
	}
	again := NewBootstrap(scores, clusters, 2000, 1)
	if !slices.Equal(again.means[2], b.means[2]) {
		t.Error("the same seed gives other replicates")
	}
	// The standard error of a mean of n uniform numbers is 1/sqrt(12 n).
	if low, high := b.Interval(2); math.Abs((high-low)-2*1.96/math.Sqrt(12*n)) > 0.006 {
		t.Errorf("interval [%v, %v] has width %v", low, high, high-low)
	}
}

// Pages of one site are drawn together, so an interval over ten sites is wider than one
// over their hundred pages.
func TestBootstrapClusters(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	var scores []float64
	var sites, pages []int
	for site := range 10 {
		quality := random.Float64()
		for range 10 {
			pages = append(pages, len(scores))
			sites = append(sites, site)
			scores = append(scores, quality)
		}
	}
	l1, h1 := NewBootstrap([][]float64{scores}, sites, 2000, 1).Interval(0)
	l2, h2 := NewBootstrap([][]float64{scores}, pages, 2000, 1).Interval(0)
	if h1-l1 < 2*(h2-l2) {
		t.Errorf("by site %v, by page %v", h1-l1, h2-l2)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	want := []float64{0.03, 0.06, 0.06, 0.02} // 3·0.01; 0.04 lifted to 2·0.03; 4·0.005
	for i := range want {
		if !near(got[i], want[i]) {
			t.Errorf("%v, want %v", got, want)
			break
		}
	}
	if got := Holm([]float64{0.6, 0.9}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v must stop at 1", got)
	}
}

func TestGroups(t *testing.T) {
	values := []float64{9, 8.5, 8, 5, 4.8, 1}
	got := Groups(len(values), func(i, j int) bool { return math.Abs(values[i]-values[j]) > 0.6 })
	if want := []string{"a", "ab", "b", "c", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
