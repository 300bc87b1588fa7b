package cetr

const (
	maxK      = 16
	maxRounds = 50
)

type point struct{ x, y float64 }

// squared is the square of the distance.
func (p point) squared(q point) float64 {
	dx, dy := p.x-q.x, p.y-q.y
	return float64(dx*dx) + float64(dy*dy)
}

// kmeans sets cluster[i] to the cluster of the point (xs[i], ys[i]). Centroid 0
// stays at the origin. The others begin at the points that are farthest from
// all centroids before them.
func kmeans(cluster []int8, xs, ys []float64, k int) {
	n := len(cluster)
	xs, ys = xs[:n], ys[:n]
	var store [maxK]point
	centroids := store[:k]
	for c := 1; c < k; c++ {
		centroids[c] = farthest(xs, ys, centroids[:c])
	}
	assign(cluster, xs, ys, centroids)
	for range maxRounds {
		recentre(cluster, xs, ys, centroids)
		if !assign(cluster, xs, ys, centroids) {
			return
		}
	}
}

// farthest is the first point with the largest distance to the nearest of the
// centroids.
func farthest(xs, ys []float64, centroids []point) point {
	best, most := point{xs[0], ys[0]}, -1.0
	for i, x := range xs {
		p := point{x, ys[i]}
		_, d := nearest(p, centroids)
		if d > most {
			best, most = p, d
		}
	}
	return best
}

// nearest is the nearest centroid, the first on ties, and its squared distance.
func nearest(p point, centroids []point) (c int, squared float64) {
	squared = p.squared(centroids[0])
	for i := 1; i < len(centroids); i++ {
		if d := p.squared(centroids[i]); d < squared {
			c, squared = i, d
		}
	}
	return c, squared
}

// assign gives every point its nearest centroid and reports whether any point
// changed its cluster.
func assign(cluster []int8, xs, ys []float64, centroids []point) bool {
	changed := false
	for i, was := range cluster {
		c, _ := nearest(point{xs[i], ys[i]}, centroids)
		if int8(c) != was {
			cluster[i], changed = int8(c), true
		}
	}
	return changed
}

// recentre moves every centroid but the first to the mean of its points.
func recentre(cluster []int8, xs, ys []float64, centroids []point) {
	var sums [maxK]point
	var counts [maxK]int
	for i, c := range cluster {
		sums[c].x += xs[i]
		sums[c].y += ys[i]
		counts[c]++
	}
	for c := 1; c < len(centroids); c++ {
		if n := float64(counts[c]); n > 0 {
			centroids[c] = point{sums[c].x / n, sums[c].y / n}
		}
	}
}
