package blocks

import "github.com/winnow/winnow/algorithms/page"

// leastCopied is the smallest number of words of a text whose copies count as copies.
// Shorter texts, such as labels of a table, are often repeated on purpose.
const leastCopied = 8

// CopyOf returns the first block that has the text of block i, or -1 if block i is no
// copy. Pages repeat their text: for another size of screen, for browsers without
// scripts, as the next picture of a slide show, as a quotation in a forum. Readers see
// it once, and so golds have it once.
//
// A text that is repeated side by side, as in a list or a refrain, is repeated on
// purpose and is not a copy.
func (p *Page) CopyOf(i int) int {
	k := &p.Blocks[i]
	if k.Words < leastCopied {
		return -1
	}
	s := p.textSlot(k.text)
	if s.hash != k.text || int(s.first) == i || p.sideBySide(p.Blocks[s.first].Cont, k.Cont) {
		return -1
	}
	return int(s.first)
}

// sideBySide reports whether two elements have the same parent or grandparent.
func (p *Page) sideBySide(a, b page.Row) bool {
	up := p.body.Parent
	return up[a] == up[b] || up[up[a]] == up[up[b]]
}

// DropCopies keeps the probability of one of all copies of a text, and sets that of the
// others to 0. It keeps the first, which keeps the paragraphs of a text that is repeated
// as a whole together, unless another one is more than twice as likely.
func (p *Page) DropCopies(probability []float32) {
	p.kept = sized(p.kept, len(p.Blocks))
	for i := range p.Blocks {
		p.kept[i] = int32(i)
		first := p.CopyOf(i)
		if first < 0 {
			continue
		}
		if kept := &p.kept[first]; probability[i] > 2*probability[*kept] {
			probability[*kept] = 0
			*kept = int32(i)
		} else {
			probability[i] = 0
		}
	}
}
