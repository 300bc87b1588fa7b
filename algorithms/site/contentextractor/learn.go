package contentextractor

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

// learnWork bounds the cost of comparing the blocks of one sample.
const learnWork = 1 << 26

// Budget is the note on a template whose sample cost more than learnWork.
const Budget = "budget"

// sketch is the distinct vectors of the page, in order.
func (p Params) sketch(pass *algorithms.Pass) ([]byte, error) {
	if _, err := canon.Of(pass); err != nil {
		return nil, err
	}
	_, vectors := p.read(pass)
	order := sorted(&vectors.Set)
	var w codec.Writer
	w.Int(len(order))
	for _, i := range order {
		vector.Write(&w, vectors.View(i))
	}
	if len(w.Out) > algorithms.MaxSketch {
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

// sorted returns the indexes of the vectors of s, in the order of vectors.
func sorted(s *vector.Set) []int {
	order := make([]int, s.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return vector.Compare(s.View(i), s.View(j)) })
	return order
}

// finish keeps the vectors that more than one page has, and those similar to a vector
// of another page.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	var (
		pool  vector.Pool
		masks []uint64
		one   vector.Set
	)
	for at, page := range s.Pages {
		r := codec.NewReader(page.Data)
		for range r.Count(vector.MinSize) {
			one.Reset()
			if one.Read(r); r.Err() != nil {
				break
			}
			i := pool.Put(one.View(0))
			if i == len(masks) {
				masks = append(masks, 0)
			}
			masks[i] |= 1 << at
		}
		if err := r.Close(); err != nil {
			return algorithms.Learned{}, fmt.Errorf("content-extractor: %w", err)
		}
	}
	var learned algorithms.Learned
	union, ok := vector.Join(&pool.Set, masks, p.Eps, learnWork)
	if !ok {
		learned.Notes = append(learned.Notes, Budget)
	}
	var kept []int
	for i, pages := range union {
		if bits.OnesCount64(pages) > 1 {
			kept = append(kept, i)
		}
	}
	learned.Nothing = len(kept) == 0
	kept, cut := fit(kept, &pool.Set, masks)
	if cut {
		learned.Notes = append(learned.Notes, algorithms.NoteTruncated)
	}
	slices.SortFunc(kept, func(i, j int) int { return vector.Compare(pool.View(i), pool.View(j)) })
	var w codec.Writer
	w.Int(len(s.Pages))
	w.Int(len(kept))
	for _, i := range kept {
		w.Hash(masks[i])
		vector.Write(&w, pool.View(i))
	}
	learned.Body = w.Out
	return learned, nil
}

// headSize is an upper bound of the bytes of a template before its vectors.
const headSize = 16

// fit keeps as many vectors as a template can hold: those that most pages have, and of
// these the longest first.
func fit(kept []int, set *vector.Set, masks []uint64) (fitting []int, cut bool) {
	slices.SortFunc(kept, func(i, j int) int {
		v, w := set.View(i), set.View(j)
		return cmp.Or(
			cmp.Compare(bits.OnesCount64(masks[j]), bits.OnesCount64(masks[i])),
			cmp.Compare(len(w.IDs), len(v.IDs)),
			vector.Compare(v, w))
	})
	size := headSize
	for n, i := range kept {
		if size += 8 + vector.Size(set.View(i)); size > algorithms.MaxTemplate {
			return kept[:n], true
		}
	}
	return kept, false
}

// template is what open returns.
type template struct {
	pages int
	set   vector.Set
	masks []uint64
	index *vector.Index
}

func (p Params) open(body []byte) (any, error) {
	r := codec.NewReader(body)
	t := &template{pages: r.Int(algorithms.MaxSample)}
	for range r.Count(8 + vector.MinSize) {
		pages := r.Hash()
		if pages == 0 || bits.Len64(pages) > t.pages {
			r.Fail("pages of a vector")
		}
		t.masks = append(t.masks, pages)
		if t.set.Read(r); r.Err() != nil {
			break
		}
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("content-extractor: %w", err)
	}
	t.index = vector.NewIndex(&t.set, p.Eps)
	return t, nil
}
