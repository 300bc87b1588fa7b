package model

import (
	"math"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
)

// Depth is the depth of all trees.
const Depth = 5

// Tree is a complete binary tree of bytes. Node i has the children 2i and 2i+1; the
// root is node 1. A node is feature<<8 | bound, and a row goes right if its feature is
// above the bound. If a path has fewer real nodes than Depth, the remaining nodes
// always go left (bound 255).
//
// The sizes of the arrays make bounds checks unnecessary, and a path is followed
// without branches.
type Tree struct {
	Nodes  [1 << Depth]uint16
	Leaves [1 << Depth]int16 // log-odds in 1/Unit
}

// Unit is the scale of log-odds. Sums are whole numbers, so they do not depend on the
// order of addition or on the machine.
const Unit = 1 << 12

// Forest is the sum of its trees.
type Forest struct {
	Base  int32 // log-odds in 1/Unit
	Trees []Tree
}

// Mean returns a forest that gives to each row about the mean of the values that the
// forests give it. Their trees take turns, so that each forest has its part in any
// number of trees from the first on.
func Mean(forests []Forest) (mean Forest) {
	n := len(forests)
	most := 0
	base := 0
	for i := range forests {
		base += int(forests[i].Base)
		most = max(most, len(forests[i].Trees))
	}
	mean.Base = int32(divided(base, n))
	for t := range most {
		for i := range forests {
			if t >= len(forests[i].Trees) {
				continue
			}
			tree := forests[i].Trees[t]
			for l, v := range tree.Leaves {
				tree.Leaves[l] = int16(divided(int(v), n))
			}
			mean.Trees = append(mean.Trees, tree)
		}
	}
	return mean
}

// divided returns a/n rounded to the nearest whole number, halves upwards.
func divided(a, n int) int {
	return int(math.Floor(float64(a)/float64(n) + .5))
}

// leaf returns the value of the leaf that row x reaches.
func (t *Tree) leaf(x *blocks.Row) int16 {
	i := uint32(1)
	for range Depth {
		n := uint32(t.Nodes[i&(1<<Depth-1)])
		i = 2*i + (n&255-uint32(x[n>>8]))>>31
	}
	return t.Leaves[i&(1<<Depth-1)]
}

// Sums has one sum of log-odds for each block of a tile.
type Sums [blocks.Lanes]int32

// addPortable adds to the sum of each block of a tile the values that the trees give to
// that block.
func addPortable(trees []Tree, tile *blocks.Tile, sums *Sums) {
	for t := range trees {
		tree := &trees[t]
		root := uint32(tree.Nodes[1])
		column := &tile[root>>8&255]
		for lane := range blocks.Lanes {
			i := 2 + (root&255-uint32(column[lane]))>>31
			node := uint32(tree.Nodes[i&31])
			i = 2*i + (node&255-uint32(tile[node>>8&255][lane]))>>31
			node = uint32(tree.Nodes[i&31])
			i = 2*i + (node&255-uint32(tile[node>>8&255][lane]))>>31
			node = uint32(tree.Nodes[i&31])
			i = 2*i + (node&255-uint32(tile[node>>8&255][lane]))>>31
			node = uint32(tree.Nodes[i&31])
			i = 2*i + (node&255-uint32(tile[node>>8&255][lane]))>>31
			sums[lane] += int32(tree.Leaves[i&31])
		}
	}
}

// Sum returns the value of one row, including Base.
func (f *Forest) Sum(x *blocks.Row) int32 {
	sum := f.Base
	for t := range f.Trees {
		sum += int32(f.Trees[t].leaf(x))
	}
	return sum
}

// Probability is the logistic function of log-odds in 1/Unit.
func Probability(sum int32) float32 {
	at := (sum + logisticReach) >> logisticStep
	return logistic[max(0, min(int(at), len(logistic)-1))]
}

const (
	logisticReach = 10 * Unit
	logisticStep  = 4
)

// logistic is computed by multiplication alone, because math.Exp gives different
// results on different processors.
var logistic = func() (t [2*logisticReach>>logisticStep + 1]float32) {
	const grow = 1.0039138893383475 // e^(1/256)
	odds := 1.0
	half := len(t) / 2
	for i := range half + 1 {
		t[half+i] = float32(odds / (1 + odds))
		t[half-i] = float32(1 / (1 + odds))
		odds *= grow
	}
	return t
}()
