package fastcontentextractor

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

const (
	// maxPaths is the largest number of paths of a template.
	maxPaths = 4096
	// learnWork bounds the cost of comparing the blocks of one sample.
	learnWork = 1 << 26
)

// Budget is the note on a template whose sample cost more than learnWork.
const Budget = "budget"

// sketch is the distinct pairs of path and vector of the page, in order.
func (p Params) sketch(pass *algorithms.Pass) ([]byte, error) {
	if _, err := canon.Of(pass); err != nil {
		return nil, err
	}
	blocks, vectors := p.read(pass)
	var pairs []pair
	for b, v := range vectors.Block {
		if v >= 0 {
			pairs = append(pairs, pair{path(blocks, b), int(v)})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.path, b.path), vector.Compare(vectors.View(a.vector), vectors.View(b.vector)))
	})
	pairs = slices.Compact(pairs)
	var w codec.Writer
	w.Int(len(pairs))
	for _, x := range pairs {
		w.Hash(x.path)
		vector.Write(&w, vectors.View(x.vector))
	}
	if len(w.Out) > algorithms.MaxSketch {
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

// pair is the path and the vector of an atomic block, which is all that learning reads
// of it.
type pair struct {
	path   uint64
	vector int
}

// seen holds the vectors and pairs of all pages of the sample.
type seen struct {
	pool  vector.Pool
	masks []uint64        // pages of each vector
	pairs map[pair]uint64 // pages of each pair
}

func read(s *algorithms.Sample) (*seen, error) {
	all := &seen{pairs: make(map[pair]uint64)}
	var one vector.Set
	for at, page := range s.Pages {
		r := codec.NewReader(page.Data)
		for range r.Count(8 + vector.MinSize) {
			path := r.Hash()
			one.Reset()
			if one.Read(r); r.Err() != nil {
				break
			}
			v := all.pool.Put(one.View(0))
			if v == len(all.masks) {
				all.masks = append(all.masks, 0)
			}
			all.masks[v] |= 1 << at
			all.pairs[pair{path, v}] |= 1 << at
		}
		if err := r.Close(); err != nil {
			return nil, fmt.Errorf("fast-content-extractor: %w", err)
		}
	}
	return all, nil
}

// nonContent is a block that is not content, at a path of P.
type nonContent struct {
	pair
	df int
}

// finish labels the blocks of the sample and keeps the paths of content, and the other
// blocks at these paths.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	all, err := read(s)
	if err != nil {
		return algorithms.Learned{}, err
	}
	var learned algorithms.Learned
	union, ok := vector.Join(&all.pool.Set, all.masks, p.Eps, learnWork)
	if !ok {
		learned.Notes = append(learned.Notes, Budget)
	}
	// A block on one of its pages is similar to blocks of all pages of the union except
	// this one, so the number is the same on each of its pages.
	least := mask.Threshold(p.Phi, len(s.Pages)-1)
	content := func(v int) bool { return bits.OnesCount64(union[v])-1 < least }
	support := make(map[uint64]uint64) // pages on which a path is content
	template := false
	for x, pages := range all.pairs {
		if content(x.vector) {
			support[x.path] |= pages
		} else {
			template = true
		}
	}
	learned.Nothing = !template
	var paths []uint64
	for path, pages := range support {
		if bits.OnesCount64(pages) >= p.Support {
			paths = append(paths, path)
		}
	}
	if len(paths) > maxPaths {
		return algorithms.Learned{}, algorithms.ErrOversize
	}
	slices.Sort(paths)
	var rest []nonContent
	for x := range all.pairs {
		if _, in := slices.BinarySearch(paths, x.path); in && !content(x.vector) {
			rest = append(rest, nonContent{x, bits.OnesCount64(union[x.vector])})
		}
	}
	rest, cut := fit(rest, &all.pool.Set, headSize+8*len(paths))
	if cut {
		learned.Notes = append(learned.Notes, algorithms.NoteTruncated)
	}
	learned.Body = write(paths, rest, &all.pool.Set)
	return learned, nil
}

// headSize is an upper bound of the bytes of a template before its paths, and between
// these and its vectors.
const headSize = 16

// entrySize is the number of bytes of a vector's path, which is written as its index in
// P.
const entrySize = 2

// fit keeps as many vectors as a template can hold beside head bytes: those that are
// similar to something on most pages, and of these the longest first.
func fit(rest []nonContent, set *vector.Set, head int) (fitting []nonContent, cut bool) {
	slices.SortFunc(rest, func(a, b nonContent) int {
		v, w := set.View(a.vector), set.View(b.vector)
		return cmp.Or(cmp.Compare(b.df, a.df), cmp.Compare(len(w.IDs), len(v.IDs)),
			vector.Compare(v, w), cmp.Compare(a.path, b.path))
	})
	for n, x := range rest {
		if head += entrySize + vector.Size(set.View(x.vector)); head > algorithms.MaxTemplate {
			return rest[:n], true
		}
	}
	return rest, false
}

// write writes paths, which are sorted, and vectors in the order of path and
// vector.
func write(paths []uint64, rest []nonContent, set *vector.Set) []byte {
	slices.SortFunc(rest, func(a, b nonContent) int {
		return cmp.Or(cmp.Compare(a.path, b.path), vector.Compare(set.View(a.vector), set.View(b.vector)))
	})
	var w codec.Writer
	mask.WriteKeys(&w, paths)
	w.Int(len(rest))
	for _, x := range rest {
		at, _ := slices.BinarySearch(paths, x.path)
		w.Int(at)
		vector.Write(&w, set.View(x.vector))
	}
	return w.Out
}

// template is what open returns.
type template struct {
	paths []uint64 // P, sorted
	set   vector.Set
	at    []int32 // place in paths of every vector
	index *vector.Index
}

func (p Params) open(body []byte) (any, error) {
	r := codec.NewReader(body)
	t := &template{paths: mask.ReadKeys(r)}
	if len(t.paths) > maxPaths {
		r.Fail("too many paths")
	}
	for range r.Count(1 + vector.MinSize) {
		t.at = append(t.at, int32(r.Int(max(len(t.paths)-1, 0))))
		if t.set.Read(r); r.Err() != nil {
			break
		}
	}
	if len(t.paths) == 0 && len(t.at) > 0 {
		r.Fail("a vector without a path")
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("fast-content-extractor: %w", err)
	}
	t.index = vector.NewIndex(&t.set, p.Eps)
	return t, nil
}
