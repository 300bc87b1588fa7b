package rtdmtd

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// sketch writes the page's tree.
func (p Params) sketch(pass *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(pass)
	if err != nil {
		return nil, err
	}
	v := treeOf(t, p.labels(pass))
	var w codec.Writer
	v.write(&w)
	return w.Out, nil
}

// finish folds the pages: the template is what remains of the first one when it is
// mapped to the others in turn.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	var learned algorithms.Learned
	t, over, err := p.fold(s.Pages)
	if err != nil {
		return learned, err
	}
	if over {
		learned.Notes = append(learned.Notes, Budget)
	}
	var w codec.Writer
	t.write(&w)
	if learned.Body = w.Out; len(learned.Body) > algorithms.MaxTemplate {
		return algorithms.Learned{}, algorithms.ErrOversize
	}
	learned.Nothing = t.Len() <= 1
	return learned, nil
}

// fold returns the template, and whether a mapping exceeded its budget.
func (p Params) fold(pages []algorithms.Sketched) (t tree, over bool, err error) {
	var m mapper
	var held []bool // nodes of t that had content leaves on the first page
	for i, page := range pages {
		var next tree
		r := codec.NewReader(page.Data)
		next.read(r)
		if err := r.Close(); err != nil {
			return tree{}, false, fmt.Errorf("rtdm-td: %w", err)
		}
		if i == 0 {
			t, held = next, next.holding()
			continue
		}
		if t.Len() == 0 || next.Len() == 0 {
			return tree{}, over, nil // a page without a body shares nothing
		}
		a, b := side{&t.Tree, t.Hashes(nil)}, side{&next.Tree, next.Hashes(nil)}
		var keep []bool
		if m.run(a, b, p.Steps) {
			keep = m.inA
		} else {
			over = true
			keep = among(&t, a.sub, next.keys(b.sub))
		}
		held = compact(held, keep)
		t.restrict(keep)
	}
	// A node that has lost its content removes nothing any more.
	holds := t.holding()
	for n := range holds {
		holds[n] = holds[n] || !held[n]
	}
	// Parents come first, so a node below a removed one is removed with it.
	for n := range int32(t.Len()) {
		if !holds[n] {
			for m := n; m < t.End[n]; m++ {
				holds[m] = false
			}
		}
	}
	t.restrict(holds)
	return t, over, nil
}

// among marks the nodes of the subtrees whose keys are given, and the ancestors of
// these nodes.
func among(t *tree, sub []uint64, keys map[uint64]bool) []bool {
	in := make([]bool, t.Len())
	for n := int32(0); int(n) < t.Len(); {
		if keys[canon.Join(t.path[n], sub[n])] {
			set(in[n:t.End[n]])
			n = t.End[n]
		} else {
			n++
		}
	}
	for n := t.Len() - 1; n >= 0; n-- {
		for c := int32(n) + 1; c < t.End[n]; c = t.End[c] {
			in[n] = in[n] || in[c]
		}
	}
	return in
}

// template is what was learned about a site.
type template struct {
	side
	keys map[uint64]bool
}

func open(body []byte) (any, error) {
	var t tree
	r := codec.NewReader(body)
	t.read(r)
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("rtdm-td: %w", err)
	}
	sub := t.Hashes(nil)
	return &template{side{&labeltree.Tree{Label: t.Label, End: t.End}, sub}, t.keys(sub)}, nil
}
