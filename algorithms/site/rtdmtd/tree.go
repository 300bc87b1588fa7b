package rtdmtd

import (
	"slices"

	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// tree is a page, or what remains of it, with the columns that looking up subtrees
// needs.
type tree struct {
	labeltree.Tree
	path    []uint64 // tag path of each node
	content []bool   // the node is a content leaf
}

// treeOf is the tree of a page under a label policy. It shares the page's memory.
func treeOf(t *canon.Tree, labels *canon.Labels) tree {
	v := tree{Tree: labeltree.Tree{Label: labels.Label, End: t.End}, path: t.Path, content: make([]bool, t.Len())}
	for _, l := range t.Leaves {
		v.content[l.Node] = true
	}
	return v
}

// write writes the tree, then its distinct paths in the order of the page, then
// for each node the place of its path and whether it is a content leaf.
func (t *tree) write(w *codec.Writer) {
	t.Write(w)
	place := make(map[uint64]int)
	var paths []uint64
	for _, p := range t.path {
		if _, known := place[p]; !known {
			place[p] = len(paths)
			paths = append(paths, p)
		}
	}
	w.Int(len(paths))
	for _, p := range paths {
		w.Hash(p)
	}
	for n, p := range t.path {
		v := 2 * place[p]
		if t.content[n] {
			v++
		}
		w.Int(v)
	}
}

func (t *tree) read(r *codec.Reader) {
	t.Read(r)
	paths := make([]uint64, r.Count(8))
	for i := range paths {
		paths[i] = r.Hash()
	}
	t.path, t.content = make([]uint64, t.Len()), make([]bool, t.Len())
	for n := range t.path {
		v := r.Int(2*len(paths) + 1)
		if v/2 >= len(paths) {
			r.Fail("path")
			return
		}
		t.path[n], t.content[n] = paths[v/2], v%2 == 1
	}
}

// restrict removes the nodes for which keep is false. The root stays.
func (t *tree) restrict(keep []bool) {
	t.path, t.content = compact(t.path, keep), compact(t.content, keep)
	t.Restrict(keep)
}

// compact keeps, in place, the first entry and those for which keep is true.
func compact[T any](column []T, keep []bool) []T {
	kept := column[:0]
	for n, v := range column {
		if n == 0 || keep[n] {
			kept = append(kept, v)
		}
	}
	return kept
}

// holding returns for each node whether a content leaf is at or below it.
func (t *tree) holding() []bool {
	holds := slices.Clone(t.content)
	for n := t.Len() - 1; n >= 0; n-- {
		for c := int32(n) + 1; c < t.End[n]; c = t.End[c] {
			holds[n] = holds[n] || holds[c]
		}
	}
	return holds
}

// keys returns the keys of the subtrees, which combine hash and path.
func (t *tree) keys(sub []uint64) map[uint64]bool {
	keys := make(map[uint64]bool, t.Len())
	for n, p := range t.path {
		keys[canon.Join(p, sub[n])] = true
	}
	return keys
}
