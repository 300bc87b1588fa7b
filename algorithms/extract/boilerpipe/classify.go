package boilerpipe

// neighbours calls decide for every block with the blocks before and after it. The
// missing neighbour at either end is an empty block. Decisions read only counts, so
// their order does not matter.
func (l *list) neighbours(decide func(previous, current, next *block) bool) {
	for i := range l.blocks {
		previous, next := &l.none, &l.none
		if i > 0 {
			previous = &l.blocks[i-1]
		}
		if i+1 < len(l.blocks) {
			next = &l.blocks[i+1]
		}
		l.blocks[i].content = decide(previous, &l.blocks[i], next)
	}
}

// classifyByDensity is the paper's tree over text and link density (Figure 5
// there; constants of the library's DensityRulesClassifier).
func (l *list) classifyByDensity() {
	l.neighbours(func(p, c, n *block) bool {
		switch {
		case c.linkDensity > 0.333333:
			return false
		case p.linkDensity > 0.555556:
			return n.textDensity > 11
		case c.textDensity > 9:
			return n.textDensity != 0
		case n.textDensity > 10:
			return true
		}
		return p.textDensity > 4
	})
}

// classifyByWords is the tree over word counts and link density (Figure 4
// there; the library's NumWordsRulesClassifier).
func (l *list) classifyByWords() {
	l.neighbours(func(p, c, n *block) bool {
		switch {
		case c.linkDensity > 0.333333:
			return false
		case p.linkDensity <= 0.555556:
			return c.words > 16 || n.words > 15 || p.words > 4
		}
		return c.words > 40 || n.words > 17
	})
}
