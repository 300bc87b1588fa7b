package labeltree

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

const (
	// maxNodes and MaxDepth bound a tree; they are those of a canonical page.
	maxNodes = 20_000
	MaxDepth = 512
)

// Tree is an ordered tree of labels in preorder. The zero Tree has no nodes.
type Tree struct {
	Label []uint64
	End   []int32 // the subtree of n is [n, End[n])

	before []int32 // scratch of Restrict
	bytes  []byte  // scratch of Hashes
}

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.Label) }

// Size is the number of nodes of the subtree of n, n included.
func (t *Tree) Size(n int32) int32 { return t.End[n] - n }

// Leaf reports whether n has no children.
func (t *Tree) Leaf(n int32) bool { return t.End[n] == n+1 }

// Kids appends the children of n to dst, in order.
func (t *Tree) Kids(dst []int32, n int32) []int32 {
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		dst = append(dst, c)
	}
	return dst
}

// Hashes sets sub to one hash for each node, over its label and the hashes of its
// children in order. They equal those of canon.Labels, so that a stored tree can be
// compared with a page.
func (t *Tree) Hashes(sub []uint64) []uint64 {
	sub = append(sub[:0], t.Label...)
	bytes := t.bytes
	for n := int32(len(sub)) - 1; n >= 0; n-- {
		bytes = binary.LittleEndian.AppendUint64(bytes[:0], t.Label[n])
		for c := n + 1; c < t.End[n]; c = t.End[c] {
			bytes = binary.LittleEndian.AppendUint64(bytes, sub[c])
		}
		sub[n] = xxhash.Sum64(bytes)
	}
	t.bytes = bytes
	return sub
}

// Restrict removes the nodes for which keep is false, in place. The parent of a kept
// node must be kept. The root is always kept.
func (t *Tree) Restrict(keep []bool) {
	if t.Len() == 0 {
		return
	}
	before := slices.Grow(t.before[:0], t.Len()+1)[:t.Len()+1] // kept nodes in front of each place
	t.before = before
	before[0], before[1] = 0, 1
	for n := 1; n < t.Len(); n++ {
		before[n+1] = before[n]
		if keep[n] {
			before[n+1]++
		}
	}
	for n := range t.Label {
		if at := before[n]; before[n+1] > at { // at <= n: what is overwritten was read
			t.Label[at], t.End[at] = t.Label[n], before[t.End[n]]
		}
	}
	t.Label, t.End = t.Label[:before[len(keep)]], t.End[:before[len(keep)]]
}

// Equal reports whether t and o are the same tree.
func (t *Tree) Equal(o *Tree) bool {
	return slices.Equal(t.Label, o.Label) && slices.Equal(t.End, o.End)
}
