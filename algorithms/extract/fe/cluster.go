package fe

import "math"

// level is one text length that occurs in the basket, and how often.
type level struct {
	chars   int32
	blocks  int32
	cluster int8
	content bool
}

// cluster groups the basket, which is sorted by descending text, into levels
// and marks those that are content (step 5).
func (s *scratch) cluster(p Params) {
	s.levels = s.levels[:0]
	for _, w := range s.basket {
		if k := len(s.levels); k > 0 && s.levels[k-1].chars == w.chars {
			s.levels[k-1].blocks++
		} else {
			s.levels = append(s.levels, level{chars: w.chars, blocks: 1})
		}
	}
	k := min(p.K, len(s.basket))
	var store [maxK]float64
	centroid := store[:k]
	for j := range centroid {
		rank := 0
		if k > 1 {
			rank = j * (len(s.basket) - 1) / (k - 1)
		}
		centroid[j] = float64(s.basket[rank].chars)
	}
	assign(s.levels, centroid)
	for range p.Rounds {
		recentre(s.levels, centroid)
		if !assign(s.levels, centroid) {
			break
		}
	}
	var rank [maxK]int
	for j := range centroid {
		rank[j] = above(centroid, j)
	}
	for i := range s.levels {
		l := &s.levels[i]
		l.content = rank[l.cluster] < p.Clusters
	}
}

// assign gives every level the nearest centroid, the higher one on ties, and
// reports whether any level changed its cluster.
func assign(levels []level, centroid []float64) bool {
	changed := false
	for i := range levels {
		l := &levels[i]
		best, least := 0, math.Inf(1)
		for j, c := range centroid {
			d := math.Abs(float64(l.chars) - c)
			if d < least || d == least && c > centroid[best] {
				best, least = j, d
			}
		}
		if int8(best) != l.cluster {
			l.cluster, changed = int8(best), true
		}
	}
	return changed
}

// recentre moves every centroid to the mean of its blocks.
func recentre(levels []level, centroid []float64) {
	var sum, count [maxK]int64
	for _, l := range levels {
		sum[l.cluster] += int64(l.chars) * int64(l.blocks)
		count[l.cluster] += int64(l.blocks)
	}
	for j := range centroid {
		if count[j] > 0 {
			centroid[j] = float64(sum[j]) / float64(count[j])
		}
	}
}

// above returns the number of centroids that rank before j: higher ones, and equal ones
// with a lower number.
func above(centroid []float64, j int) int {
	n := 0
	for i, c := range centroid {
		if c > centroid[j] || c == centroid[j] && i < j {
			n++
		}
	}
	return n
}
