package blocks

import "slices"

// Names are the features of a block in the order of its Row.
var Names = slices.Concat(textNames, markupNames, pathNames, levelNames, placeNames, containerNames, groupNames,
	neighbourNames, commentNames, sectionNames, pageNames, learnedNames, TypeNames, secondNames)

// These are the indices at which groups of features begin. From ofPage on are the
// features that all blocks of a page share, from Learned on those of learned names,
// from Types on those of the page's type, and from Second on those of the second stage.
// Fill computes all features before Learned.
var (
	ofPage  = Learned - len(pageNames)
	Learned = Types - len(learnedNames)
	Types   = Second - len(TypeNames)
	Second  = len(Names) - len(secondNames)
)

// cursor writes the features of one block, from the first to the last.
type cursor struct {
	tile *Tile
	lane uint // of the block in its tile
	at   uint8
}

func (p *Page) cursor(block, feature int) cursor {
	return cursor{&p.Tiles[block/Lanes], uint(block % Lanes), uint8(feature)}
}

// put writes the next feature and returns the cursor after it. The cursor is passed and
// returned as a value so that the compiler keeps it in registers.
func (c cursor) put(v uint8) cursor {
	c.tile[c.at][c.lane%Lanes] = v
	c.at++
	return c
}

// fillBlock sets the features of block i, except for those of the page, of the page's
// type and of the second stage.
func (p *Page) fillBlock(i int) {
	c := p.cursor(i, 0)
	k := &p.Blocks[i]
	c = p.putText(c, k, i)
	c = p.putMarkup(c, k)
	c = p.putPath(c, k)
	c = p.putLevels(c, k)
	c = p.putPlace(c, k, i)
	c = p.putContainers(c, k, i)
	c = p.putGroups(c, k)
	c = p.putNeighbours(c, k, i)
	c = p.putComments(c, k, i)
	p.putSection(c, i)
}

// setColumns sets the features that begin with the given one to the same values in all
// blocks.
func (p *Page) setColumns(feature int, values []uint8) {
	for f, v := range values {
		var column [Lanes]uint8
		for lane := range column {
			column[lane] = v
		}
		for t := range p.Tiles {
			p.Tiles[t][feature+f] = column
		}
	}
}

var textNames = []string{
	"text.words", "text.bytes", "text.word-bytes", "text.sentences", "text.sentence-words",
	"text.stop", "text.punctuation", "text.commas", "text.digits", "text.capitalised", "text.capitals",
	"text.end", "text.url", "text.email", "text.pipe", "text.question",
	"text.exclamation", "text.repeated", "text.nonascii", "text.date", "text.legal", "text.caption", "text.signup", "text.personal",
}

func (p *Page) putText(c cursor, k *Block, i int) cursor {
	w, size := int(k.Words), int(k.End-k.Start)
	c = c.put(k.scaled.words)
	c = c.put(lg(size))
	c = c.put(per(size, w))
	c = c.put(lg(int(k.sent)))
	c = c.put(per(w, int(k.sent)+1))
	c = c.put(k.scaled.stop)
	c = c.put(share(int(k.punct), w))
	c = c.put(share(int(k.commas), w))
	c = c.put(share(int(k.digits), size))
	c = c.put(share(int(k.upper), w))
	c = c.put(share(int(k.caps), w))
	c = c.put(p.ending(k))
	for _, m := range [...]mark{markURL, markEmail, markPipe, markQuestion} {
		c = c.put(flag(k.marks&m != 0))
	}
	c = c.put(share(int(k.excl), w))
	c = c.put(lg(int(p.textSlot(k.text).blocks)))
	c = c.put(share(int(k.nonascii), size))
	c = c.put(flag(k.marks&markTime != 0 || k.classes&wordMonth != 0 && k.digits > 0))
	for _, m := range [...]wordClass{wordLegal, wordCaption, wordSignup} {
		c = c.put(flag(k.classes&m != 0))
	}
	c = c.put(share(int(k.personal), w))
	return c
}

// ending rates how the text of the block ends; the end of a sentence is rated highest.
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
	case 0x82, 0x9d, 0x81, 0x9f: // UTF-8 forms of 。 ” ！ ？ end with these bytes, and few letters do
		return 1
	}
	return 0
}

var markupNames = []string{
	"markup.link", "markup.inline", "markup.br", "markup.images", "markup.bold", "markup.heading", "markup.hidden",
	"markup.button", "markup.code", "markup.own-element",
}

func (p *Page) putMarkup(c cursor, k *Block) cursor {
	b, in := p.body, p.context[k.First].in
	c = c.put(k.scaled.linked)
	c = c.put(share(int(k.inline), int(k.Words)+1))
	c = c.put(few(int(k.br)))
	c = c.put(lg(int(p.images[b.End[k.Cont]] - p.images[k.Cont])))
	c = c.put(share(int(k.bold), int(k.Words)))
	c = c.put(k.head)
	c = c.put(flag(in&inHidden != 0) + 2*flag(in&inAriaHidden != 0))
	for _, m := range [...]within{inButton, inCode} {
		c = c.put(flag(in&m != 0))
	}
	c = c.put(flag(b.TextStart[k.Cont] == k.Start && b.TextEnd[k.Cont] == k.End))
	return c
}

var pathNames = []string{
	"path.depth", "path.tag", "path.parent-tag", "path.article", "path.section", "path.table", "path.list",
	"path.main", "path.nav", "path.header", "path.footer", "path.aside", "path.form", "path.figure", "path.dl",
	"path.quote", "path.pre", "path.dialog", "path.item-body", "path.noscript", "path.item-type",
}

func (p *Page) putPath(c cursor, k *Block) cursor {
	b, x := p.body, &p.context[k.First]
	c = c.put(few(int(b.Depth[k.Cont])))
	c = c.put(kindOf(b.Tag[k.Cont]))
	c = c.put(kindOf(b.Tag[b.Parent[k.Cont]]))
	c = c.put(x.article)
	c = c.put(x.section)
	c = c.put(x.table)
	c = c.put(x.list)
	for _, m := range [...]within{inMain, inNav, inHeader, inFooter, inAside, inForm, inFigure, inDl, inQuote, inPre, inDialog, inItemBody, inNoscript} {
		c = c.put(flag(x.in&m != 0))
	}
	c = c.put(x.item)
	return c
}

// levelNames are features that count levels: from the lowest element that holds the
// block up to the nearest element that has a name of the class.
var levelNames = []string{
	"name.comment", "name.post", "name.related", "name.share", "name.signup", "name.tags", "name.author", "name.date",
	"name.caption", "name.nav", "name.footer", "name.side", "name.ad", "name.content", "name.product", "name.review",
	"name.dialog", "name.pager", "name.title", "name.teaser", "name.card", "name.detail",
}

const (
	levels  = 16 // number of elements that are looked at
	noLevel = 20
)

func (p *Page) putLevels(c cursor, k *Block) cursor {
	at := c
	for range nameClasses {
		c = c.put(noLevel)
	}
	var seen nameClass
	level := uint8(0)
	for r := k.lca; r > 0 && level < levels; r = p.body.Parent[r] {
		for more := p.names[r] &^ seen; more != 0; more &= more - 1 {
			at.tile[at.at+lowest(more)][at.lane%Lanes] = level
		}
		seen |= p.names[r]
		level++
	}
	return c
}

var placeNames = []string{
	"place.block", "place.words-before", "place.before", "place.after", "place.title", "place.from-title",
	"place.from-h1", "place.from-first-heading", "place.from-last-heading", "place.description",
}

func (p *Page) putPlace(c cursor, k *Block, i int) cursor {
	n := len(p.Blocks)
	all, at := int(p.cum[n].words), int(p.cum[i].words)
	t := &p.tot
	c = c.put(share(i, n))
	c = c.put(share(at, all))
	c = c.put(lg(at))
	c = c.put(lg(all - int(p.cum[i+1].words)))
	c = c.put(k.title)
	c = c.put(p.from(t.titleAt, i))
	c = c.put(p.from(t.h1At, i))
	c = c.put(p.from(t.headAt, i))
	c = c.put(p.from(t.lastHeadAt, i))
	about := uint8(0)
	if k.Words >= 4 && p.meta.about.n > 0 {
		words := p.hashes[k.firstHash:min(k.lastHash, k.firstHash+200)]
		about = share(p.meta.about.overlap(words, i), len(words))
	}
	c = c.put(about)
	return c
}

// from returns the distance of block i from block j, in words.
func (p *Page) from(j, i int) uint8 {
	switch {
	case j < 0:
		return none
	case i >= j:
		return before(int(p.cum[i].words - p.cum[j].words))
	}
	return behind(int(p.cum[j].words - p.cum[i].words))
}

// containerNames are features of the block element and of the three nearest ancestors
// that each hold more words than the one before.
var containerNames = []string{
	"in1.words", "in1.link", "in1.words-per-block", "in1.paragraphs",
	"in2.words", "in2.link", "in2.words-per-block", "in2.paragraphs", "in2.share", "in2.place", "in2.headings", "in2.who", "in2.price",
	"in3.words", "in3.link", "in3.words-per-block", "in3.paragraphs", "in3.share", "in3.place", "in3.headings", "in3.who", "in3.price",
	"in4.words", "in4.link", "in4.words-per-block", "in4.paragraphs", "in4.share", "in4.place", "in4.headings",
}

// container holds the features that all blocks in an element share.
type container struct {
	extent
	words, link, wordsPerBlock, paragraphs, share, heads, who, price uint8
}

// containerOf returns the features of an element from the extent of its blocks. Most
// blocks are in the same outer elements as the preceding block, so the latest result of
// each level is kept.
func (p *Page) containerOf(level int, e extent) *container {
	x := &p.latest[level]
	if x.extent == e {
		return x
	}
	a, z := &p.cum[e.from], &p.cum[e.to]
	words, blocks := int(z.words-a.words), int(e.to-e.from)
	*x = container{
		extent:        e,
		words:         lg(words),
		link:          share(int(z.linked-a.linked), words),
		wordsPerBlock: per(words, blocks),
		paragraphs:    share(int(z.inP-a.inP), words),
		share:         share(words, int(p.cum[len(p.Blocks)].words)),
		heads:         share(int(z.heads-a.heads), blocks),
		who:           share(int(z.who-a.who), blocks),
		price:         share(int(z.price-a.price), blocks),
	}
	return x
}

func (p *Page) putContainers(c cursor, k *Block, i int) cursor {
	for l, e := range k.within {
		x := p.containerOf(l, e)
		c = c.put(x.words)
		c = c.put(x.link)
		c = c.put(x.wordsPerBlock)
		c = c.put(x.paragraphs)
		if l == 0 {
			continue
		}
		c = c.put(x.share)
		c = c.put(share(i-int(e.from), int(e.to-e.from)))
		c = c.put(x.heads)
		if l < 3 {
			c = c.put(x.who)
			c = c.put(x.price)
		}
	}
	return c
}

// groupNames are features of the innermost repeated group that contains the block, and
// of the nearest group around it that has more words.
var groupNames = []string{
	"group1.members", "group1.words-per-member", "group1.link", "group1.share", "group1.place", "group1.words", "group1.up",
	"group1.who", "group1.price",
	"group2.members", "group2.words-per-member", "group2.share", "group2.up", "group.largest",
}

func (p *Page) putGroups(c cursor, k *Block) cursor {
	b := p.body
	r1 := p.near[k.lca]
	r2 := p.next[r1]
	g1, g2 := p.groupOf[r1], p.groupOf[r2]
	if r1 == 0 {
		g1 = 0
	}
	if r2 == 0 {
		g2 = 0
	}
	g := &p.groups[g1].scaled
	c = c.put(g.members)
	c = c.put(g.wordsPerMember)
	c = c.put(g.link)
	c = c.put(g.share)
	if g1 == 0 {
		c = c.put(0)
		c = c.put(0)
		c = c.put(noLevel)
	} else {
		c = c.put(share(int(p.inGroup[r1]), int(p.groups[g1].size)))
		c = c.put(lg(p.wordsIn(r1)))
		c = c.put(few(int(b.Depth[k.lca] - b.Depth[r1])))
	}
	c = c.put(g.who)
	c = c.put(g.price)
	g = &p.groups[g2].scaled
	c = c.put(g.members)
	c = c.put(g.wordsPerMember)
	c = c.put(g.share)
	if g2 == 0 {
		c = c.put(noLevel)
	} else {
		c = c.put(few(int(b.Depth[k.lca] - b.Depth[r2])))
	}
	return c.put(flag(p.tot.largest > 0 && (g1 == p.tot.largest || g2 == p.tot.largest)))
}

var neighbourNames = []string{
	"before2.words", "before2.link", "before2.stop", "before2.heading",
	"before1.words", "before1.link", "before1.stop", "before1.heading", "before1.relation",
	"after1.words", "after1.link", "after1.stop", "after1.heading", "after1.relation",
	"after2.words", "after2.link", "after2.stop", "after2.heading",
	"window3.words", "window3.link", "window6.words", "window6.link", "window6.stop",
	"window12.words", "window12.link", "window12.stop", "run.words",
}

// beyond is the value of a neighbour's features where there is no neighbour.
const beyond = 255

func (p *Page) putNeighbours(c cursor, k *Block, i int) cursor {
	n := len(p.Blocks)
	for _, o := range [...]int{-2, -1, 1, 2} {
		j, next := i+o, o == -1 || o == 1
		if j < 0 || j >= n {
			for range 4 {
				c = c.put(beyond)
			}
			if next {
				c = c.put(beyond)
			}
			continue
		}
		q := &p.Blocks[j]
		c = c.put(q.scaled.words)
		c = c.put(q.scaled.linked)
		c = c.put(q.scaled.stop)
		c = c.put(q.head)
		if next {
			c = c.put(p.relation(k, q))
		}
	}
	for _, s := range [...]int{3, 6, 12} {
		a, z := &p.cum[max(0, i-s)], &p.cum[min(n, i+s+1)]
		words := int(z.words - a.words)
		c = c.put(lg(words))
		c = c.put(share(int(z.linked-a.linked), words))
		if s > 3 {
			c = c.put(share(int(z.stop-a.stop), words))
		}
	}
	c = c.put(lg(int(k.run)))
	return c
}

// relation returns a number for how near the elements of two blocks are to each other.
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
	"shop.prices", "shop.from-price", "shop.from-cart",
}

func (p *Page) putComments(c cursor, k *Block, i int) cursor {
	n := len(p.Blocks)
	t := &p.tot
	c = c.put(p.from(int(k.comments), i))
	if k.comments < 0 {
		c = c.put(none)
	} else {
		c = c.put(1 + min(254, lg(i-int(k.comments))))
	}
	c = c.put(p.from(t.commentAt, i))
	all := int(p.cum[n].long)
	if t.commentAt < 0 {
		c = c.put(beyond)
	} else {
		c = c.put(share(int(p.cum[t.commentAt].long), all))
	}
	c = c.put(flag(k.who))
	for _, s := range [...]int{2, 6, 15} {
		c = c.put(few(int(p.cum[min(n, i+s+1)].who - p.cum[max(0, i-s)].who)))
	}
	a, z := &p.cum[max(0, i-4)], &p.cum[min(n, i+5)]
	c = c.put(share(int(z.personal-a.personal), int(z.words-a.words)))
	c = c.put(p.fromMain(i))
	c = c.put(share(int(p.cum[i].long), all))
	c = c.put(lg(int(p.cum[i].long)))

	a, z = &p.cum[max(0, i-6)], &p.cum[min(n, i+7)]
	c = c.put(few(int(z.price - a.price)))
	c = c.put(p.from(t.priceAt, i))
	c = c.put(p.from(t.cartAt, i))
	return c
}

// fromMain returns the distance of block i from the main element, which is 128 inside
// of it.
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

func (p *Page) putSection(c cursor, i int) cursor {
	h := p.lastHead[i]
	if h < 0 {
		for range len(sectionNames) {
			c = c.put(beyond)
		}
		return c
	}
	s := &p.sections[h]
	c = c.put(s.class)
	c = c.put(p.Blocks[h].head)
	c = c.put(p.from(int(h), i))
	c = c.put(p.from(int(p.lastAside[i]), i))
	c = c.put(s.words)
	c = c.put(s.link)
	c = c.put(s.wordsPerBlock)
	c = c.put(s.text)
	c = c.put(s.textAfter)
	return c
}

var pageNames = []string{
	"page.words", "page.blocks", "page.link", "page.paragraphs", "page.items", "page.cells", "page.headings",
	"page.texts", "page.text", "page.articles", "page.inputs", "page.tables", "page.groups", "page.group-share",
	"page.group-members", "page.group-words", "page.hidden", "page.json-ld", "page.og-type", "page.url-segments",
	"page.url-digits", "page.url-hyphens", "page.noscript", "page.main", "page.main-group", "page.main-words", "page.comments", "page.who",
	"page.whos", "page.forum-url", "page.generator", "page.body-name", "page.prices", "page.carts",
}

// fillPage sets the features that all blocks of the page share.
func (p *Page) fillPage() {
	var values pageValues
	t, m := &p.tot, &p.meta
	n := len(p.Blocks)
	z := &p.cum[n]
	all, long := int(z.words), int(z.long)
	values.put(lg(all))
	values.put(lg(n))
	values.put(share(int(z.linked), all))
	for _, words := range [...]int{t.paragraphs, t.items, t.cells, t.headings} {
		values.put(share(words, all))
	}
	values.put(lg(t.longs))
	values.put(share(long, all))
	for _, count := range [...]int{t.articles, t.inputs, t.tables, t.groups} {
		values.put(lg(count))
	}
	g := &p.groups[t.largest]
	values.put(share(int(g.words), all))
	values.put(lg(int(g.size)))
	values.put(per(int(g.words), int(g.size)))
	values.put(share(t.hidden, n))
	values.put(uint8(m.types))
	values.put(m.og)
	values.put(few(m.segments))
	values.put(share(m.urlDigits, m.urlBytes+1))
	values.put(few(m.hyphens))
	values.put(share(t.unscripted, all))
	values.put(share(t.mainWords, long+1))
	values.put(lg(t.mainGroup))
	values.put(lg(t.mainWords))
	values.put(share(t.commentWords, all))
	values.put(share(t.whos, n))
	values.put(lg(t.whos))
	values.put(flag(m.forumURL))
	values.put(m.generator)
	values.put(m.body)
	values.put(lg(t.prices))
	values.put(lg(t.carts))
	p.setColumns(ofPage, values.of[:values.n])
}

// pageValues collects values in the order in which they are written.
type pageValues struct {
	of [64]uint8
	n  int
}

func (v *pageValues) put(value uint8) {
	v.of[v.n] = value
	v.n++
}
