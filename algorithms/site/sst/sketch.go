package sst

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

const (
	leafByte  = 0
	innerByte = 1
)

// sketch writes the element nodes of a page in preorder, each with its label. For a
// leaf its features follow in the order of their hashes, each as the difference from
// the one before. For an inner node the number of its children follows.
func sketch(p *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(p)
	if err != nil {
		return nil, err
	}
	u := algorithms.Scratch[units](p)
	u.fill(p, t, true)
	var w codec.Writer
	for i, v := range u.nodes {
		if i > 0 { // body is body
			w.Hash(u.label[i])
		}
		if !v.leaf {
			w.Byte(innerByte)
			w.Int(int(v.to - v.from))
			continue
		}
		w.Byte(leafByte)
		w.Int(int(v.to - v.from))
		before := uint32(0)
		for _, f := range u.features[v.from:v.to] {
			w.Uint(uint64(f.hash - before))
			w.Uint(uint64(f.count))
			before = f.hash
		}
	}
	if len(w.Out) > algorithms.MaxSketch {
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

// readSketch reads what sketch wrote. The layout of a page without a body has no nodes.
func readSketch(data []byte) (*layout, error) {
	l := new(layout)
	if len(data) == 0 {
		return l, nil
	}
	r := codec.NewReader(data)
	l.read(r, 0)
	return l, r.Close()
}

// read reads a node and what is below it.
func (l *layout) read(r *codec.Reader, depth int) (own int32) {
	own = int32(len(l.nodes))
	if own >= canon.MaxNodes || depth > maxDepth {
		r.Fail("page is too large")
	}
	label := uint64(0)
	if own > 0 {
		label = r.Hash()
	}
	switch kind := r.Byte(); {
	case r.Err() != nil:
	case kind == leafByte:
		v := laid{leaf: true, from: int32(len(l.features))}
		hash := uint64(0)
		for i := range r.Count(2) {
			step := r.Uint(math.MaxUint32)
			count := r.Uint(maxCount)
			if hash += step; hash > math.MaxUint32 || count == 0 || i > 0 && step == 0 {
				r.Fail("features")
			}
			if r.Err() != nil {
				return own
			}
			l.features = append(l.features, feature{uint32(hash), uint32(count)})
		}
		v.to = int32(len(l.features))
		l.nodes, l.label = append(l.nodes, v), append(l.label, label)
	case kind == innerByte:
		v := laid{from: int32(len(l.kids))}
		n := r.Count(1)
		if len(l.kids)+n > canon.MaxNodes {
			r.Fail("page is too large")
			return own
		}
		v.to = v.from + int32(n)
		l.nodes, l.label = append(l.nodes, v), append(l.label, label)
		l.kids = append(l.kids, make([]int32, n)...)
		for i := range int32(n) {
			k := l.read(r, depth+1)
			if r.Err() != nil {
				return own
			}
			l.kids[v.from+i] = k
		}
		l.nodes[own].seq, l.bytes = sequence(ref{l, own}.labels(), l.bytes)
	default:
		r.Fail("node")
	}
	return own
}

// maxDepth bounds the nodes above a node: those of the page, and a run.
const maxDepth = canon.MaxDepth + 1
