package canon

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Select writes the kept leaves to p.Out: their text, their nodes, and every element
// whose content leaves are all kept. An element without content leaves is never
// selected. keep has one entry a leaf.
func (t *Tree) Select(p *algorithms.Pass, keep []bool) {
	t.kept = append(slices.Grow(t.kept[:0], len(keep)+1), 0)
	n := int32(0)
	for _, k := range keep {
		if k {
			n++
		}
		t.kept = append(t.kept, n)
	}
	out, b := &p.Out, p.Body
	for n, row := range t.Row {
		first, end := t.First[n], t.First[t.End[n]]
		if first == end || t.kept[end]-t.kept[first] != end-first {
			continue
		}
		if t.Tag[n] == html.TagText || IsMedia(t.Tag[n]) {
			out.AddRows(b, t.Leaves[first].Rows)
		} else {
			out.AddRows(b, page.Rows{Start: row, End: row + 1})
		}
	}
}
