package blocks

import "github.com/winnow/winnow/algorithms/page"

// leastCopied is the smallest number of words of a text that counts as a copy wherever
// it is. Shorter texts, such as labels of a table, are often repeated on purpose.
const leastCopied = 8

// findCopies sets, for each block, the first block that has its text, or -1. Pages repeat
// their text: for another size of screen, for browsers without scripts, as the next
// picture of a slide show. Readers see it once, and so golds
// have it once.
//
// A quotation is part of the posting that it is in, and no copy. A text that is repeated side by side or by alike blocks, as in a list, a refrain or
// the descriptions of parameters, is repeated on purpose and is not a copy. A text of
// fewer than leastCopied words is a copy if the block before or after it is a copy, and
// the same text is beside the block that this one repeats.
func (p *Page) findCopies() {
	p.copyOf = sized(p.copyOf, len(p.Blocks))
	for i := range p.Blocks {
		p.copyOf[i] = -1
		k := &p.Blocks[i]
		if k.Words < leastCopied {
			p.copyBeside(i, i-1, 1)
			continue
		}
		s := p.textSlot(k.text)
		if first := &p.Blocks[s.first]; s.hash == k.text && int(s.first) < i && first.alike != k.alike && p.context[k.First].in&inQuote == 0 && !p.sideBySide(first.Cont, k.Cont) {
			p.copyOf[i] = s.first
		}
	}
	for i := len(p.Blocks) - 2; i >= 0; i-- {
		if p.copyOf[i] < 0 && p.Blocks[i].Words < leastCopied {
			p.copyBeside(i, i+1, -1)
		}
	}
}

// copyBeside makes block i a copy if block j beside it is one, and the block that is
// step blocks away from the one that j repeats has the text of i.
func (p *Page) copyBeside(i, j int, step int32) {
	if j < 0 || p.copyOf[j] < 0 {
		return
	}
	first := p.copyOf[j] + step
	if first >= 0 && int(first) < i && p.Blocks[first].text == p.Blocks[i].text {
		p.copyOf[i] = first
	}
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
	p.findCopies()
	p.kept = sized(p.kept, len(p.Blocks))
	for i, first := range p.copyOf {
		p.kept[i] = int32(i)
		if first < 0 {
			continue
		}
		if of := p.copyOf[first]; of >= 0 { // a short text may be a copy of a copy
			first = of
			p.copyOf[i] = of
		}
		if kept := &p.kept[first]; probability[i] > 2*probability[*kept] {
			probability[*kept] = 0
			*kept = int32(i)
		} else {
			probability[i] = 0
		}
	}
}
