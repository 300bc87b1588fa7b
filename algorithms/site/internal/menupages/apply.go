package menupages

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/equaltopdown"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// Free is the part of a page that the template of its site does not have.
type Free struct {
	Tree *canon.Tree
	Leaf []bool // the content leaves that are free

	mapper equaltopdown.Mapper
	chosen []int    // places of the pages that this one is mapped to
	place  []int32  // on the page, of the nodes that are left
	sub    []uint64 // hashes of their subtrees
	whole  part     // the page as mapWhole cuts it down
	page   part
	looks  looks
	mapped []bool // nodes
}

// Find maps the page to its site's template, as read by the extractor with params. It
// leaves the note algorithms.NoteNoMatch if all leaves are free.
func (f *Free) Find(p *algorithms.Pass, params Params) error {
	t, err := canon.Of(p)
	if err != nil {
		return err
	}
	f.Tree = t
	f.mapped = slices.Grow(f.mapped[:0], t.Len())[:t.Len()]
	clear(f.mapped)
	template := p.Template.Value.(*Template)
	switch {
	case t.Len() == 0:
	case params.whole():
		f.mapWhole(p, params, template)
	case template.part.Len() > 0:
		labels := canon.IDC.Of(p)
		f.page = part{Tree: labeltree.Tree{Label: labels.Label, End: t.End}}
		if template.part.looks != nil {
			f.looks.readPage(p, t)
			f.page.looks = &f.looks
		}
		f.mapper.Like = f.page.like(template.part)
		f.mapper.Map(f.page.side(labels.Sub), template.side, f.mapped)
	}
	f.Leaf = f.Leaf[:0]
	all := true
	for _, l := range t.Leaves {
		free := !f.mapped[l.Node]
		f.Leaf = append(f.Leaf, free)
		all = all && free
	}
	if all {
		p.Notes = append(p.Notes, algorithms.NoteNoMatch)
	}
	return nil
}
