package cetr

const maxK = 16 // a power of two

type point struct{ x, y float64 }

// squared is the square of the distance.
func (p point) squared(q point) float64 {
	dx, dy := p.x-q.x, p.y-q.y
	return float64(dx*dx) + float64(dy*dy)
}

// kmeans sets cluster[i] to the cluster of the point (xs[i], ys[i]). Centroid 0
// stays at the origin. The others begin at the points that are farthest from
// all centroids before them. Centroids move at most rounds times.
func kmeans(cluster []int8, xs, ys []float64, k, rounds int) {
	n := len(cluster)
	xs, ys = xs[:n], ys[:n]
	var store [maxK]point
	centroids := store[:k]
	for c := 1; c < k; c++ {
		centroids[c] = farthest(xs, ys, centroids[:c])
	}
	var m means
	m.assign(cluster, xs, ys, centroids)
	for range rounds {
		m.recentre(centroids)
		if !m.assign(cluster, xs, ys, centroids) {
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
		least := p.squared(centroids[0])
		for _, c := range centroids[1:] {
			least = min(least, p.squared(c))
		}
		if least > most {
			best, most = p, least
		}
	}
	return best
}

// means are the sums over the points of each cluster.
type means struct {
	sum   [maxK]point
	count [maxK]int
}

// assign gives every point its nearest centroid, the first on ties, sums the
// clusters, and reports whether any point changed its cluster.
func (m *means) assign(cluster []int8, xs, ys []float64, centroids []point) bool {
	*m = means{}
	changed := false
	xs, ys = xs[:len(cluster)], ys[:len(cluster)]
	for i, was := range cluster {
		p := point{xs[i], ys[i]}
		nearest, least := 0, p.squared(centroids[0])
		for c := 1; c < len(centroids); c++ {
			if d := p.squared(centroids[c]); d < least {
				nearest, least = c, d
			}
		}
		nearest &= maxK - 1 // for the compiler: no bounds checks
		m.sum[nearest].x += p.x
		m.sum[nearest].y += p.y
		m.count[nearest]++
		if int8(nearest) != was {
			cluster[i], changed = int8(nearest), true
		}
	}
	return changed
}

// recentre moves every centroid but the first to the mean of its points.
func (m *means) recentre(centroids []point) {
	for c := 1; c < len(centroids); c++ {
		if n := float64(m.count[c]); n > 0 {
			centroids[c] = point{m.sum[c].x / n, m.sum[c].y / n}
		}
	}
}
