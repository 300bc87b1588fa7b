package blocks

import "slices"

// Names are the features of a block in the order of its Row.
var Names = slices.Concat(textNames, markupNames, pathNames, levelNames, placeNames, containerNames, groupNames,
	neighbourNames, commentNames, sectionNames, pageNames, TypeNames, secondNames)

// Base features are those of the blocks alone, Second is where those of the second
// stage begin; the page's types stand between.
var (
	Types  = len(Names) - len(secondNames) - len(TypeNames)
	Second = len(Names) - len(secondNames)
)

// cursor writes a row from front to back.
type cursor struct {
	row *Row
	at  uint8
}

func (c *cursor) put(v uint8) {
	c.row[c.at] = v
	c.at++
}

// fillRow sets the features of block i but those of types and second stage.
func (p *Page) fillRow(i int) {
	c := cursor{row: &p.Rows[i]}
	k := &p.Blocks[i]
	p.putText(&c, k, i)
	p.putMarkup(&c, k)
	p.putPath(&c, k)
	p.putLevels(&c, k)
	p.putPlace(&c, k, i)
	p.putContainers(&c, k, i)
	p.putGroups(&c, k)
	p.putNeighbours(&c, k, i)
	p.putComments(&c, k, i)
	p.putSection(&c, i)
	p.putPage(&c)
}

var textNames = []string{
	"text.words", "text.bytes", "text.word-bytes", "text.sentences", "text.sentence-words",
	"text.stop", "text.punctuation", "text.commas", "text.digits", "text.capitalised", "text.capitals",
	"text.end", "text.small", "text.url", "text.email", "text.money", "text.pipe", "text.question",
	"text.exclamation", "text.repeated", "text.nonascii", "text.date", "text.legal", "text.caption", "text.signup", "text.personal",
}

func (p *Page) putText(c *cursor, k *Block, i int) {
	w, size := int(k.Words), int(k.End-k.Start)
	c.put(lg(w))
	c.put(lg(size))
	c.put(per(size, w))
	c.put(lg(int(k.sent)))
	c.put(per(w, int(k.sent)+1))
	c.put(share(int(k.stops[p.tot.language]), w))
	c.put(share(int(k.punct), w))
	c.put(share(int(k.commas), w))
	c.put(share(int(k.digits), size))
	c.put(share(int(k.upper), w))
	c.put(share(int(k.caps), w))
	c.put(p.ending(k))
	c.put(flag(size > 0 && byteKinds[p.body.Text[k.Start]] == kindLower))
	for _, m := range [...]mark{markURL, markEmail, markMoney, markPipe, markQuestion} {
		c.put(flag(k.marks&m != 0))
	}
	c.put(share(int(k.excl), w))
	c.put(lg(int(p.textSlot(k.text).blocks)))
	c.put(share(int(k.nonascii), size))
	c.put(flag(k.marks&markTime != 0 || k.classes&wordMonth != 0 && k.digits > 0))
	for _, m := range [...]wordClass{wordLegal, wordCaption, wordSignup} {
		c.put(flag(k.classes&m != 0))
	}
	c.put(share(int(k.personal), w))
}

// ending says how the block's text ends: as a sentence, higher, or not.
func (p *Page) ending(k *Block) uint8 {
	if k.End == k.Start {
		return 0
	}
	switch p.body.Text[k.End-1] {
	case '.', '!':
		return 6
	case '"', ')':
		return 5
	case '?':
		return 4
	case ':':
		return 3
	case ',', ';':
		return 2
	case 0x82, 0x9d, 0x81, 0x9f: // 。 ” ！ ？ end so in UTF-8, and few letters
		return 1
	}
	return 0
}

var markupNames = []string{
	"markup.link", "markup.inline", "markup.br", "markup.images", "markup.bold", "markup.heading", "markup.hidden",
	"markup.button", "markup.code", "markup.italic", "markup.time", "markup.own-element",
}

func (p *Page) putMarkup(c *cursor, k *Block) {
	b, in := p.body, p.context[k.First].in
	c.put(share(int(k.linked), int(k.Words)))
	c.put(share(int(k.inline), int(k.Words)+1))
	c.put(few(int(k.br)))
	c.put(lg(b.Sum(b.IMG, k.Cont)))
	c.put(share(int(k.bold), int(k.Words)))
	c.put(k.head)
	c.put(flag(in&inHidden != 0) + 2*flag(in&inAriaHidden != 0))
	for _, m := range [...]within{inButton, inCode, inItalic, inTime} {
		c.put(flag(in&m != 0))
	}
	c.put(flag(b.TextStart[k.Cont] == k.Start && b.TextEnd[k.Cont] == k.End))
}

var pathNames = []string{
	"path.depth", "path.tag", "path.parent-tag", "path.article", "path.section", "path.table", "path.list",
	"path.main", "path.nav", "path.header", "path.footer", "path.aside", "path.form", "path.figure", "path.dl",
	"path.quote", "path.pre", "path.dialog", "path.item-body", "path.noscript", "path.item-type",
}

func (p *Page) putPath(c *cursor, k *Block) {
	b, x := p.body, &p.context[k.First]
	c.put(few(int(b.Depth[k.Cont])))
	c.put(kindOf(b.Tag[k.Cont]))
	c.put(kindOf(b.Tag[b.Parent[k.Cont]]))
	c.put(x.article)
	c.put(x.section)
	c.put(x.table)
	c.put(x.list)
	for _, m := range [...]within{inMain, inNav, inHeader, inFooter, inAside, inForm, inFigure, inDl, inQuote, inPre, inDialog, inItemBody, inNoscript} {
		c.put(flag(x.in&m != 0))
	}
	c.put(x.item)
}

// levelNames are of the levels from the lowest element of the block up to the
// nearest one with a name of a class.
var levelNames = []string{
	"name.comment", "name.post", "name.related", "name.share", "name.signup", "name.tags", "name.author", "name.date",
	"name.caption", "name.nav", "name.footer", "name.side", "name.ad", "name.content", "name.product", "name.review",
	"name.dialog", "name.pager", "name.title", "name.teaser", "name.card", "name.detail",
}

const (
	levels  = 16 // looked at
	noLevel = 20
)

func (p *Page) putLevels(c *cursor, k *Block) {
	at := c.row[c.at : int(c.at)+nameClasses]
	for i := range at {
		at[i] = noLevel
	}
	var seen nameClass
	level := uint8(0)
	for r := k.lca; r > 0 && level < levels; r = p.body.Parent[r] {
		for more := p.names[r] &^ seen; more != 0; more &= more - 1 {
			at[lowest(more)] = level
		}
		seen |= p.names[r]
		level++
	}
	c.at += nameClasses
}

var placeNames = []string{
	"place.block", "place.words-before", "place.before", "place.after", "place.title", "place.from-title",
	"place.from-h1", "place.from-first-heading", "place.from-last-heading", "place.description",
}

func (p *Page) putPlace(c *cursor, k *Block, i int) {
	n := len(p.Blocks)
	all, at := int(p.cum[n].words), int(p.cum[i].words)
	t := &p.tot
	c.put(share(i, n))
	c.put(share(at, all))
	c.put(lg(at))
	c.put(lg(all - int(p.cum[i+1].words)))
	c.put(k.title)
	c.put(p.from(t.titleAt, i))
	c.put(p.from(t.h1At, i))
	c.put(p.from(t.headAt, i))
	c.put(p.from(t.lastHeadAt, i))
	about := uint8(0)
	if k.Words >= 4 && p.meta.about.n > 0 {
		words := p.hashes[k.firstHash:min(k.lastHash, k.firstHash+200)]
		about = share(p.meta.about.overlap(words, i), len(words))
	}
	c.put(about)
}

// from is the distance of block i from block j, in words.
func (p *Page) from(j, i int) uint8 {
	switch {
	case j < 0:
		return none
	case i >= j:
		return before(int(p.cum[i].words - p.cum[j].words))
	}
	return behind(int(p.cum[j].words - p.cum[i].words))
}

// containerNames are of the block element and the next three ancestors that each
// hold more words.
var containerNames = []string{
	"in1.words", "in1.link", "in1.words-per-block", "in1.paragraphs",
	"in2.words", "in2.link", "in2.words-per-block", "in2.paragraphs", "in2.share", "in2.place", "in2.headings", "in2.who", "in2.price",
	"in3.words", "in3.link", "in3.words-per-block", "in3.paragraphs", "in3.share", "in3.place", "in3.headings", "in3.who", "in3.price",
	"in4.words", "in4.link", "in4.words-per-block", "in4.paragraphs", "in4.share", "in4.place", "in4.headings",
}

func (p *Page) putContainers(c *cursor, k *Block, i int) {
	all := int(p.cum[len(p.Blocks)].words)
	for l, e := range k.within {
		a, z := &p.cum[e.from], &p.cum[e.to]
		words, blocks := int(z.words-a.words), int(e.to-e.from)
		c.put(lg(words))
		c.put(share(int(z.linked-a.linked), words))
		c.put(per(words, blocks))
		c.put(share(int(z.inP-a.inP), words))
		if l == 0 {
			continue
		}
		c.put(share(words, all))
		c.put(share(i-int(e.from), blocks))
		c.put(share(int(z.heads-a.heads), blocks))
		if l < 3 {
			c.put(share(int(z.who-a.who), blocks))
			c.put(share(int(z.price-a.price), blocks))
		}
	}
}

// groupNames are of the innermost repeated group that the block is in, and of the
// next one above with more words.
var groupNames = []string{
	"group1.members", "group1.words-per-member", "group1.link", "group1.share", "group1.place", "group1.words", "group1.up",
	"group1.who", "group1.price",
	"group2.members", "group2.words-per-member", "group2.share", "group2.up", "group.largest",
}

func (p *Page) putGroups(c *cursor, k *Block) {
	b := p.body
	all := int(p.cum[len(p.Blocks)].words)
	r1 := p.near[k.lca]
	r2 := p.next[r1]
	g1, g2 := p.groupOf[r1], p.groupOf[r2]
	if r1 == 0 {
		g1 = 0
	}
	if r2 == 0 {
		g2 = 0
	}
	g := &p.groups[g1]
	c.put(lg(int(g.size)))
	c.put(per(int(g.words), int(g.size)))
	c.put(share(int(g.linked), int(g.words)))
	c.put(share(int(g.words), all))
	if g1 == 0 {
		c.put(0)
		c.put(0)
		c.put(noLevel)
		c.put(0)
		c.put(0)
	} else {
		e := p.extentOf(b.Parent[r1])
		c.put(share(int(p.inGroup[r1]), int(g.size)))
		c.put(lg(p.wordsIn(r1)))
		c.put(few(int(b.Depth[k.lca] - b.Depth[r1])))
		c.put(share(int(p.cum[e.to].who-p.cum[e.from].who), int(g.size)))
		c.put(share(int(p.cum[e.to].price-p.cum[e.from].price), int(g.size)))
	}
	g = &p.groups[g2]
	c.put(lg(int(g.size)))
	c.put(per(int(g.words), int(g.size)))
	c.put(share(int(g.words), all))
	if g2 == 0 {
		c.put(noLevel)
	} else {
		c.put(few(int(b.Depth[k.lca] - b.Depth[r2])))
	}
	c.put(flag(p.tot.largest > 0 && (g1 == p.tot.largest || g2 == p.tot.largest)))
}

var neighbourNames = []string{
	"before2.words", "before2.link", "before2.stop", "before2.heading", "before2.relation",
	"before1.words", "before1.link", "before1.stop", "before1.heading", "before1.relation",
	"after1.words", "after1.link", "after1.stop", "after1.heading", "after1.relation",
	"after2.words", "after2.link", "after2.stop", "after2.heading", "after2.relation",
	"window3.words", "window3.link", "window6.words", "window6.link", "window6.stop",
	"window12.words", "window12.link", "window12.stop", "run.words",
}

// beyond is the value of a neighbour's features where the page ends.
const beyond = 255

func (p *Page) putNeighbours(c *cursor, k *Block, i int) {
	n := len(p.Blocks)
	for _, o := range [...]int{-2, -1, 1, 2} {
		j := i + o
		if j < 0 || j >= n {
			for range 5 {
				c.put(beyond)
			}
			continue
		}
		q := &p.Blocks[j]
		c.put(lg(int(q.Words)))
		c.put(share(int(q.linked), int(q.Words)))
		c.put(share(int(q.stops[p.tot.language]), int(q.Words)))
		c.put(q.head)
		c.put(p.relation(k, q))
	}
	for _, s := range [...]int{3, 6, 12} {
		a, z := &p.cum[max(0, i-s)], &p.cum[min(n, i+s+1)]
		words := int(z.words - a.words)
		c.put(lg(words))
		c.put(share(int(z.linked-a.linked), words))
		if s > 3 {
			c.put(share(int(z.stop-a.stop), words))
		}
	}
	c.put(lg(int(k.run)))
}

// relation says how near the elements of two blocks are to each other.
func (p *Page) relation(k, q *Block) uint8 {
	b := p.body
	switch {
	case q.Cont == k.Cont:
		return 4
	case b.Parent[q.Cont] != b.Parent[k.Cont]:
		return flag(b.Tag[q.Cont] == b.Tag[k.Cont])
	case p.groupOf[q.Cont] == p.groupOf[k.Cont] && p.groupOf[k.Cont] > 0:
		return 3
	}
	return 2
}

var commentNames = []string{
	"comments.from-heading", "comments.blocks-from-heading", "comments.from-first-heading", "comments.text-before-heading",
	"comments.who", "comments.who2", "comments.who6", "comments.who15", "comments.personal", "main.from", "main.text-before", "main.words-before",
	"shop.prices", "shop.cart", "shop.from-price", "shop.from-cart",
}

func (p *Page) putComments(c *cursor, k *Block, i int) {
	n := len(p.Blocks)
	t := &p.tot
	c.put(p.from(int(k.comments), i))
	if k.comments < 0 {
		c.put(none)
	} else {
		c.put(1 + min(254, lg(i-int(k.comments))))
	}
	c.put(p.from(t.commentAt, i))
	all := int(p.cum[n].long)
	if t.commentAt < 0 {
		c.put(beyond)
	} else {
		c.put(share(int(p.cum[t.commentAt].long), all))
	}
	c.put(flag(k.who))
	for _, s := range [...]int{2, 6, 15} {
		c.put(few(int(p.cum[min(n, i+s+1)].who - p.cum[max(0, i-s)].who)))
	}
	a, z := &p.cum[max(0, i-4)], &p.cum[min(n, i+5)]
	c.put(share(int(z.personal-a.personal), int(z.words-a.words)))
	c.put(p.fromMain(i))
	c.put(share(int(p.cum[i].long), all))
	c.put(lg(int(p.cum[i].long)))

	a, z = &p.cum[max(0, i-6)], &p.cum[min(n, i+7)]
	c.put(few(int(z.price - a.price)))
	c.put(flag(k.cart))
	c.put(p.from(t.priceAt, i))
	c.put(p.from(t.cartAt, i))
}

// fromMain is the distance of block i from the main element; 128 inside of it.
func (p *Page) fromMain(i int) uint8 {
	if p.tot.main < 0 {
		return none
	}
	e := p.extentOf(p.tot.main)
	switch {
	case i < int(e.from):
		return behind(1 + int(p.cum[e.from].words-p.cum[i].words))
	case i >= int(e.to):
		return before(1 + int(p.cum[i].words-p.cum[e.to].words))
	}
	return 128
}

var sectionNames = []string{
	"section.class", "section.level", "section.from-heading", "section.from-aside", "section.words", "section.link",
	"section.words-per-block", "section.text", "section.text-after",
}

func (p *Page) putSection(c *cursor, i int) {
	h := p.lastHead[i]
	if h < 0 {
		for range len(sectionNames) {
			c.put(beyond)
		}
		return
	}
	s := &p.sections[h]
	a, z := &p.cum[s.from], &p.cum[s.to]
	words := int(z.words - a.words)
	all := int(p.cum[len(p.Blocks)].long)
	c.put(s.class)
	c.put(p.Blocks[h].head)
	c.put(p.from(int(h), i))
	c.put(p.from(int(p.lastAside[i]), i))
	c.put(lg(words))
	c.put(share(int(z.linked-a.linked), words))
	c.put(per(words, int(s.to-s.from)))
	c.put(share(int(z.long-a.long), words))
	c.put(share(all-int(z.long), all))
}

var pageNames = []string{
	"page.words", "page.blocks", "page.link", "page.paragraphs", "page.items", "page.cells", "page.headings",
	"page.texts", "page.text", "page.articles", "page.inputs", "page.tables", "page.groups", "page.group-share",
	"page.group-members", "page.group-words", "page.hidden", "page.json-ld", "page.og-type", "page.url-segments",
	"page.url-digits", "page.url-hyphens", "page.noscript", "page.main", "page.main-group", "page.main-words", "page.comments", "page.who",
	"page.whos", "page.forum-url", "page.generator", "page.body-name", "page.prices", "page.carts",
}

func (p *Page) putPage(c *cursor) { c.at += uint8(copy(c.row[c.at:], p.pageRow[:len(pageNames)])) }

// fillPage makes the features that all blocks of the page share.
func (p *Page) fillPage() {
	c := cursor{row: &p.pageRow}
	t, m := &p.tot, &p.meta
	n := len(p.Blocks)
	z := &p.cum[n]
	all, long := int(z.words), int(z.long)
	c.put(lg(all))
	c.put(lg(n))
	c.put(share(int(z.linked), all))
	for _, words := range [...]int{t.paragraphs, t.items, t.cells, t.headings} {
		c.put(share(words, all))
	}
	c.put(lg(t.longs))
	c.put(share(long, all))
	for _, count := range [...]int{t.articles, t.inputs, t.tables, t.groups} {
		c.put(lg(count))
	}
	g := &p.groups[t.largest]
	c.put(share(int(g.words), all))
	c.put(lg(int(g.size)))
	c.put(per(int(g.words), int(g.size)))
	c.put(share(t.hidden, n))
	c.put(uint8(m.types))
	c.put(m.og)
	c.put(few(m.segments))
	c.put(share(m.urlDigits, m.urlBytes+1))
	c.put(few(m.hyphens))
	c.put(share(t.unscripted, all))
	c.put(share(t.mainWords, long+1))
	c.put(lg(t.mainGroup))
	c.put(lg(t.mainWords))
	c.put(share(t.commentWords, all))
	c.put(share(t.whos, n))
	c.put(lg(t.whos))
	c.put(flag(m.forumURL))
	c.put(m.generator)
	c.put(m.body)
	c.put(lg(t.prices))
	c.put(lg(t.carts))
}
