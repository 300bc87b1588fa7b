// Package blocks divides a page into blocks of text and gives each block the features by which
// package model rates it: a byte for each feature, in the order of Names.
//
// This package is internal to Winnow and may change in any release.
package blocks

import (
	"github.com/winnow/winnow/algorithms/page"
)

// Block is a maximal run of text rows of page.Body.All with the same nearest
// block element, no block element between them and fewer than two br in a row.
type Block struct {
	First, Last page.Row // text rows
	Cont        page.Row // the nearest block element
	Start, End  int32    // range of the text of page.Body.All
	Words       int32    // number of words: see scan

	lca     page.Row // lowest element that contains all of the block
	Heading uint8    // level, 1 to 6; 0 if the block is not a heading
	head    uint8    // as heading, but 7 for a short bold line that serves as a heading

	linked, links, inline, br, bold int32
	digits, upper, caps             int32
	sent, punct, commas, excl       int32
	beyond                          int32     // bytes of its characters beyond the first of each, where a character is less than a word
	tenths                          int32     // tenths of words that are to be added: see unspaced
	stop, personal                  int32     // stop is of the page's language
	classes                         wordClass // classes of its words, if it has at most 20
	marks                           mark
	text                            uint64 // hash of its words
	firstHash, lastHash             int32  // range of its words in Page.hashes

	scaled           scaled
	who, price, cart bool
	title            uint8              // similarity to the page's title
	within           [containers]extent // blocks of the block element, and of three ancestors that each hold more words
	group            int32              // innermost repeated group; 0: none
	alike            int32              // index into Page.alike
	comments         int32              // the latest heading of comments at or before the block; -1: none
	run              int32              // words of the surrounding run of blocks with few links
}

// scaled holds the features of a block that its neighbours also have as features.
type scaled struct{ words, linked, stop uint8 }

// extent is a range of blocks.
type extent struct{ from, to int32 }

const containers = 4

// long reports whether the block reads like a paragraph.
func (k *Block) long() bool { return k.Words >= 25 && k.linked*3 < k.Words }

// InPre reports whether block k is in an element pre.
func (p *Page) InPre(k *Block) bool { return p.context[k.First].in&inPre != 0 }

// InTable reports whether block k is in a table.
func (p *Page) InTable(k *Block) bool { return p.context[k.First].table > 0 }

// sums holds totals over all blocks before a given one.
type sums struct {
	words, linked, stop, long, inP, heads, who, price, personal int32
}

// Page holds the blocks of one page with their features. Its memory is used again for
// the next page. The zero Page is ready to use.
type Page struct {
	Blocks []Block
	// Tiles are the features of the blocks, in the order of Names.
	Tiles []Tile

	pg   *page.Page
	body *page.Table
	cum  []sums // one entry more than there are blocks

	// These have one entry for each row of body.
	context []context
	paths   []uint64 // hash of the tags and classes of the row and its ancestors
	names   []nameClass
	groupOf []int32
	inGroup []int32
	blockAt []int32    // number of blocks that start before the row; one entry more
	images  []int32    // number of visible images before the row; one entry more
	up      []page.Row // nearest ancestor with more words
	near    []page.Row // nearest repeated group's member among the row and its ancestors
	next    []page.Row // for members of groups: nearest ancestor that is a member of a group with more words
	direct  []int32    // words that blocks add to the parents of their elements

	alike      []alike // alike[0] means none
	alikeSlots []int32
	groups     []group
	groupSlots []int32
	textSlots  []textCount
	hashes     []uint32 // hashes of words
	classes    []wordClass
	sections   []section
	lastHead   []int32 // the latest heading at or before the block; -1: none
	lastAside  []int32 // the latest heading at or before the block that opens other than content; -1: none
	copyOf     []int32 // the first block with the text of the block: see findCopies
	kept       []int32 // for the first block with a text: the copy that DropCopies keeps
	mass       []massSum
	groupMass  []massSum
	around     []uint8 // probabilities of the blocks as features: see SetSecond
	latest     [containers]container

	named  []named // classes and ids of all rows
	table  *NameTable
	values []int8 // one entry for each row of body
	known  [1 << 11]knownAttr

	meta meta
	tot  totals
}

// Lanes is the number of blocks of a Tile.
const Lanes = 32

// Tile has the features of up to 32 consecutive blocks, one column for each feature: a
// node of a tree compares all of them at once. It has as many columns as a byte has
// values, so an access by a byte needs no bounds check.
type Tile [256][Lanes]uint8

// Row has the features of one block.
type Row [256]uint8

// Row returns the features of block i.
func (p *Page) Row(i int) (row Row) {
	tile := &p.Tiles[i/Lanes]
	for f := range row {
		row[f] = tile[f][i%Lanes]
	}
	return row
}

// MaxBlocks bounds the memory of a page, which is 400 bytes for each block.
const MaxBlocks = 1 << 16

// Memory beyond these bounds is released before the next page.
const (
	keepBlocks = 1 << 14
	keepRows   = 1 << 17
)

// Fill divides pg into blocks and computes their features, except for those of the
// page's type (SetTypes) and of the second stage (SetSecond). The features of learned
// names come from the table of the latest SetNames. Fill returns false, and makes no
// blocks, if the page has more than MaxBlocks of them. It takes time linear in the
// page.
func (p *Page) Fill(pg *page.Page, url string) bool {
	p.release()
	p.pg, p.body = pg, &pg.Body().All
	p.readRows()
	if !p.cut() {
		p.Blocks, p.Tiles = p.Blocks[:0], p.Tiles[:0]
		return false
	}
	p.readMeta(url)
	p.sum()
	p.link()
	p.count()
	p.headings()
	p.latest = [containers]container{}
	p.Tiles = sized(p.Tiles, (len(p.Blocks)+Lanes-1)/Lanes)
	for i := range p.Blocks {
		if i%Lanes == 0 {
			clearLevels(&p.Tiles[i/Lanes])
		}
		p.fillBlock(i)
	}
	p.fillPage()
	return true
}

// release releases memory that an unusually large page needed.
func (p *Page) release() {
	if cap(p.Tiles) > keepBlocks/Lanes || cap(p.context) > keepRows {
		*p = Page{}
	}
}

// sized returns n items of undefined values, in the memory of s if that is large
// enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// zeros returns n zero items, in the memory of s if that is large enough.
func zeros[T any](s []T, n int) []T {
	s = sized(s, n)
	clear(s)
	return s
}

// TextWords returns the number of words in blocks that read like paragraphs.
func (p *Page) TextWords() int { return int(p.cum[len(p.Blocks)].long) }

// wordsIn returns the number of words in the element r.
func (p *Page) wordsIn(r page.Row) int {
	e := p.extentOf(r)
	return int(p.cum[e.to].words - p.cum[e.from].words)
}

func (p *Page) extentOf(r page.Row) extent { return extent{p.blockAt[r], p.blockAt[p.body.End[r]]} }
