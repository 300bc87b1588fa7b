package boilerpipe

import "github.com/winnow/winnow/algorithms/page"

// label is a set of marks that filters leave on blocks for each other.
type label uint16

const (
	labelLI      label = 1 << iota // inside a list item
	labelHeading                   // inside h1, h2 or h3
	labelTitle                     // says the page's title
	labelEnd                       // a phrase that ends articles
	labelLikely                    // very likely content
	labelMaybe                     // lost against the largest block
)

// block is one run of text between two flushing elements, or several merged.
type block struct {
	textStart, textEnd int32 // trimmed text; meaningless once merged
	rowsStart, rowsEnd int32 // range of built.rows; meaningless once merged
	words, linked      int32
	wrapped, lines     int32 // words on finished lines, and those lines
	level              int32
	first, last        int32 // indexes of the blocks it was merged from
	labels             label
	content            bool

	textDensity, linkDensity float32 // words per line; share of linked words
}

// density recomputes the ratios from the counts.
func (b *block) density() {
	b.textDensity, b.linkDensity = 0, 0
	if b.lines > 0 {
		b.textDensity = float32(b.wrapped) / float32(b.lines)
	}
	if b.words > 0 {
		b.linkDensity = float32(b.linked) / float32(b.words)
	}
}

// merge merges b with its successor next.
func (b *block) merge(next *block) {
	b.words += next.words
	b.linked += next.linked
	b.wrapped += next.wrapped
	b.lines += next.lines
	b.level = min(b.level, next.level)
	b.first, b.last = min(b.first, next.first), max(b.last, next.last)
	b.labels |= next.labels
	b.content = b.content || next.content
	b.density()
}

// list is a variant's own copy of the blocks.
type list struct {
	built   *built
	blocks  []block
	dropped []bool // for each of built.blocks: neither in the list nor part of a block that is
	none    block  // the neighbour of the first and the last block, where the list ends
	title   titleScratch
}

func (l *list) reset(t *built) {
	l.built = t
	l.blocks = append(l.blocks[:0], t.blocks...)
	l.dropped = append(l.dropped[:0], make([]bool, len(t.blocks))...)
}

// drop removes the blocks for which keep is false.
func (l *list) drop(keep func(*block) bool) {
	kept := 0
	for i := range l.blocks {
		b := &l.blocks[i]
		if !keep(b) {
			for k := b.first; k <= b.last; k++ {
				l.dropped[k] = true
			}
			continue
		}
		l.blocks[kept] = *b
		kept++
	}
	l.blocks = l.blocks[:kept]
}

func (l *list) text(b *block) []byte { return l.built.text[b.textStart:b.textEnd] }

// selectContent adds the text rows of all content blocks to out. Rows are in document
// order over all blocks, because merging joins neighbours in the list and dropping
// keeps the order. A merged block may span dropped ones, which do not belong to it.
func (l *list) selectContent(out *page.Selection, body *page.Body) {
	for i := range l.blocks {
		b := &l.blocks[i]
		if !b.content {
			continue
		}
		for k := b.first; k <= b.last; k++ {
			if l.dropped[k] {
				continue
			}
			part := &l.built.blocks[k]
			for _, row := range l.built.rows[part.rowsStart:part.rowsEnd] {
				out.AddSpan(body, page.Span{Start: body.TextStart[row], End: body.TextEnd[row]})
			}
		}
	}
}
