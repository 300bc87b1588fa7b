package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow/winnow/algorithms/extract/winnow/model"
)

// growth holds the settings of one forest.
type growth struct {
	trees, leaves int
	rate, l2      float64
	minRows       int
	minHessian    float64 // of a leaf, where the mean weight of rows is 1
	columns, rows float64 // share that is drawn for each tree
	seed          uint64
}

// table is the data that a forest is grown on: columns of features, and for each row a
// soft label in [0,1] and a weight.
type table struct {
	columns       [][]uint8
	label, weight []float32
}

// only returns a table of the given rows. They are a part of all, so the same work in their
// own columns touches a third of the memory.
func (t *table) only(rows []int32) *table {
	c := &table{columns: columns(len(t.columns), len(rows)), label: make([]float32, len(rows)), weight: make([]float32, len(rows))}
	for i, r := range rows {
		c.label[i], c.weight[i] = t.label[r], t.weight[r]
	}
	for f, column := range t.columns {
		for i, r := range rows {
			c.columns[f][i] = column[r]
		}
	}
	return c
}

// moment packs the sums of gradients (upper half, signed) and hessians (lower half) of
// some rows. They are whole numbers, so the sum does not depend on the order of
// addition.
type moment int64

func (m moment) gradient() float64 { return float64(m >> 32) }
func (m moment) hessian() float64  { return float64(uint32(m)) }

// leaf is a node that may still be split.
type leaf struct {
	node     int // number in the complete tree
	depth    int
	from, to int // its rows
	sum      moment
	hist     []moment
	gain     float64
	feature  int
	bound    uint8
}

// grower holds the working memory of growing a forest.
type grower struct {
	t      *table
	g      growth
	drawn  []int32 // rows, by leaf
	spare  []int32
	packed []moment // by row
	near   []moment // moments of one leaf's rows, gathered in one slice
	bins   []int    // by feature
	use    []int
	pool   [][]moment
	scale  float64
}

// grow fits a forest to the given rows of t: gradient boosting with logistic loss,
// each tree grown leaf by leaf where it gains most, no deeper than model.Depth.
func grow(t *table, rows []int32, g growth) model.Forest {
	t = t.only(rows)
	w := &grower{t: t, g: g, packed: make([]moment, len(rows)), near: make([]moment, len(rows)), spare: make([]int32, len(rows))}
	var sum, positive float64
	for r, weight := range t.weight {
		sum += float64(weight)
		positive += float64(weight * t.label[r])
	}
	if sum <= 0 {
		return model.Forest{} // there is nothing to learn from, so every probability is one half
	}
	share := min(max(positive/sum, 1e-6), 1-1e-6)
	f := model.Forest{Base: int32(math.Round(math.Log(share/(1-share)) * model.Unit))}
	mean := sum / float64(len(rows))
	w.scale = float64(1<<30) / float64(len(rows)) // of moments: keeps sums within 31 bits
	w.bins = make([]int, len(t.columns))
	for i, c := range t.columns {
		w.bins[i] = int(slices.Max(c)) + 1
	}
	sums := make([]int32, len(rows))
	for i := range sums {
		sums[i] = f.Base
	}
	rng := rand.New(rand.NewPCG(g.seed, uint64(len(t.columns))))
	for range g.trees {
		w.draw(rng, sums, mean)
		tree := w.tree()
		for i := range sums {
			sums[i] += int32(valueAt(&tree, t.columns, int32(i)))
		}
		f.Trees = append(f.Trees, tree)
	}
	return f
}

// draw chooses the rows and columns of the next tree and computes the moments of the
// rows. Fractions are rounded up or down at random, with the fraction as probability,
// so that rows of little weight count correctly in a sum.
func (w *grower) draw(rng *rand.Rand, sums []int32, mean float64) {
	w.drawn = w.drawn[:0]
	for i, weight := range w.t.weight {
		u := rng.Uint64()
		if w.g.rows < 1 && float64(u>>40)/(1<<24) >= w.g.rows {
			continue
		}
		p := float64(model.Probability(sums[i]))
		weight := float64(weight) / mean * w.scale
		chance := float64(u&(1<<20-1)) / (1 << 20)
		gradient := math.Floor((p-float64(w.t.label[i]))*weight + chance)
		hessian := math.Floor(max(p*(1-p), 1e-4)*weight + chance)
		w.packed[i] = moment(gradient)<<32 + moment(hessian)
		w.drawn = append(w.drawn, int32(i))
	}
	all := make([]int, len(w.t.columns))
	for i := range all {
		all[i] = i
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	w.use = all[:max(1, int(w.g.columns*float64(len(all))))]
	slices.Sort(w.use)
}

// tree grows one tree on the drawn rows and columns.
func (w *grower) tree() model.Tree {
	var t model.Tree
	for i := range t.Nodes {
		t.Nodes[i] = 255 // always left
	}
	root := leaf{node: 1, to: len(w.drawn), hist: w.hist()}
	for _, i := range w.drawn {
		root.sum += w.packed[i]
	}
	w.fill(&root)
	w.split(&root)
	leaves := []leaf{root}
	for len(leaves) < w.g.leaves {
		best := -1
		for i := range leaves {
			if leaves[i].gain > 0 && (best < 0 || leaves[i].gain > leaves[best].gain) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		l := leaves[best]
		t.Nodes[l.node] = uint16(l.feature)<<8 | uint16(l.bound)
		left, right := w.part(&l)
		leaves[best] = left
		leaves = append(leaves, right)
	}
	for i := range leaves {
		l := &leaves[i]
		value := -l.sum.gradient() / (l.sum.hessian() + w.g.l2*w.scale) * w.g.rate
		fixed := int16(math.Round(min(max(value, -7), 7) * model.Unit))
		first, count := l.node<<(model.Depth-l.depth), 1<<(model.Depth-l.depth)
		for j := range count {
			t.Leaves[first+j-1<<model.Depth] = fixed
		}
		w.pool = append(w.pool, l.hist)
	}
	return t
}

func (w *grower) hist() []moment {
	if n := len(w.pool); n > 0 {
		h := w.pool[n-1]
		w.pool = w.pool[:n-1]
		if h != nil {
			return h
		}
	}
	return make([]moment, len(w.t.columns)*256)
}

// fill computes the histograms of l from its rows.
func (w *grower) fill(l *leaf) {
	rows := w.drawn[l.from:l.to]
	near := w.near[:len(rows)]
	for i, r := range rows {
		near[i] = w.packed[r]
	}
	for _, f := range w.use {
		h := (*[256]moment)(l.hist[f*256:])
		clear(h[:w.bins[f]])
		c := w.t.columns[f]
		for i, r := range rows {
			h[c[r]] += near[i]
		}
	}
}

// split finds the best way to split l.
func (w *grower) split(l *leaf) {
	l.gain = 0
	if l.to-l.from < 2*w.g.minRows || l.depth == model.Depth {
		return
	}
	least, l2 := w.g.minHessian*w.scale, w.g.l2*w.scale
	gain := func(g, h float64) float64 { return g * g / (h + l2) }
	all := gain(l.sum.gradient(), l.sum.hessian())
	for _, f := range w.use {
		var left moment
		h := l.hist[f*256 : f*256+w.bins[f]]
		for bound := range len(h) - 1 {
			if h[bound] == 0 {
				continue
			}
			left += h[bound]
			right := l.sum - left
			if left.hessian() < least {
				continue
			}
			if right.hessian() < least {
				break
			}
			if v := gain(left.gradient(), left.hessian()) + gain(right.gradient(), right.hessian()) - all; v > l.gain {
				l.gain, l.feature, l.bound = v, f, uint8(bound)
			}
		}
	}
}

// part splits l. It counts the histograms of the smaller half; those of the other half
// are the difference.
func (w *grower) part(l *leaf) (left, right leaf) {
	c := w.t.columns[l.feature]
	at, n := l.from, 0
	var sum moment
	for i := l.from; i < l.to; i++ {
		r := w.drawn[i]
		if c[r] <= l.bound {
			w.drawn[at] = r
			at++
			sum += w.packed[r]
		} else {
			w.spare[n] = r
			n++
		}
	}
	copy(w.drawn[at:l.to], w.spare[:n])
	left = leaf{node: 2 * l.node, depth: l.depth + 1, from: l.from, to: at, sum: sum}
	right = leaf{node: 2*l.node + 1, depth: l.depth + 1, from: at, to: l.to, sum: l.sum - sum}
	small, large := &left, &right
	if small.to-small.from > large.to-large.from {
		small, large = large, small
	}
	if left.depth == model.Depth {
		w.pool = append(w.pool, l.hist)
		return left, right
	}
	small.hist, large.hist = w.hist(), l.hist
	w.fill(small)
	for _, f := range w.use {
		a, b := large.hist[f*256:f*256+w.bins[f]], small.hist[f*256:f*256+w.bins[f]]
		for i := range a {
			a[i] -= b[i]
		}
	}
	w.split(small)
	w.split(large)
	return left, right
}

// valueAt returns the tree's value for row r of columns.
func valueAt(t *model.Tree, columns [][]uint8, r int32) int16 {
	i := 1
	for range model.Depth {
		n := t.Nodes[i]
		i *= 2
		if columns[n>>8][r] > uint8(n) {
			i++
		}
	}
	return t.Leaves[i-1<<model.Depth]
}

// sumAt returns the forest's value for row r of columns.
func sumAt(f *model.Forest, columns [][]uint8, r int32) int32 {
	sum := f.Base
	for t := range f.Trees {
		sum += int32(valueAt(&f.Trees[t], columns, r))
	}
	return sum
}
