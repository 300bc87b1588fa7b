// Package collapsed is the page as Web2Text sees it: a tree in which every element
// has two children or more, whose leaves are the blocks, and the features of each
// block and of each pair of neighbours.
//
//	page         body > div > (ul > li > "Menu") (div > (p > "One") (p > "Two"))
//	collapsed    body div ─┬─ ul li "Menu"
//	                       └─ div ─┬─ p "One"
//	                               └─ p "Two"
//
// An element with one child is merged with it, and the result has the names of both. An
// element without text is dropped.
//
// This package is internal to Winnow and may change in any release.
package collapsed

import (
	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// MaxBlocks is the largest number of blocks that a page may have. The networks need two
// seconds for them.
const MaxBlocks = 1 << 16

// Page is one page collapsed. The zero Page is ready, and its memory is reused for the
// next page.
type Page struct {
	Rows []page.Row // the text row of each block

	nodes  []node
	leaves []leaf
	dup    []same // by hash of the text, and of the class path
	stops  *stopwords.List

	rows   []rowInfo
	chars  float32 // characters of the page
	breaks []bool  // between a block and the next: a line ends
}

// node is an element of the collapsed tree, or a leaf.
type node struct {
	parent int32 // -1 of the root
	depth  int32
	tags   uint64 // names, by the bits of tagBits
	counts counts
}

// leaf is what a block has besides its node.
type leaf struct {
	node       int32
	text, path int32   // its places in dup
	middle     float32 // middle of its source, scaled: 0 at the page's first block and 1 at its last
}

// same is a set of blocks with an equal text, or an equal class path.
type same struct {
	hash  uint64
	count int32
}

// rowInfo holds what is known about a row while the tree is built.
type rowInfo struct {
	kids    int32  // children with text
	node    int32  // node of the collapsed tree
	path    uint64 // hash of the class lists around the row
	dropped bool
}

// Fill makes p the collapsed tree of pg. It returns false for a page of more than
// MaxBlocks blocks.
func (p *Page) Fill(pg *page.Page) bool {
	b := pg.Body()
	if p.stops == nil {
		p.stops = stopwords.Load("en")
	}
	p.Rows, p.nodes, p.leaves, p.breaks = p.Rows[:0], p.nodes[:0], p.leaves[:0], p.breaks[:0]
	p.rows = algorithms.Zeros(p.rows, b.Len())
	if !p.survivors(b) {
		return false
	}
	slots := 1
	for slots < 4*len(p.Rows) {
		slots *= 2
	}
	p.dup = algorithms.Zeros(p.dup, slots)
	p.grow(pg, b)
	p.sum()
	p.place(pg, b)
	return true
}

// survivors lists the blocks and counts each row's children that hold one.
func (p *Page) survivors(b *page.Body) bool {
	for r := range p.rows {
		if r > 0 {
			p.rows[r].dropped = p.rows[b.Parent[r]].dropped
		}
		if b.Flags[r]&page.IsText == 0 {
			switch b.Tag[r] {
			case html.TagTextarea, html.TagVideo: // the other dropped elements are not in a Body, or have no content there
				p.rows[r].dropped = true
			}
			continue
		}
		if p.rows[r].dropped || b.Flags[r]&page.Hidden != 0 {
			continue
		}
		if len(p.Rows) == MaxBlocks {
			return false
		}
		p.Rows = append(p.Rows, page.Row(r))
		// The walk ends at the first element that has already counted a child, because
		// the elements above it have counted it as well.
		for at := page.Row(r); at > 0; {
			at = b.Parent[at]
			p.rows[at].kids++
			if p.rows[at].kids > 1 {
				break
			}
		}
	}
	return true
}

// grow makes the nodes, in preorder, with the counts of the leaves.
func (p *Page) grow(pg *page.Page, b *page.Body) {
	at := 0 // index into p.Rows
	for r := range p.rows {
		if at == len(p.Rows) {
			break
		}
		isLeaf := p.Rows[at] == page.Row(r)
		k := &p.rows[r]
		if !isLeaf && k.kids == 0 {
			continue
		}
		if r == 0 {
			k.node = p.add(node{parent: -1})
		} else {
			above := &p.rows[b.Parent[r]]
			k.path = above.path
			if k.node = above.node; above.kids > 1 {
				k.node = p.add(node{parent: above.node, depth: p.nodes[above.node].depth + 1})
			}
		}
		if !isLeaf {
			if tag := b.Tag[r]; tag < html.TagOther {
				p.nodes[k.node].tags |= tagBits[tag]
			}
			if class, ok := pg.Attr(b.Node[r], "class"); ok && len(class) > 0 {
				k.path = k.path*31 + xxhash.Sum64(class)
			}
			continue
		}
		text := b.Text[b.TextStart[r]:b.TextEnd[r]]
		n := &p.nodes[k.node]
		n.counts.read(text, p.stops)
		if b.Flags[r]&page.InA != 0 {
			n.counts.linkChars = n.counts.chars
		}
		p.leaves = append(p.leaves, leaf{node: k.node, text: p.same(xxhash.Sum64(text)), path: p.same(^k.path)})
		if at > 0 {
			broken := false
			for _, c := range b.Text[b.TextEnd[p.Rows[at-1]]:b.TextStart[r]] {
				broken = broken || c == '\n'
			}
			p.breaks = append(p.breaks, broken)
		}
		at++
	}
	for r, tag := range b.Tag {
		// An input holds no text, so it is in no node. Its tag is added to the elements
		// around it.
		if tag == html.TagInput && b.Flags[r]&page.IsText == 0 && len(p.nodes) > 0 {
			above := b.Parent[r]
			for above > 0 && p.rows[above].kids == 0 {
				above = b.Parent[above]
			}
			p.nodes[p.rows[above].node].counts.form = true
		}
	}
}

func (p *Page) add(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// same counts a hash and returns its index.
func (p *Page) same(hash uint64) int32 {
	hash |= 1 // 0 is a free place
	mask := uint64(len(p.dup) - 1)
	at := hash & mask
	for p.dup[at].hash != 0 && p.dup[at].hash != hash {
		at = (at + 1) & mask
	}
	p.dup[at].hash = hash
	p.dup[at].count++
	return int32(at)
}

// sum adds the counts of all nodes to their parents. Children come after their parent
// and in order, so the last one to be added is the first child. How a text ends is
// taken from the first one that is added, which is the last child.
func (p *Page) sum() {
	for i := len(p.nodes) - 1; i > 0; i-- {
		n := &p.nodes[i]
		p.nodes[n.parent].counts.add(&n.counts)
	}
	if len(p.nodes) > 0 {
		p.chars = float32(max(1, p.nodes[0].counts.chars))
	}
}

// place fills the relative positions of the blocks in the source.
func (p *Page) place(pg *page.Page, b *page.Body) {
	n := len(p.Rows)
	if n == 0 {
		return
	}
	open := func(i int) html.Range { return pg.Tree.Open[b.Node[p.Rows[i]]] }
	first, last := float32(open(0).Start), float32(open(n-1).End)
	for i := range p.leaves {
		o := open(i)
		middle := (float32(o.Start) + float32(o.End)) / 2
		if last > first {
			p.leaves[i].middle = min(1, max(0, (middle-first)/(last-first)))
		}
	}
}
