package menupages

import (
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// looks holds the columns that the score of two elements is computed from. Each column
// has one entry a node.
type looks struct {
	tag     []uint32 // hash of the name; 0 for content leaves, which are compared by their labels
	id      []uint32 // hash; 0 for none
	kids    []int32  // children on the page
	first   []int32  // the classes of n are classes[first[n]:first[n+1]]
	classes []uint32 // hashes, sorted within a node

	names []uint64 // scratch
	group []uint64
}

func (k *looks) reset() {
	k.tag, k.id, k.kids = k.tag[:0], k.id[:0], k.kids[:0]
	k.first, k.classes = append(k.first[:0], 0), k.classes[:0]
}

// readPage fills k with the columns of a page.
func (k *looks) readPage(p *algorithms.Pass, t *canon.Tree) {
	k.reset()
	labels := canon.IDC.Of(p)
	leaf := 0
	for n := range canon.Node(t.Len()) {
		if leaf < len(t.Leaves) && t.Leaves[leaf].Node == n {
			leaf++
			k.add(0, 0, 0)
			continue
		}
		var id uint64
		id, k.names = labels.Names(p, t, n, k.names[:0])
		from := len(k.classes)
		for _, class := range k.names {
			k.classes = append(k.classes, uint32(class))
		}
		slices.Sort(k.classes[from:])
		k.classes = k.classes[:from+len(slices.Compact(k.classes[from:]))]
		kids := int32(0)
		for c := n + 1; c < t.End[n]; c = t.End[c] {
			kids++
		}
		k.add(max(uint32(t.TagHash[n]), 1), uint32(id), kids)
	}
}

func (k *looks) add(tag, id uint32, kids int32) {
	k.tag, k.id, k.kids = append(k.tag, tag), append(k.id, id), append(k.kids, kids)
	k.first = append(k.first, int32(len(k.classes)))
}

// restrict keeps the first node and those for which keep is true.
func (k *looks) restrict(keep []bool) {
	at, class := 0, int32(0) // what is overwritten was read: neither is ahead of n
	for n := range k.tag {
		if n == 0 || keep[n] {
			from, to := k.first[n], k.first[n+1]
			k.tag[at], k.id[at], k.kids[at] = k.tag[n], k.id[n], k.kids[n]
			copy(k.classes[class:], k.classes[from:to])
			k.first[at] = class
			class += to - from
			at++
		}
	}
	if len(k.tag) > 0 {
		k.first[at] = class
	}
	k.tag, k.id, k.kids, k.first, k.classes = k.tag[:at], k.id[:at], k.kids[:at], k.first[:at+1], k.classes[:class]
}

func (k *looks) classesOf(n int32) []uint32 { return k.classes[k.first[n]:k.first[n+1]] }

// groups returns what nodes must share to be compared: the tag of elements, and the
// whole label of content leaves.
func (k *looks) groups(t *labeltree.Tree) []uint64 {
	k.group = k.group[:0]
	for n, tag := range k.tag {
		if tag == 0 {
			k.group = append(k.group, t.Label[n])
		} else {
			k.group = append(k.group, uint64(tag))
		}
	}
	return k.group
}

// equal reports whether node x of k and y of o, which are of one group, score enough:
// the mean of whether the ids are equal, the Jaccard coefficient of the classes, and
// the ratio of the numbers of children must be at least 3/4.
func (k *looks) equal(x int32, o *looks, y int32) bool {
	if k.tag[x] != o.tag[y] {
		return false // a leaf and an element whose hashes meet
	}
	if k.tag[x] == 0 {
		return true
	}
	id := int64(0)
	if k.id[x] == o.id[y] {
		id = 1
	}
	common, all := jaccard(k.classesOf(x), o.classesOf(y))
	few, many := int64(min(k.kids[x], o.kids[y])), int64(max(k.kids[x], o.kids[y]))
	if all == 0 {
		common, all = 1, 1
	}
	if many == 0 {
		few, many = 1, 1
	}
	return 4*(id*all*many+common*many+few*all) >= 9*all*many
}

// jaccard returns the sizes of the intersection and the union of two sorted lists.
func jaccard(a, b []uint32) (common, all int64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			common++
			a, b = a[1:], b[1:]
		}
		all++
	}
	return common, all + int64(len(a)+len(b))
}

// write writes the columns, which read reads for a given number of nodes.
func (k *looks) write(w *codec.Writer) {
	for n := range int32(len(k.tag)) {
		w.Uint(uint64(k.tag[n]))
		if k.tag[n] == 0 {
			continue
		}
		w.Uint(uint64(k.id[n]))
		w.Int(int(k.kids[n]))
		classes := k.classesOf(n)
		w.Int(len(classes))
		for _, c := range classes {
			w.Uint(uint64(c))
		}
	}
}

func (k *looks) read(r *codec.Reader, nodes int) {
	k.reset()
	for range nodes {
		tag := uint32(r.Uint(math.MaxUint32))
		if tag == 0 {
			k.add(0, 0, 0)
			continue
		}
		id := uint32(r.Uint(math.MaxUint32))
		kids := int32(r.Int(canon.MaxNodes))
		from := len(k.classes)
		for range r.Count(1) {
			c := uint32(r.Uint(math.MaxUint32))
			if len(k.classes) > from && c <= k.classes[len(k.classes)-1] {
				r.Fail("classes")
			}
			if r.Err() != nil {
				return
			}
			k.classes = append(k.classes, c)
		}
		k.add(tag, id, kids)
	}
}
