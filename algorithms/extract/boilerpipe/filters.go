package boilerpipe

import "math"

// Each filter is one pass over the list. Filters that merge or drop write the
// survivors to the front of the same array.

// fuseEqualDensity merges neighbours of equal text density, chaining on the
// merged block's new density.
func (l *list) fuseEqualDensity() {
	kept := 0
	for i := range l.blocks {
		if kept > 0 && l.blocks[kept-1].textDensity == l.blocks[i].textDensity {
			l.blocks[kept-1].merge(&l.blocks[i])
			continue
		}
		l.blocks[kept] = l.blocks[i]
		kept++
	}
	l.blocks = l.blocks[:kept]
}

// fuseNear merges a content block into the block before it when at most
// distance blocks are missing between them; with onlyContent that block must be
// content too, and the walk begins after the first content block; with
// sameLevel both must be on one level. Without onlyContent a content block is
// swallowed by the boilerplate before it and the union is content: this is how
// headlines survive.
func (l *list) fuseNear(distance int32, onlyContent, sameLevel bool) {
	if len(l.blocks) < 2 {
		return
	}
	begin := 1
	if onlyContent {
		first := 0
		for first < len(l.blocks) && !l.blocks[first].content {
			first++
		}
		if first == len(l.blocks) {
			return
		}
		begin = first + 1
	}
	kept := begin
	for i := begin; i < len(l.blocks); i++ {
		previous, current := &l.blocks[kept-1], &l.blocks[i]
		if current.content && current.first-previous.last-1 <= distance &&
			(!onlyContent || previous.content) && (!sameLevel || previous.level == current.level) {
			previous.merge(current)
			continue
		}
		l.blocks[kept] = *current
		kept++
	}
	l.blocks = l.blocks[:kept]
}

// ignoreAfterEnd turns everything from the first end phrase on into boilerplate, if at
// least minWords words of dense content precede it.
func (l *list) ignoreAfterEnd(minWords int32) {
	words, ended := int32(0), false
	for i := range l.blocks {
		b := &l.blocks[i]
		if b.content && b.textDensity >= 9 {
			words += b.words
		}
		if b.labels&labelEnd != 0 && words >= minWords {
			ended = true
		}
		if ended {
			b.content = false
		}
	}
}

// dropTrailingHeadlines removes headings that end the content.
func (l *list) dropTrailingHeadlines() {
	for i := len(l.blocks) - 1; i >= 0; i-- {
		if b := &l.blocks[i]; b.content {
			if b.labels&labelHeading == 0 {
				return
			}
			b.content = false
		}
	}
}

// dropBoilerplate removes blocks that are neither content nor labelled keep.
func (l *list) dropBoilerplate(keep label) {
	l.drop(func(b *block) bool { return b.content || b.labels&keep != 0 })
}

// keepLargest keeps the content block with the most words, the first of equals. With
// expand, blocks of its level with at least minWords words are restored in both
// directions, up to the first block of a smaller level.
func (l *list) keepLargest(expand bool, minWords int32) {
	if len(l.blocks) < 2 {
		return
	}
	largest, words := -1, int32(-1)
	for i := range l.blocks {
		if b := &l.blocks[i]; b.content && b.words > words {
			largest, words = i, b.words
		}
	}
	for i := range l.blocks {
		b := &l.blocks[i]
		b.content = i == largest
		if b.content {
			b.labels |= labelLikely
		} else {
			b.labels |= labelMaybe
		}
	}
	if !expand || largest < 0 {
		return
	}
	level := l.blocks[largest].level
	for i := largest - 1; i >= 0 && l.blocks[i].level >= level; i-- {
		l.blocks[i].rescue(level, minWords)
	}
	for i := largest + 1; i < len(l.blocks) && l.blocks[i].level >= level; i++ {
		l.blocks[i].rescue(level, minWords)
	}
}

func (b *block) rescue(level, minWords int32) {
	if b.level == level && b.words >= minWords {
		b.content = true
	}
}

// expandToTitle restores the blocks between the last title block before the content and
// the content.
func (l *list) expandToTitle() {
	title, content := -1, -1
	for i := range l.blocks {
		b := &l.blocks[i]
		if content < 0 && b.labels&labelTitle != 0 {
			title = i
		}
		if content < 0 && b.content {
			content = i
		}
	}
	if title < 0 || content <= title {
		return
	}
	for i := title; i < content; i++ {
		if b := &l.blocks[i]; b.labels&labelMaybe != 0 {
			b.content = true
		}
	}
}

// keepLargeOfSameLevel restores long blocks of the main content's level.
func (l *list) keepLargeOfSameLevel(minWords int32) {
	level := int32(-1)
	for i := range l.blocks {
		if b := &l.blocks[i]; b.content && b.labels&labelLikely != 0 {
			level = b.level
			break
		}
	}
	if level < 0 {
		return
	}
	for i := range l.blocks {
		l.blocks[i].rescue(level, minWords)
	}
}

// keepListAtEnd restores a list without links that follows the main content on deeper
// levels.
func (l *list) keepListAtEnd() {
	const unset = math.MaxInt32
	const lost = labelMaybe | labelLI
	level := int32(unset)
	for i := range l.blocks {
		b := &l.blocks[i]
		switch {
		case b.content && b.labels&labelLikely != 0:
			level = b.level
		case b.level > level && b.labels&lost == lost && b.linkDensity == 0:
			b.content = true
		default:
			level = unset
		}
	}
}
