package rbmtd

import (
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// similarity returns the Jaccard coefficient of two sorted lists of distinct hashes, as
// a fraction. If the union has more than MaxPaths elements it uses the MaxPaths
// smallest, which are as good as a random sample. A stored list is cut to its smallest
// elements as well.
func similarity(a, b []uint64) (common, all int) {
	for i, j := 0, 0; (i < len(a) || j < len(b)) && all < MaxPaths; all++ {
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			i++
		case i == len(a) || b[j] < a[i]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	return common, all
}

// similar reports whether common of all is at least percent. Two pages without paths
// have nothing in common.
func similar(common, all, percent int) bool { return all > 0 && 100*common >= percent*all }

// group holds the pages of a cluster.
type group struct {
	leader  int    // the first
	members uint64 // their places
}

// groups puts each page, in order, into the first cluster whose leader is similar
// enough, or else into a new cluster.
func groups(pages []sketch, sigma int) []group {
	var made []group
pages:
	for i := range pages {
		for g := range made {
			if common, all := similarity(pages[made[g].leader].paths, pages[i].paths); similar(common, all, sigma) {
				made[g].members |= 1 << i
				continue pages
			}
		}
		made = append(made, group{i, 1 << i})
	}
	return made
}

// template reports whether a subtree that occurs on the pages of with is template of a
// cluster, for the page at the given index in the sample (or -1), which does not count.
func (p Params) template(with, members uint64, place int) bool {
	if with == 0 {
		return false
	}
	if place >= 0 {
		with, members = with&^(1<<place), members&^(1<<place)
	}
	return bits.OnesCount64(with) >= mask.Threshold(p.Rho, bits.OnesCount64(members))
}

// distinctPaths appends the distinct paths of the page's nodes to dst, sorted.
func distinctPaths(dst []uint64, t *canon.Tree) []uint64 {
	seen := [64]uint64{} // paths met shortly before: most nodes have the path of a neighbour
	for _, path := range t.Path {
		if last := &seen[path%64]; *last != path {
			*last = path
			dst = append(dst, path)
		}
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}
