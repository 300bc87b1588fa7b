package alartesilva

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// prune is step 7: it collects the subtrees to remove below the winners, in
// document order, and reports whether any text is left.
func (p Params) prune(s *scratch, b *page.Body) bool {
	left := 0
	for _, root := range s.members {
		left += b.Sum(b.Chars, root.row)
		words := prose(b, root.row)
		for n := root.row + 1; n < b.End[root.row]; {
			if b.Tag[n] != html.TagText && (p.links(b, n, words) || menu(b, n)) {
				s.removed = append(s.removed, page.Rows{Start: n, End: b.End[n]})
				left -= b.Sum(b.Chars, n)
				n = b.End[n]
			} else {
				n++
			}
		}
	}
	return left > 0
}

// prose returns the number of words outside anchors below n.
func prose(b *page.Body, n page.Row) int { return b.Sum(b.TextWords, n) - b.Sum(b.AnchorWords, n) }

// links is rule (a), for a winner with the given number of words outside anchors.
func (p Params) links(b *page.Body, n page.Row, words int) bool {
	if b.Sum(b.Anchors, n) <= p.HR {
		return false
	}
	chars := b.Sum(b.Chars, n)
	return chars > 0 && float64(chars) > float64(p.TR*float64(chars-b.Sum(b.AnchorChars, n))) &&
		float64(prose(b, n)) <= float64(p.Guard*float64(words))
}

// menu is rule (b).
func menu(b *page.Body, n page.Row) bool {
	if b.EKids[n] < 2 || b.Kids[n] != b.EKids[n] || b.Sum(b.Images, n) > 0 {
		return false
	}
	tag := b.Tag[n+1]
	for k := n + 1; k < b.End[n]; k = b.End[k] {
		if b.Tag[k] != tag || b.Kids[k] != 1 || b.Tag[k+1] != html.TagA {
			return false
		}
	}
	return true
}
