package blocks

import (
	"slices"
	"unicode/utf8"
)

// Names are the features of a block in the order of its Row.
var Names = slices.Concat(textNames[:], markupNames[:], pathNames[:], levelNames[:], placeNames[:], containerNames[:], groupNames[:],
	neighbourNames[:], commentNames[:], sectionNames[:], pageNames[:], learnedNames[:], TypeNames[:], secondNames[:])

// These are the indices at which groups of features begin. From ofPage on are the
// features that all blocks of a page share, from Learned on those of learned names,
// from Types on those of the page's type, and from Second on those of the second stage.
// Fill computes all features before Types.
const (
	ofText       = 0
	ofMarkup     = ofText + len(textNames)
	ofPath       = ofMarkup + len(markupNames)
	ofLevels     = ofPath + len(pathNames)
	ofPlace      = ofLevels + len(levelNames)
	ofContainers = ofPlace + len(placeNames)
	ofGroups     = ofContainers + len(containerNames)
	ofNeighbours = ofGroups + len(groupNames)
	ofComments   = ofNeighbours + len(neighbourNames)
	ofSection    = ofComments + len(commentNames)
	ofPage       = ofSection + len(sectionNames)
	Learned      = ofPage + len(pageNames)
	Types        = Learned + len(learnedNames)
	Second       = Types + len(TypeNames)
)

// cursor writes the features of one block, from the first to the last.
type cursor struct {
	tile *Tile
	lane uint // lane of the block in its tile
	at   uint8
}

func (p *Page) cursor(block, feature int) cursor {
	return cursor{&p.Tiles[block/Lanes], uint(block % Lanes), uint8(feature)}
}

// to returns the cursor at the given feature. Where that is a constant, the compiler
// computes the addresses of the features that follow it.
func (c cursor) to(feature int) cursor {
	c.at = uint8(feature)
	return c
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
	p.putText(c, k, i)
	p.putMarkup(c, k)
	p.putPath(c, k)
	p.putLevels(c, k)
	p.putPlace(c, k, i)
	p.putContainers(c, k, i)
	p.putGroups(c, k)
	p.putNeighbours(c, k, i)
	p.putComments(c, k, i)
	p.putSection(c, i)
	p.putLearned(c, k)
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

var textNames = [...]string{
	"text.words", "text.characters", "text.word-characters", "text.sentences", "text.sentence-words",
	"text.stop", "text.punctuation", "text.commas", "text.digits", "text.capitalised", "text.capitals",
	"text.end", "text.url", "text.email", "text.pipe", "text.question",
	"text.exclamation", "text.repeated", "text.date", "text.legal", "text.caption", "text.signup", "text.personal",
}

func (p *Page) putText(c cursor, k *Block, i int) cursor {
	c = c.to(ofText)
	w, size := int(k.Words), int(k.End-k.Start-k.beyond)
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
	c = c.put(flag(k.marks&markURL != 0))
	c = c.put(flag(k.marks&markEmail != 0))
	c = c.put(flag(k.marks&markPipe != 0))
	c = c.put(flag(k.marks&markQuestion != 0))
	c = c.put(share(int(k.excl), w))
	c = c.put(lg(int(p.textSlot(k.text).blocks)))
	c = c.put(flag(k.marks&markTime != 0 || k.classes&wordMonth != 0 && k.digits > 0))
	c = c.put(flag(k.classes&wordLegal != 0))
	c = c.put(flag(k.classes&wordCaption != 0))
	c = c.put(flag(k.classes&wordSignup != 0))
	c = c.put(share(int(k.personal), w))
	return c
}

// ending rates how the text of the block ends; the end of a sentence is rated highest.
func (p *Page) ending(k *Block) uint8 {
	c, _ := utf8.DecodeLastRune(p.body.Text[k.Start:k.End])
	switch c {
	case '.', '!', '。', '！', '…', '۔', '।', '॥', '։', '።', '។', '။':
		return 6
	case '"', ')', '”', '“', '»', '」', '』', '）':
		return 5
	case '?', '？', '؟':
		return 4
	case ':', '：':
		return 3
	case ',', ';', '，', '；', '、', '،':
		return 2
	}
	return 0
}

var markupNames = [...]string{
	"markup.link", "markup.inline", "markup.br", "markup.images", "markup.bold", "markup.heading", "markup.hidden",
	"markup.button", "markup.code", "markup.own-element",
}

func (p *Page) putMarkup(c cursor, k *Block) cursor {
	c = c.to(ofMarkup)
	b, in := p.body, p.context[k.First].in
	c = c.put(k.scaled.linked)
	c = c.put(share(int(k.inline), int(k.Words)+1))
	c = c.put(few(int(k.br)))
	c = c.put(lg(int(p.images[b.End[k.Cont]] - p.images[k.Cont])))
	c = c.put(share(int(k.bold), int(k.Words)))
	c = c.put(k.head)
	c = c.put(flag(in&inHidden != 0) + 2*flag(in&inAriaHidden != 0))
	c = c.put(flag(in&inButton != 0))
	c = c.put(flag(in&inCode != 0))
	c = c.put(flag(b.TextStart[k.Cont] == k.Start && b.TextEnd[k.Cont] == k.End))
	return c
}

var pathNames = [...]string{
	"path.depth", "path.tag", "path.parent-tag", "path.article", "path.section", "path.table", "path.list",
	"path.main", "path.nav", "path.header", "path.footer", "path.aside", "path.form", "path.figure", "path.dl",
	"path.quote", "path.pre", "path.dialog", "path.item-body", "path.noscript", "path.item-type",
}

func (p *Page) putPath(c cursor, k *Block) cursor {
	c = c.to(ofPath)
	b, x := p.body, &p.context[k.First]
	c = c.put(few(int(b.Depth[k.Cont])))
	c = c.put(kindOf(b.Tag[k.Cont]))
	c = c.put(kindOf(b.Tag[b.Parent[k.Cont]]))
	c = c.put(x.article)
	c = c.put(x.section)
	c = c.put(x.table)
	c = c.put(x.list)
	c = c.put(flag(x.in&inMain != 0))
	c = c.put(flag(x.in&inNav != 0))
	c = c.put(flag(x.in&inHeader != 0))
	c = c.put(flag(x.in&inFooter != 0))
	c = c.put(flag(x.in&inAside != 0))
	c = c.put(flag(x.in&inForm != 0))
	c = c.put(flag(x.in&inFigure != 0))
	c = c.put(flag(x.in&inDl != 0))
	c = c.put(flag(x.in&inQuote != 0))
	c = c.put(flag(x.in&inPre != 0))
	c = c.put(flag(x.in&inDialog != 0))
	c = c.put(flag(x.in&inItemBody != 0))
	c = c.put(flag(x.in&inNoscript != 0))
	c = c.put(x.item)
	return c
}

// levelNames are features that count levels: from the lowest element that holds the
// block up to the nearest element that has a name of the class.
var levelNames = [...]string{
	"name.comment", "name.post", "name.related", "name.share", "name.signup", "name.tags", "name.author", "name.date",
	"name.caption", "name.nav", "name.footer", "name.side", "name.ad", "name.content", "name.product", "name.review",
	"name.dialog", "name.pager", "name.title", "name.teaser", "name.card", "name.detail",
}

const (
	levels  = 16 // number of elements that are looked at
	noLevel = 20
)

// putLevels writes the levels of the classes that are found; clearLevels has written
// those of the others.
func (p *Page) putLevels(c cursor, k *Block) {
	var seen nameClass
	level := uint8(0)
	for r := k.lca; r > 0 && level < levels; r = p.body.Parent[r] {
		for more := p.names[r] &^ seen; more != 0; more &= more - 1 {
			c.tile[uint8(ofLevels)+lowest(more)][c.lane%Lanes] = level
		}
		seen |= p.names[r]
		level++
	}
}

// clearLevels sets the levels of all classes in a tile to that of none.
func clearLevels(t *Tile) {
	for f := range levelNames {
		t[ofLevels+f] = noLevels
	}
}

var noLevels = func() (column [Lanes]uint8) {
	for lane := range column {
		column[lane] = noLevel
	}
	return column
}()

var placeNames = [...]string{
	"place.block", "place.words-before", "place.before", "place.after", "place.title", "place.from-title",
	"place.from-h1", "place.from-first-heading", "place.from-last-heading", "place.description",
}

func (p *Page) putPlace(c cursor, k *Block, i int) cursor {
	c = c.to(ofPlace)
	n := len(p.Blocks)
	all, at := int(p.cum[n].words), int(p.cum[i].words)
	t := &p.tot
	c = c.put(share(i, n))
	c = c.put(share(at, all))
	c = c.put(near(at))
	c = c.put(near(all - int(p.cum[i+1].words)))
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
	return c.put(about)
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
var containerNames = [...]string{
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
	c = c.to(ofContainers)
	x := p.containerOf(0, k.within[0])
	c = c.put(x.words)
	c = c.put(x.link)
	c = c.put(x.wordsPerBlock)
	c = c.put(x.paragraphs)
	x = p.containerOf(1, k.within[1])
	c = x.put(c, i)
	c = c.put(x.who)
	c = c.put(x.price)
	x = p.containerOf(2, k.within[2])
	c = x.put(c, i)
	c = c.put(x.who)
	c = c.put(x.price)
	return p.containerOf(3, k.within[3]).put(c, i)
}

// put writes the features of block i that all ancestors have.
func (x *container) put(c cursor, i int) cursor {
	c = c.put(x.words)
	c = c.put(x.link)
	c = c.put(x.wordsPerBlock)
	c = c.put(x.paragraphs)
	c = c.put(x.share)
	c = c.put(share(i-int(x.from), int(x.to-x.from)))
	return c.put(x.heads)
}

// groupNames are features of the innermost repeated group that contains the block, and
// of the nearest group around it that has more words.
var groupNames = [...]string{
	"group1.members", "group1.words-per-member", "group1.link", "group1.share", "group1.place", "group1.words", "group1.up",
	"group1.who", "group1.price",
	"group2.members", "group2.words-per-member", "group2.share", "group2.up", "group.largest",
}

func (p *Page) putGroups(c cursor, k *Block) cursor {
	c = c.to(ofGroups)
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

var neighbourNames = [...]string{
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
	c = c.to(ofNeighbours)
	n := len(p.Blocks)
	c = p.putNeighbour(c, i-2)
	c = p.putNeighbour(c, i-1)
	c = p.putRelation(c, k, i-1)
	c = p.putNeighbour(c, i+1)
	c = p.putRelation(c, k, i+1)
	c = p.putNeighbour(c, i+2)

	a, z := &p.cum[max(0, i-3)], &p.cum[min(n, i+4)]
	c = c.put(lg(int(z.words - a.words)))
	c = c.put(share(int(z.linked-a.linked), int(z.words-a.words)))
	a, z = &p.cum[max(0, i-6)], &p.cum[min(n, i+7)]
	c = p.putWindow(c, a, z)
	a, z = &p.cum[max(0, i-12)], &p.cum[min(n, i+13)]
	c = p.putWindow(c, a, z)
	return c.put(lg(int(k.run)))
}

// putNeighbour writes the features that are about block j, which may be beyond the page.
func (p *Page) putNeighbour(c cursor, j int) cursor {
	if uint(j) >= uint(len(p.Blocks)) {
		for range 4 {
			c = c.put(beyond)
		}
		return c
	}
	q := &p.Blocks[j]
	c = c.put(q.scaled.words)
	c = c.put(q.scaled.linked)
	c = c.put(q.scaled.stop)
	return c.put(q.head)
}

func (p *Page) putRelation(c cursor, k *Block, j int) cursor {
	if uint(j) >= uint(len(p.Blocks)) {
		return c.put(beyond)
	}
	return c.put(p.relation(k, &p.Blocks[j]))
}

func (p *Page) putWindow(c cursor, a, z *sums) cursor {
	words := int(z.words - a.words)
	c = c.put(lg(words))
	c = c.put(share(int(z.linked-a.linked), words))
	return c.put(p.stopShare(int(z.stop-a.stop), words))
}

// stopShare is the scale of shares of stop words, which are unknown if no list of them
// fits the page.
func (p *Page) stopShare(stop, words int) uint8 {
	if !p.tot.understood {
		return beyond
	}
	return share(stop, words)
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

var commentNames = [...]string{
	"comments.from-heading", "comments.blocks-from-heading", "comments.from-first-heading", "comments.text-before-heading",
	"comments.who", "comments.who2", "comments.who6", "comments.who15", "comments.personal", "main.from", "main.text-before", "main.words-before",
	"shop.prices", "shop.from-price", "shop.from-cart",
}

func (p *Page) putComments(c cursor, k *Block, i int) cursor {
	c = c.to(ofComments)
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
	c = c.put(p.whos(i-2, i+2))
	c = c.put(p.whos(i-6, i+6))
	c = c.put(p.whos(i-15, i+15))
	a, z := &p.cum[max(0, i-4)], &p.cum[min(n, i+5)]
	c = c.put(share(int(z.personal-a.personal), int(z.words-a.words)))
	c = c.put(p.fromMain(i))
	c = c.put(share(int(p.cum[i].long), all))
	c = c.put(near(int(p.cum[i].long)))

	a, z = &p.cum[max(0, i-6)], &p.cum[min(n, i+7)]
	c = c.put(few(int(z.price - a.price)))
	c = c.put(p.from(t.priceAt, i))
	c = c.put(p.from(t.cartAt, i))
	return c
}

// whos counts the bylines among the blocks from from to to that exist.
func (p *Page) whos(from, to int) uint8 {
	return few(int(p.cum[min(len(p.Blocks), to+1)].who - p.cum[max(0, from)].who))
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

var sectionNames = [...]string{
	"section.class", "section.level", "section.from-heading", "section.from-aside", "section.words", "section.link",
	"section.words-per-block", "section.text", "section.text-after",
}

func (p *Page) putSection(c cursor, i int) cursor {
	c = c.to(ofSection)
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

var pageNames = [...]string{
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
