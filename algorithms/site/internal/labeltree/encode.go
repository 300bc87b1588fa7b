package labeltree

import "github.com/winnow/winnow/algorithms/site/internal/codec"

// nodeSize is the least number of bytes of an encoded node.
const nodeSize = 9

// Write writes t.
func (t *Tree) Write(w *codec.Writer) {
	w.Int(t.Len())
	for n, label := range t.Label {
		w.Hash(label)
		w.Int(int(t.End[n]) - n)
	}
}

// Read sets t to the tree that Write wrote. Bytes that Write cannot have written are an
// error of r, and so are trees over MaxNodes or MaxDepth; t then has no nodes.
func (t *Tree) Read(r *codec.Reader) {
	nodes := r.Count(nodeSize)
	if nodes > maxNodes {
		r.Fail("tree has too many nodes")
	}
	if r.Err() != nil {
		nodes = 0
	}
	t.Label, t.End = make([]uint64, nodes), make([]int32, nodes)
	var ends [MaxDepth + 1]int32 // ends of the open nodes
	open := 0
	for n := range int32(nodes) {
		t.Label[n] = r.Hash()
		size := int32(r.Int(nodes))
		for open > 0 && ends[open-1] == n {
			open--
		}
		within := int32(nodes)
		if open > 0 {
			within = ends[open-1]
		}
		switch {
		case open == 0 && (n > 0 || int(size) != nodes), size < 1, size > within-n:
			r.Fail("tree does not nest")
		case open == len(ends):
			r.Fail("tree is too deep")
		}
		if r.Err() != nil {
			t.Label, t.End = nil, nil
			return
		}
		t.End[n] = n + size
		ends[open] = t.End[n]
		open++
	}
}
