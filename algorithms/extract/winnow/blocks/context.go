package blocks

import (
	"bytes"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// within is a set of the kinds of elements that contain a row.
type within uint32

const (
	inHidden within = 1 << iota
	inAriaHidden
	inNoscript
	inMain
	inNav
	inHeader
	inFooter
	inAside
	inForm
	inFigure
	inDl
	inQuote
	inPre
	inDialog
	inButton
	inBold
	inCode
	inItemBody
)

// context holds the properties of a row that follow from its element and the elements around it.
type context struct {
	in                            within
	article, section, table, list uint8 // numbers of such ancestors, at most 255
	heading                       uint8 // level of the nearest heading
	item                          uint8 // type of the nearest itemtype attribute: see itemTypes
}

var tagWithin = [html.TagOther]within{
	html.TagNoscript: inNoscript, html.TagMain: inMain, html.TagNav: inNav, html.TagHeader: inHeader, html.TagFooter: inFooter,
	html.TagAside: inAside, html.TagForm: inForm, html.TagFigure: inFigure, html.TagFigcaption: inFigure, html.TagDl: inDl,
	html.TagBlockquote: inQuote, html.TagPre: inPre, html.TagDetails: inDialog, html.TagDialog: inDialog,
	html.TagButton: inButton, html.TagLabel: inButton, html.TagB: inBold, html.TagStrong: inBold,
	html.TagCode: inCode, html.TagKbd: inCode, html.TagSamp: inCode,
}

// tagKind numbers the block elements that features distinguish.
var tagKind = [html.TagOther]uint8{
	html.TagP: 1, html.TagLi: 2, html.TagTd: 3, html.TagTh: 4, html.TagDiv: 5,
	html.TagH1: 6, html.TagH2: 6, html.TagH3: 6, html.TagH4: 6, html.TagH5: 6, html.TagH6: 6,
	html.TagDt: 7, html.TagDd: 8, html.TagBlockquote: 9, html.TagPre: 10, html.TagFigcaption: 11,
	html.TagSection: 12, html.TagArticle: 13, html.TagHeader: 14, html.TagFooter: 15, html.TagNav: 16,
	html.TagAside: 17, html.TagMain: 18, html.TagForm: 19, html.TagAddress: 20, html.TagSummary: 21,
}

func kindOf(t html.Tag) uint8 {
	if t < html.TagOther {
		return tagKind[t]
	}
	return 0
}

// enter adds an element with the given tag to the context.
func (c *context) enter(tag html.Tag) {
	if tag >= html.TagOther {
		return
	}
	c.in |= tagWithin[tag]
	switch tag {
	case html.TagArticle:
		more(&c.article)
	case html.TagSection:
		more(&c.section)
	case html.TagTable:
		more(&c.table)
	case html.TagUl, html.TagOl:
		more(&c.list)
	case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		c.heading = headingLevel(tag)
	}
}

func headingLevel(tag html.Tag) uint8 {
	switch tag {
	case html.TagH1:
		return 1
	case html.TagH2:
		return 2
	case html.TagH3:
		return 3
	case html.TagH4:
		return 4
	case html.TagH5:
		return 5
	}
	return 6
}

func more(n *uint8) {
	if *n < 255 {
		*n++
	}
}

// group is a repeated group: children of one element that contain text and have the
// same tag and the same class attribute.
type group struct {
	parent        page.Row
	look          uint64
	size          int32
	words, linked int32
	scaled        scaledGroup
}

// scaledGroup holds the features that all blocks in a repeated group share. who and
// price are counted over the group's parent element and divided by the number of
// members.
type scaledGroup struct {
	members, wordsPerMember, link, share, who, price uint8
}

// readRows fills the columns that are computed from elements alone: the contexts, the
// classes and values of names, and the repeated groups.
func (p *Page) readRows() {
	b := p.body
	n := b.Len()
	p.context = zeros(p.context, n)
	p.paths = sized(p.paths, n)
	p.names = zeros(p.names, n)
	p.values = zeros(p.values, n)
	p.images = zeros(p.images, n+1)
	p.groupOf = zeros(p.groupOf, n)
	p.inGroup = zeros(p.inGroup, n)
	p.groups = append(p.groups[:0], group{}) // group 0 means none
	slots := 64
	for slots < n { // about half of the rows are elements with text
		slots *= 2
	}
	p.groupSlots = zeros(p.groupSlots, slots)
	p.named = p.named[:0]
	p.tot = totals{}
	images := int32(0)
	for r := range n {
		c := &p.context[r]
		p.images[r] = images
		if r > 0 {
			*c = p.context[b.Parent[r]]
		}
		if b.Flags[r]&page.Hidden != 0 {
			c.in |= inHidden
		}
		if b.Flags[r]&page.IsText != 0 {
			continue
		}
		tag := b.Tag[r]
		if tag == html.TagImg && b.Flags[r]&page.Hidden == 0 {
			images++
		}
		p.tot.element(tag)
		if b.TextStart[r] >= b.TextEnd[r] {
			continue
		}
		c.enter(tag)
		look := uint64(tag) * 0x9e3779b97f4a7c15
		look ^= p.readAttrs(page.Row(r), c)
		p.paths[r] = p.pathOf(r, look)
		p.join(page.Row(r), look)
	}
	p.images[n] = images
}

// readAttrs adds the attributes of row r to its context and names. It returns the hash
// of the row's class attribute: members of a repeated group have the same hash.
func (p *Page) readAttrs(r page.Row, c *context) (look uint64) {
	for _, a := range p.pg.Attrs(p.body.Node[r]) {
		switch string(p.pg.AttrName(a)) {
		case "class":
			v := p.pg.AttrValue(a)
			look = xxhash.Sum64(v)
			p.name(r, p.read(v, look))
			p.named = append(p.named, named{r, a})
		case "id":
			v := p.pg.AttrValue(a)
			p.name(r, p.read(v, xxhash.Sum64(v)))
			p.named = append(p.named, named{r, a})
		case "aria-label":
			v := p.pg.AttrValue(a)
			p.names[r] |= p.read(v, xxhash.Sum64(v)).class
		case "role":
			switch string(p.pg.AttrValue(a)) {
			case "main":
				c.in |= inMain
			case "navigation", "menu", "menubar", "search", "tablist":
				c.in |= inNav
			case "banner":
				c.in |= inHeader
			case "contentinfo":
				c.in |= inFooter
			case "complementary":
				c.in |= inAside
			case "dialog", "alertdialog":
				c.in |= inDialog
			case "article":
				more(&c.article)
			}
		case "itemprop":
			v := p.pg.AttrValue(a)
			p.names[r] |= p.read(v, xxhash.Sum64(v)).class
			switch string(v) {
			case "articleBody", "description", "text", "reviewBody":
				c.in |= inItemBody
			}
		case "itemtype":
			if t := itemType(p.pg.AttrValue(a)); t > 0 {
				c.item = t
			}
		case "aria-hidden":
			if string(p.pg.AttrValue(a)) == "true" {
				c.in |= inAriaHidden
			}
		}
	}
	return look
}

// name adds to row r the classes and the value of the names in its class or id.
func (p *Page) name(r page.Row, k *knownAttr) {
	p.names[r] |= k.class
	p.values[r] = stronger(p.values[r], k.value)
}

// itemTypes lists parts of schema.org's type names; the first part that occurs counts.
var itemTypes = []struct {
	part string
	item uint8
}{
	{"Comment", 2}, {"DiscussionForum", 3}, {"Question", 3}, {"Answer", 3}, {"QAPage", 3},
	{"Article", 1}, {"BlogPosting", 1}, {"CreativeWork", 1}, {"Offer", 5}, {"Review", 6}, {"Rating", 6}, {"Product", 4},
}

// itemType returns the number of an itemtype attribute's value, or 0 for values that
// the features do not use.
func itemType(v []byte) uint8 {
	if len(v) > 200 || bytes.Contains(v, []byte("WebPage")) {
		return 0
	}
	for _, t := range itemTypes {
		if bytes.Contains(v, []byte(t.part)) {
			return t.item
		}
	}
	return 7
}

// join adds row r to the group of its siblings with the same look. A hostile page can
// make many rows hash to the same slots of the table, so a row that finds no slot
// within 32 steps is left without a group.
func (p *Page) join(r page.Row, look uint64) {
	parent := p.body.Parent[r]
	mask := uint64(len(p.groupSlots) - 1)
	at := (look ^ uint64(parent)*0xbf58476d1ce4e5b9)
	at ^= at >> 29
	for range 32 {
		g := p.groupSlots[at&mask]
		if g == 0 {
			g = int32(len(p.groups))
			p.groups = append(p.groups, group{parent: parent, look: look})
			p.groupSlots[at&mask] = g
		}
		if k := &p.groups[g]; k.parent == parent && k.look == look {
			p.groupOf[r], p.inGroup[r] = g, k.size
			k.size++
			return
		}
		at++
	}
}
