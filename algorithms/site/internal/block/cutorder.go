package block

import (
	"slices"

	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/html"
)

// The names that a page is cut at, one after the other, in the order of the
// printed list; those of HTML5 come after them.
var (
	ClassicTags = classic
	HTML5Tags   = slices.Concat(classic, html5)
)

// Cutter finds the order in which blocks arise when a page is cut at one name after the
// other (Debnath et al. 2005, GetBlockSet):
//
//	list := the page
//	for each name: take the blocks of the list that hold an element of the name off
//	               it, cut them at these elements, and put the pieces at its end
//
// The pieces of a block are in the order of the page, and what is left of the block
// comes after them, as in Figure 3 of Nguyen et al. 2009 (FastContentExtractor), where
// a paragraph with four spans becomes the spans and then the paragraph without them. An
// element inside another of its name is a piece of it and therefore comes before it. In
//
//	<body>lead <div>a <table><tr><td>b <p>c</p></td></tr></table> d</div>
//
// TABLE, TR and P are cut out first, DIV last: table, p, tr, div, body. The zero
// Cutter is ready.
type Cutter struct {
	list, pieces []int32
	owner        []int32 // for each block, the listed block that contains it now
	first, next  []int32 // the elements of the current name in each block of the list
	cut          []bool
	inner        []int32 // all blocks, those inside a block before it
	open         []int32 // blocks around the current one, for inner
	count        [html.TagOther]int32
}

// Order returns the indexes of the blocks of b, in the order in which cutting the tree
// at tags makes them. tags are those that b was cut at. The list is valid until the
// next call. The cost is the number of blocks times the number of tags that occur on
// the page.
func (c *Cutter) Order(b *Blocks, t *canon.Tree, tags []html.Tag) []int32 {
	n := b.Len()
	c.list, c.pieces = c.list[:0], c.pieces[:0]
	if n == 0 {
		return c.list
	}
	c.owner = slices.Grow(c.owner[:0], n)[:n]
	c.first = slices.Grow(c.first[:0], n)[:n]
	c.next = slices.Grow(c.next[:0], n)[:n]
	c.cut = slices.Grow(c.cut[:0], n)[:n]
	clear(c.owner)
	clear(c.cut)
	clear(c.count[:])
	for i := 1; i < n; i++ {
		c.count[t.Tag[b.Node[i]]]++
	}
	c.sort(b)
	c.list = append(c.list, 0)
	for _, tag := range tags {
		if c.count[tag] > 0 {
			c.cutAt(b, t, tag)
		}
	}
	return c.list
}

// sort lists the blocks in the order in which their elements end.
func (c *Cutter) sort(b *Blocks) {
	c.inner, c.open = c.inner[:0], c.open[:0]
	for i := range b.Len() {
		for k := len(c.open); k > 0 && int(b.End[c.open[k-1]]) <= i; k-- {
			c.inner, c.open = append(c.inner, c.open[k-1]), c.open[:k-1]
		}
		c.open = append(c.open, int32(i))
	}
	for k := len(c.open); k > 0; k-- {
		c.inner = append(c.inner, c.open[k-1])
	}
}

// cutAt cuts the listed blocks at one name.
func (c *Cutter) cutAt(b *Blocks, t *canon.Tree, tag html.Tag) {
	for i := range c.first {
		c.first[i] = -1
	}
	for _, i := range slices.Backward(c.inner) {
		if i > 0 && t.Tag[b.Node[i]] == tag {
			in := c.owner[i]
			c.next[i], c.first[in] = c.first[in], i
			c.cut[i] = true
		}
	}
	kept := c.list[:0]
	c.pieces = c.pieces[:0]
	for _, in := range c.list {
		if c.first[in] < 0 {
			kept = append(kept, in)
			continue
		}
		for piece := c.first[in]; piece >= 0; piece = c.next[piece] {
			c.pieces = append(c.pieces, piece)
		}
		c.pieces = append(c.pieces, in)
	}
	c.list = append(kept, c.pieces...)
	for i := 1; i < b.Len(); i++ {
		if c.owner[i] = int32(i); !c.cut[i] {
			c.owner[i] = c.owner[b.Parent[i]]
		}
	}
}
