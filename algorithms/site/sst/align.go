package sst

// alignSteps bounds the cells of all alignments of a page: about ten milliseconds.
const alignSteps = 2_000_000

// aligner is working memory for longest common subsequences.
type aligner struct {
	left  int // cells that may still be filled; below 0: there were not enough
	page  []uint64
	cells []uint16
}

// match pairs the children of v with those of the style of e that has the longest
// common sequence with v, if 2·|common| is at least half of both lengths together. Of
// equals it is the first. Children that are in no pair are kept.
func (s *scratch) match(of *template, e cut, v *laid) {
	a := &s.align
	a.page = a.page[:0]
	for _, k := range s.units.kids[v.from:v.to] {
		a.page = append(a.page, s.units.label[k])
	}
	best, bestCommon, bestBoth := cutStyle{}, 0, 1
	for _, style := range of.styles[e.from:e.to] {
		if style.leaf {
			continue
		}
		labels := of.labels[style.from:style.to]
		common, both := a.common(labels), len(a.page)+len(labels)
		if a.left < 0 {
			return
		}
		if 4*common >= both && common*bestBoth > bestCommon*both {
			best, bestCommon, bestBoth = style, common, both
		}
	}
	if bestCommon == 0 {
		return
	}
	labels := of.labels[best.from:best.to]
	if a.common(labels); a.left < 0 {
		return
	}
	wide := len(labels) + 1
	for i, j := 0, 0; i < len(a.page) && j < len(labels); {
		switch here := a.cells[i*wide+j]; {
		case a.page[i] == labels[j]:
			s.pairs = append(s.pairs, pair{of.kids[int(best.from)+j], s.units.kids[int(v.from)+i]})
			i++
			j++
		case a.cells[(i+1)*wide+j] == here:
			i++
		default:
			j++
		}
	}
}

// common returns the length of the longest common subsequence of the page's labels and
// others. Cell i,j is that of the sequences from index i of the one and j of the other
// on.
func (a *aligner) common(labels []uint64) int {
	wide := len(labels) + 1
	size := (len(a.page) + 1) * wide
	if a.left -= size; a.left < 0 {
		return 0
	}
	if cap(a.cells) < size {
		a.cells = make([]uint16, size)
	}
	a.cells = a.cells[:size]
	clear(a.cells[len(a.page)*wide:])
	for i := len(a.page) - 1; i >= 0; i-- {
		row, next := a.cells[i*wide:(i+1)*wide], a.cells[(i+1)*wide:(i+2)*wide]
		row[wide-1] = 0
		for j := len(labels) - 1; j >= 0; j-- {
			switch {
			case labels[j] == a.page[i]:
				row[j] = next[j+1] + 1
			default:
				row[j] = max(next[j], row[j+1])
			}
		}
	}
	return int(a.cells[0])
}
