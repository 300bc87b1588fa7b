package labeltree

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// tree makes a tree of labels and depths, as in body 0, h1 1, A 2.
func tree(nodes ...[2]int) *Tree {
	t := new(Tree)
	for n, v := range nodes {
		t.Label = append(t.Label, uint64(v[0]))
		end := n + 1
		for end < len(nodes) && nodes[end][1] > v[1] {
			end++
		}
		t.End = append(t.End, int32(end))
	}
	return t
}

func random(r *rand.Rand, size int) *Tree {
	nodes := [][2]int{{1, 0}}
	for len(nodes) < size {
		nodes = append(nodes, [2]int{r.IntN(4), 1 + r.IntN(nodes[len(nodes)-1][1]+1)})
	}
	return tree(nodes...)
}

func TestKids(t *testing.T) {
	tr := tree([2]int{9, 0}, [2]int{1, 1}, [2]int{2, 2}, [2]int{3, 1}, [2]int{4, 1})
	if got := tr.Kids(nil, 0); !slices.Equal(got, []int32{1, 3, 4}) {
		t.Errorf("children of the root: %v", got)
	}
	if tr.Size(0) != 5 || tr.Size(1) != 2 || !tr.Leaf(2) || tr.Leaf(1) {
		t.Errorf("sizes or leaves are wrong: %v", tr.End)
	}
}

func TestHashesTellTreesApart(t *testing.T) {
	// a(b c), a(c b), a(b(c)), and a(b c) again further down.
	root := tree([2]int{0, 0},
		[2]int{1, 1}, [2]int{2, 2}, [2]int{3, 2},
		[2]int{1, 1}, [2]int{3, 2}, [2]int{2, 2},
		[2]int{1, 1}, [2]int{2, 2}, [2]int{3, 3},
		[2]int{1, 1}, [2]int{2, 2}, [2]int{3, 2})
	sub := root.Hashes(nil)
	if sub[1] != sub[10] || sub[2] != sub[11] {
		t.Error("equal subtrees have different hashes")
	}
	if sub[1] == sub[4] || sub[1] == sub[7] || sub[4] == sub[7] || sub[2] == sub[8] {
		t.Error("different subtrees have equal hashes")
	}
}

// TestHashesOfPages: a stored tree and a page have the same hashes.
func TestHashesOfPages(t *testing.T) {
	for _, p := range algotest.Pages() {
		pass := algotest.Pass(p.HTML)
		tree, err := canon.Of(pass)
		if err != nil || tree.Len() == 0 {
			continue
		}
		labels := canon.IDC.Of(pass)
		if got := (&Tree{Label: labels.Label, End: tree.End}).Hashes(nil); !slices.Equal(got, labels.Sub) {
			t.Errorf("%s: the hashes of a stored tree are others", p.Name)
		}
	}
}

func TestRestrict(t *testing.T) {
	tr := tree([2]int{9, 0}, [2]int{1, 1}, [2]int{2, 2}, [2]int{3, 2}, [2]int{4, 1}, [2]int{5, 2})
	tr.Restrict([]bool{false, true, false, true, false, false})
	if want := tree([2]int{9, 0}, [2]int{1, 1}, [2]int{3, 2}); !tr.Equal(want) {
		t.Errorf("got %v", tr)
	}
	var none Tree
	none.Restrict(nil)
}

func written(t *Tree) []byte {
	var w codec.Writer
	t.Write(&w)
	return w.Out
}

func TestEncoding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for size := 1; size < 300; size++ {
		want := random(r, size)
		var got Tree
		reader := codec.NewReader(written(want))
		if got.Read(reader); reader.Close() != nil || !got.Equal(want) {
			t.Fatalf("%d nodes: %v", size, reader.Err())
		}
	}
}

// chain is one path of so many nodes.
func chain(nodes int) *Tree {
	t := &Tree{Label: make([]uint64, nodes), End: make([]int32, nodes)}
	for n := range t.End {
		t.End[n] = int32(nodes)
	}
	return t
}

func TestReadRefuses(t *testing.T) {
	node := func(label, size byte) []byte { return []byte{label, 0, 0, 0, 0, 0, 0, 0, size} }
	cat := func(parts ...[]byte) []byte { return slices.Concat(parts...) }
	flat := &Tree{Label: make([]uint64, maxNodes+1), End: make([]int32, maxNodes+1)}
	for n := range flat.End {
		flat.End[n] = int32(n) + 1
	}
	flat.End[0] = maxNodes + 1
	for name, src := range map[string][]byte{
		"nothing":             {},
		"fewer nodes":         cat([]byte{2}, node(1, 2)),
		"a second root":       cat([]byte{2}, node(1, 1), node(1, 1)),
		"a child over an end": cat([]byte{3}, node(1, 3), node(1, 1), node(1, 2)),
		"size 0":              cat([]byte{1}, node(1, 0)),
		"too many nodes":      written(flat),
		"too deep":            written(chain(MaxDepth + 2)),
	} {
		var got Tree
		r := codec.NewReader(src)
		if got.Read(r); r.Close() == nil || got.Len() != 0 {
			t.Errorf("%s: %d nodes, %v", name, got.Len(), r.Err())
		}
	}
	var got Tree
	r := codec.NewReader(written(chain(MaxDepth + 1)))
	if got.Read(r); r.Close() != nil {
		t.Errorf("at the bound of depth: %v", r.Err())
	}
}

// FuzzRead reads any bytes: what is accepted is a tree that writes the same
// bytes again.
func FuzzRead(f *testing.F) {
	f.Add(written(tree([2]int{9, 0}, [2]int{1, 1}, [2]int{2, 2}, [2]int{3, 1})))
	f.Fuzz(func(t *testing.T, src []byte) {
		var tr Tree
		r := codec.NewReader(src)
		if tr.Read(r); r.Close() != nil {
			return
		}
		if got := written(&tr); !bytes.Equal(got, src) {
			t.Fatalf("%x was read as %x", src, got)
		}
		tr.Hashes(nil)
		tr.Restrict(make([]bool, tr.Len()))
	})
}
