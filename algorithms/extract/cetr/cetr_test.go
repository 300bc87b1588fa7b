package cetr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/lines"
	"github.com/winnow/winnow/algorithms/page"
)

var all = []*algorithms.Extractor{CETR, CETRKM, CETRTM}

func TestGolden(t *testing.T) { algotest.Golden(t, all...) }

func TestNoGarbage(t *testing.T) {
	for _, e := range all {
		algotest.NoGarbage(t, e)
	}
}

func TestEdges(t *testing.T) {
	for _, e := range all {
		algotest.Edges(t, e, map[string]string{"empty": "", "no-body": "", "only-images": "", "only-hidden": ""})
	}
	// A single line has no deviation, and is far from the origin.
	algotest.Edges(t, CETR, map[string]string{"one-text": "only words here", "one-word": "word"})
	algotest.Edges(t, CETRTM, map[string]string{"one-text": "only words here", "one-word": "word"})
}

// blur smooths as the definition says, weight by weight.
func blur(v []float64, s float64) []float64 {
	out := make([]float64, len(v))
	radius := int(math.Ceil(s))
	for i := range v {
		sum, weights := 0.0, 0.0
		for j := -radius; j <= radius; j++ {
			if i+j >= 0 && i+j < len(v) {
				g := math.Exp(-float64(j*j) / (2 * s * s))
				sum += g * v[i+j]
				weights += g
			}
		}
		out[i] = sum / weights
	}
	return out
}

// cluster is k-means by the definition; it returns the cluster of each point.
func cluster(points []point, k, rounds int) []int {
	distance := func(p, q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }
	centroids := []point{{}}
	for len(centroids) < k {
		best, most := 0, -1.0
		for i, p := range points {
			least := math.Inf(1)
			for _, c := range centroids {
				least = min(least, distance(p, c))
			}
			if least > most*(1+1e-12) {
				best, most = i, least
			}
		}
		centroids = append(centroids, points[best])
	}
	of := make([]int, len(points))
	for round := 0; ; round++ {
		changed := false
		for i, p := range points {
			best := 0
			for c := range centroids {
				if distance(p, centroids[c]) < distance(p, centroids[best]) {
					best = c
				}
			}
			changed = changed || of[i] != best
			of[i] = best
		}
		if round > 0 && !changed || round == rounds {
			return of
		}
		for c := 1; c < k; c++ {
			var sum point
			n := 0.0
			for i, p := range points {
				if of[i] == c {
					sum, n = point{sum.x + p.x, sum.y + p.y}, n+1
				}
			}
			if n > 0 {
				centroids[c] = point{sum.x / n, sum.y / n}
			}
		}
	}
}

// contents are the lines that a variant keeps, by the definition.
func contents(v *lines.View, variant string) []bool {
	n := v.Len()
	ratio := make([]float64, n)
	for i := range ratio {
		ratio[i] = float64(v.Chars[i]) / math.Max(1, float64(v.Tags[i]))
	}
	t := blur(ratio, 2)
	keep := make([]bool, n)
	if variant == "cetr-tm" {
		mean, sd := 0.0, 0.0
		for _, x := range t {
			mean += x / float64(n)
		}
		for _, x := range t {
			sd += (x - mean) * (x - mean) / float64(n)
		}
		for i := range keep {
			keep[i] = t[i] > math.Sqrt(sd)
		}
		return keep
	}
	points := make([]point, n)
	d := make([]float64, n)
	for i := range d {
		sum, m := 0.0, 0.0
		for j := i + 1; j <= i+3 && j < n; j++ {
			sum, m = sum+t[j], m+1
		}
		if m > 0 {
			d[i] = math.Abs(sum/m - t[i])
		}
	}
	d = blur(d, 2)
	for i := range points {
		points[i].x = t[i]
		if variant == "cetr" {
			points[i].y = d[i]
		}
	}
	for i, c := range cluster(points, 3, 50) {
		keep[i] = c != 0
	}
	return keep
}

func twin(variant string) func(*algorithms.Pass) page.Selection {
	return func(p *algorithms.Pass) (s page.Selection) {
		v, tokens := lines.Default.Of(p), p.Page.Tokens()
		if v.Len() == 0 {
			return s
		}
		for i, keep := range contents(v, variant) {
			if keep {
				s.AddTokens(p.Body, tokens, int(v.From[i]), int(v.To[i]))
			}
		}
		s.SortSource(p.Body)
		return s
	}
}

func TestTwin(t *testing.T) {
	for _, e := range all {
		algotest.Twin(t, e, 300, twin(e.Name))
	}
}

func TestKMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, k, rounds := 1+r.IntN(80), 2+r.IntN(3), r.IntN(8)
		points := make([]point, n)
		xs, ys, got := make([]float64, n), make([]float64, n), make([]int8, n)
		for i := range points {
			points[i] = point{float64(r.IntN(100)) * r.Float64(), float64(r.IntN(30)) * r.Float64()}
			xs[i], ys[i] = points[i].x, points[i].y
		}
		kmeans(got, xs, ys, k, rounds)
		for i, want := range cluster(points, k, rounds) {
			if int(got[i]) != want {
				t.Fatalf("point %d of %v is in cluster %d, want %d", i, points, got[i], want)
			}
		}
	}
}

// TestLines works out a page of six lines, with text 0, 20, 30, 2, 0 and 1 and
// tags 1, 2, 1, 0, 2 and 1: ratios 0, 10, 30, 2, 0, 1.
func TestLines(t *testing.T) {
	ratio := []float64{0, 10, 30, 2, 0, 1}
	smoothed := make([]float64, len(ratio))
	smooth(smoothed, ratio, kernel(2))
	// In the middle the weights are 0.152469, 0.221841, 0.251379; at the ends
	// what is there is scaled up: 0.251379 + 0.221841 + 0.152469 = 0.625689.
	const a, b, c = 0.152469, 0.221841, 0.251379
	for i, want := range []float64{
		(b*10 + a*30) / (a + b + c),
		(c*10 + b*30 + a*2) / (1 - a),
		b*10 + c*30 + b*2,
		a*10 + b*30 + c*2 + a*1,
		(a*30 + b*2 + b*1) / (1 - a),
		(a*2 + c*1) / (a + b + c),
	} {
		if math.Abs(smoothed[i]-want) > 1e-4 {
			t.Errorf("T'(%d) = %v, want %v", i, smoothed[i], want)
		}
	}
	// T' is 10.86 11.18 10.20 8.83 6.18 0.89, its standard deviation 3.60: only
	// the last line is not content.
	m := &method{Params: Default, kernel: kernel(2)}
	s := scratch{}
	s.resize(len(ratio))
	copy(s.ratio, smoothed)
	m.byDeviation(&s)
	if want := []bool{true, true, true, true, true, false}; !slices.Equal(s.content, want) {
		t.Errorf("by deviation %v, want %v", s.content, want)
	}
	// Seeds are 0, 11.18 (the farthest) and 6.18: the last line stays at the origin.
	m.byRatio(&s)
	if want := []int8{1, 1, 1, 1, 2, 0}; !slices.Equal(s.cluster, want) {
		t.Errorf("clusters %v, want %v", s.cluster, want)
	}
}
