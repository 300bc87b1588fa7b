package figure

import (
	"fmt"
	"math"
	"slices"
)

// Tree draws which names are alike: a dendrogram of average linkage (Sokal and Michener
// 1958). Alike holds for each pair how much alike they are, at most 1; NaN is unknown,
// and counts as 0.
type Tree struct {
	Title, Name string
	X           Axis // of the likeness
	Names       []string
	Alike       [][]float64
}

// Known returns the tree without the names of which no likeness is known.
func (t Tree) Known() Tree {
	var kept []int
	for i := range t.Names {
		if slices.ContainsFunc(t.Alike[i], usable) {
			kept = append(kept, i)
		}
	}
	known := t
	known.Names, known.Alike = nil, nil
	for _, i := range kept {
		row := make([]float64, len(kept))
		for k, j := range kept {
			row[k] = t.Alike[i][j]
		}
		known.Names, known.Alike = append(known.Names, t.Names[i]), append(known.Alike, row)
	}
	return known
}

// branch is a name, or two branches that were joined.
type branch struct {
	left, right *branch
	name        int
	alike       float64
	members     []int
}

// Order returns the indices of names such that those that are alike are next to each
// other.
func (t Tree) Order() []int {
	root := t.join()
	if root == nil {
		return nil
	}
	// Names of which nothing is known are last.
	order := root.members
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := slices.ContainsFunc(t.Alike[a], usable), slices.ContainsFunc(t.Alike[b], usable)
		switch {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	return order
}

// join joins the two branches that are most alike until there is one. Of equal pairs it
// takes the first. The likeness of two branches is the mean over the pairs of names.
func (t Tree) join() *branch {
	var open []*branch
	for i := range t.Names {
		open = append(open, &branch{name: i, alike: 1, members: []int{i}})
	}
	for len(open) > 1 {
		best, bi, bj := math.Inf(-1), 0, 1
		for i := range open {
			for j := i + 1; j < len(open); j++ {
				if a := t.between(open[i], open[j]); a > best+1e-12 {
					best, bi, bj = a, i, j
				}
			}
		}
		joined := &branch{left: open[bi], right: open[bj], name: -1, alike: best}
		joined.members = append(slices.Clone(open[bi].members), open[bj].members...)
		open[bi] = joined
		open = slices.Delete(open, bj, bj+1)
	}
	if len(open) == 0 {
		return nil
	}
	return open[0]
}

func (t Tree) between(a, b *branch) float64 {
	sum := 0.0
	for _, i := range a.members {
		for _, j := range b.members {
			if v := t.Alike[i][j]; usable(v) {
				sum += v
			}
		}
	}
	return sum / float64(len(a.members)*len(b.members))
}

// Draw returns the figure, or nil for fewer than three names.
func (t Tree) Draw() *Figure {
	root := t.join()
	if root == nil || len(t.Names) < 3 {
		return nil
	}
	return drawBoth(t.Title, []string{"joined", "with", t.X.Label}, func(narrow bool) (*canvas, [][]string) { return t.draw(narrow, root) })
}

func (t Tree) draw(narrow bool, root *branch) (*canvas, [][]string) {
	c := newCanvas(narrow, 48+rowHeight*float64(len(t.Names)))
	f := frame{nameColumn(t.Names, narrow), 6, c.w - 30, 10 + rowHeight*float64(len(t.Names))}
	values := []float64{1}
	var collect func(b *branch)
	collect = func(b *branch) {
		if b.left != nil {
			values = append(values, b.alike)
			collect(b.left)
			collect(b.right)
		}
	}
	collect(root)
	x := t.X.scaleOf(values, f.x1, f.x0) // 1 is beside the names
	c.below(f, x, t.X.Label)
	var ordered []string
	for _, i := range root.members {
		ordered = append(ordered, t.Names[i])
	}
	c.names(ordered, f.x0, f.y0)
	var rows [][]string
	next := 0
	var draw func(b *branch) point
	draw = func(b *branch) point {
		if b.left == nil {
			y := f.y0 + rowHeight*(float64(next)+0.5)
			next++
			return point{x.at(1), y}
		}
		l, r := draw(b.left), draw(b.right)
		at := x.at(b.alike)
		c.path("ci", []point{l, {at, l.y}, {at, r.y}, r})
		rows = append(rows, []string{t.list(b.left), t.list(b.right), Number(b.alike)})
		return point{at, (l.y + r.y) / 2}
	}
	draw(root)
	return c, rows
}

// list names the members of a branch, the first three of many.
func (t Tree) list(b *branch) string {
	out := ""
	for k, i := range b.members {
		if k == 3 {
			return out + fmt.Sprintf(" and %d more", len(b.members)-3)
		}
		if k > 0 {
			out += ", "
		}
		out += t.Names[i]
	}
	return out
}
