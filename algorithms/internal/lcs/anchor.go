package lcs

import "github.com/winnow/winnow/algorithms/internal/anchor"

// piece is the number of items that anchors begin with. It is so long that a piece
// which both sides have once is almost never a coincidence.
const piece = 32

// part compares parts of a gold sequence. It has masks of its own over the symbols of a
// part, which are numbered again.
type part struct {
	masks   Masks
	scratch *Scratch // made on first use: a Scratch holds a part
	anchors anchor.Finder
	number  []int32 // new number + 1 of a symbol; 0 for none
	gold, e []int32
}

// anchored returns the length of a common subsequence of g and e that goes
// through the longest chain of common runs, exact within each gap between them
// as long as the budget of cells lasts.
func (p *part) anchored(g, e []int32, symbols, cells int) (int, Method) {
	total, method := 0, Anchored
	anchor.Gaps(p.anchors.Chain(g, e, piece), len(g), len(e),
		func(f anchor.Fragment) { total += int(f.Length) },
		func(gFrom, gTo, eFrom, eTo int) {
			length, used, ok := p.length(g[gFrom:gTo], e[eFrom:eTo], symbols, cells)
			total += length
			cells -= used
			if !ok {
				method = Partial
			}
		})
	return total, method
}

// length is the LCS length of g and e, the cells it took, and whether the
// budget was enough; if it was not, only the equal ends are counted.
func (p *part) length(g, e []int32, symbols, cells int) (length, used int, ok bool) {
	whole := Masks{gold: g}
	lo, hi, e := whole.trim(e)
	ends := lo + len(g) - hi
	g = g[lo:hi]
	switch {
	case len(g) == 0 || len(e) == 0:
		return ends, 0, true
	case len(g) > maxItems || len(g) > cells/len(e):
		return ends, 0, false
	}
	p.number = resize(p.number, symbols)
	p.renumber(g, e)
	if p.scratch == nil {
		p.scratch = new(Scratch)
	}
	return ends + p.masks.Length(p.scratch, p.e), len(g) * len(e), true
}

// renumber makes the masks of g over its own symbols and p.e the items of e by
// the same numbers, -1 for those that g lacks.
func (p *part) renumber(g, e []int32) {
	p.gold, p.e = p.gold[:0], p.e[:0]
	next := int32(0)
	for _, c := range g {
		if p.number[c] == 0 {
			next++
			p.number[c] = next
		}
		p.gold = append(p.gold, p.number[c]-1)
	}
	for _, c := range e {
		n := int32(0)
		if uint32(c) < uint32(len(p.number)) {
			n = p.number[c]
		}
		p.e = append(p.e, n-1)
	}
	for _, c := range g {
		p.number[c] = 0
	}
	p.masks.Build(p.gold, int(next))
}
