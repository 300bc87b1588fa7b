package blocks

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// totals holds counts and locations of the whole page.
type totals struct {
	articles, h1, inputs, tables                   int
	paragraphs, items, cells, headings, unscripted int  // words in blocks of such an element
	longs, hidden, whos, prices, carts             int  // numbers of blocks
	language                                       int  // the one with most stop words
	understood                                     bool // whether one word in sixteen is a stop word of it
	depth                                          int32
	titleAt, h1At, headAt, lastHeadAt              int // numbers of blocks; -1: none
	priceAt, cartAt, commentAt                     int
	main                                           page.Row // element with most running text; -1: none
	mainWords, mainGroup                           int
	commentWords                                   int
	groups                                         int // number of large repeated groups
	largest                                        int32
}

// element counts an element of the page.
func (t *totals) element(tag html.Tag) {
	switch tag {
	case html.TagArticle:
		t.articles++
	case html.TagH1:
		t.h1++
	case html.TagInput, html.TagTextarea:
		t.inputs++
	case html.TagTable:
		t.tables++
	}
}

// textCount holds the hash of a text, the number of blocks that have this text, and the
// first of them.
type textCount struct {
	hash          uint64
	blocks, first int32
}

// sum makes the prefix sums over blocks.
func (p *Page) sum() {
	b := p.body
	n := len(p.Blocks)
	t := &p.tot
	p.cum = zeros(p.cum, n+1)
	var c sums
	for i := range p.Blocks {
		k := &p.Blocks[i]
		p.cum[i] = c
		c.words += k.Words
		c.linked += k.linked
		c.stop += k.stop
		c.personal += k.personal
		words := int(k.Words)
		k.scaled = scaled{lg(words), share(int(k.linked), words), p.stopShare(int(k.stop), words)}
		kind := kindOf(b.Tag[k.Cont])
		switch kind {
		case 1:
			c.inP += k.Words
			t.paragraphs += int(k.Words)
		case 2:
			t.items += int(k.Words)
		case 3, 4:
			t.cells += int(k.Words)
		case 6:
			t.headings += int(k.Words)
		}
		if k.long() {
			c.long += k.Words
			t.longs++
		}
		if k.Heading > 0 {
			c.heads++
		}
		if k.who {
			c.who++
			t.whos++
		}
		if k.price {
			c.price++
			t.prices++
		}
		if k.cart {
			t.carts++
		}
		in := p.context[k.First].in
		if in&inHidden != 0 {
			t.hidden++
		}
		if in&inNoscript != 0 {
			t.unscripted += int(k.Words)
		}
		t.depth = max(t.depth, b.Depth[k.Cont])
	}
	p.cum[n] = c
}

// link fills the columns of ancestors and sets the containers and groups of blocks.
func (p *Page) link() {
	b := p.body
	n := b.Len()
	p.up, p.near, p.next = zeros(p.up, n), zeros(p.near, n), zeros(p.next, n)
	for r := range n {
		if g := p.groupOf[r]; g > 0 {
			e := p.extentOf(page.Row(r))
			k := &p.groups[g]
			k.words += p.cum[e.to].words - p.cum[e.from].words
			k.linked += p.cum[e.to].linked - p.cum[e.from].linked
		}
	}
	for r := 1; r < n; r++ {
		if b.Flags[r]&page.IsText != 0 {
			continue
		}
		row, parent := page.Row(r), b.Parent[r]
		p.up[r] = parent
		if p.wordsIn(parent) == p.wordsIn(row) {
			p.up[r] = p.up[parent]
		}
		p.near[r] = p.near[parent]
		if g := p.groupOf[r]; g > 0 && p.groups[g].size >= 3 {
			above := p.near[parent]
			for above > 0 && p.groups[p.groupOf[above]].words <= p.groups[g].words {
				above = p.next[above] // a group around this one holds its words, so it has at least as many
			}
			p.near[r], p.next[r] = row, above
		}
	}
	for i := range p.Blocks {
		k := &p.Blocks[i]
		c := k.Cont
		k.within[0] = p.extentOf(c)
		for l := 1; l < containers; l++ {
			c = p.up[c]
			k.within[l] = p.extentOf(c)
		}
		k.group = p.groupOf[p.near[k.lca]]
	}
	all := int(p.cum[len(p.Blocks)].words)
	for g := range p.groups {
		k := &p.groups[g]
		if k.size < 3 {
			continue
		}
		size, words := int(k.size), int(k.words)
		e := p.extentOf(k.parent)
		k.scaled = scaledGroup{
			members:        lg(size),
			wordsPerMember: per(words, size),
			link:           share(int(k.linked), words),
			share:          share(words, all),
			who:            share(int(p.cum[e.to].who-p.cum[e.from].who), size),
			price:          share(int(p.cum[e.to].price-p.cum[e.from].price), size),
		}
		if k.words >= 30 {
			p.tot.groups++
			if k.words > p.groups[p.tot.largest].words {
				p.tot.largest = int32(g)
			}
		}
	}
}

// count finds the blocks on the page that distances are computed from.
func (p *Page) count() {
	b := p.body
	t := &p.tot
	t.titleAt, t.h1At, t.headAt, t.lastHeadAt = -1, -1, -1, -1
	t.priceAt, t.cartAt, t.commentAt = -1, -1, -1
	t.main = -1
	p.direct = zeros(p.direct, b.Len())
	slots := 16
	for slots < 2*len(p.Blocks) {
		slots *= 2
	}
	p.textSlots = zeros(p.textSlots, slots)
	p.alikeSlots = zeros(p.alikeSlots, slots)
	p.alike = append(p.alike[:0], alike{})
	best := uint8(70)
	for i := range p.Blocks {
		k := &p.Blocks[i]
		p.countText(i)
		p.joinAlike(k)
		if k.Heading > 0 {
			if k.Heading == 1 && t.h1At < 0 {
				t.h1At = i
			}
			if t.headAt < 0 {
				t.headAt = i
			}
			t.lastHeadAt = i
		}
		if k.price && t.priceAt < 0 {
			t.priceAt = i
		}
		if k.cart && t.cartAt < 0 {
			t.cartAt = i
		}
		if t.commentAt < 0 && p.cum[i].long > 0 && p.opensComments(k) {
			t.commentAt = i
		}
		k.title = p.titleLike(i)
		if like := k.title; like > 0 && p.context[k.First].in&inHidden == 0 {
			switch { // like is at most 200 here
			case k.Heading == 1:
				like += 50
			case k.Heading > 1:
				like += 20
			}
			if like > best {
				best, t.titleAt = like, i
			}
		}
		if k.Words >= 12 && k.linked*3 < k.Words && k.Heading == 0 {
			p.give(k)
		}
	}
	p.repeatOfMain()
	p.findComments()
	p.findRuns()
}

// findRuns finds for each block the run of blocks with few links around it, and the
// latest heading of comments.
func (p *Page) findRuns() {
	start, comments := 0, int32(-1)
	for i := range p.Blocks {
		k := &p.Blocks[i]
		if p.opensComments(k) {
			comments = int32(i)
		}
		k.comments = comments
		if k.linked*2 > k.Words {
			p.setRun(start, i)
			start = i + 1
		}
	}
	p.setRun(start, len(p.Blocks))
}

func (p *Page) setRun(from, to int) {
	for i := from; i < to; i++ {
		p.Blocks[i].run = p.cum[to].words - p.cum[from].words
	}
}

// give adds a block's words to the element that may be the main one.
func (p *Page) give(k *Block) {
	b, t := p.body, &p.tot
	add := func(r page.Row, words int32) {
		p.direct[r] += words
		if int(p.direct[r]) > t.mainWords {
			t.mainWords, t.main = int(p.direct[r]), r
		}
	}
	parent := b.Parent[k.Cont]
	if k.Cont == 0 {
		parent = 0
	}
	add(parent, k.Words)
	if parent > 0 {
		add(b.Parent[parent], k.Words/2)
	}
}

// repeatOfMain finds the repeated group that contains the main element: a page of
// postings has several main elements.
func (p *Page) repeatOfMain() {
	t := &p.tot
	r := t.main
	for range 4 {
		if r <= 0 {
			return
		}
		if g := &p.groups[p.groupOf[r]]; p.groupOf[r] > 0 && g.size >= 3 && int(g.words/g.size)*4 >= t.mainWords {
			t.mainGroup = int(g.size)
			return
		}
		r = p.body.Parent[r]
	}
}

// findComments counts the words in the outermost elements that are named like a
// comments section and hold less than nine tenths of the page's words.
func (p *Page) findComments() {
	b := p.body
	all := int(p.cum[len(p.Blocks)].words)
	for r := 1; r < b.Len(); {
		if p.names[r]&nameComment != 0 {
			if words := p.wordsIn(page.Row(r)); words*10 < all*9 {
				p.tot.commentWords += words
				r = int(b.End[r])
				continue
			}
		}
		r++
	}
}

// opensComments reports whether a block looks like the heading of readers' comments.
func (p *Page) opensComments(k *Block) bool {
	short := k.Words > 0 && k.Words <= 9 && k.linked*2 <= k.Words
	return (short || k.Heading > 0) && k.Words <= 12 && k.classes&wordComment != 0
}

// titleLike returns how similar block i is to the page's title.
func (p *Page) titleLike(i int) uint8 {
	k := &p.Blocks[i]
	if k.Words > 40 {
		return 0
	}
	words := p.hashes[k.firstHash:k.lastHash]
	return max(p.meta.title.like(words, i), p.meta.ogTitle.like(words, i))
}

// textSlot returns the slot of a text. A hostile page can make many texts hash to the
// same slots; after 32 steps, texts share a slot.
func (p *Page) textSlot(hash uint64) *textCount {
	mask := uint64(len(p.textSlots) - 1)
	at := hash ^ hash>>32
	for range 32 {
		if s := &p.textSlots[at&mask]; s.blocks == 0 || s.hash == hash {
			s.hash = hash
			return s
		}
		at++
	}
	return &p.textSlots[at&mask]
}

// countText counts the text of block i.
func (p *Page) countText(i int) {
	s := p.textSlot(p.Blocks[i].text)
	if s.blocks == 0 {
		s.first = int32(i)
	}
	s.blocks++
}

// section is the part of a page between a heading and the next one of the same or a
// higher level.
type section struct {
	class    uint8 // class of the heading, 1 to 9: see sections; 0: none
	from, to int32 // the blocks after the heading

	// These are features of the blocks in the section. textAfter is the share of the
	// page's long text that follows the section.
	words, link, wordsPerBlock, text, textAfter uint8
}

// lastAside is the last class of headings that open a part that is not content, if
// enough text precedes them.
const lastAside = 8

// headings finds the section of each heading, and for each block the nearest heading
// before.
func (p *Page) headings() {
	n := len(p.Blocks)
	p.sections = zeros(p.sections, n)
	p.lastHead, p.lastAside = zeros(p.lastHead, n), zeros(p.lastAside, n)
	last, aside := int32(-1), int32(-1)
	var open [8]int32 // the latest heading of each level whose section has not ended
	for l := range open {
		open[l] = -1
	}
	closeAbove := func(level uint8, at int) {
		for l := int(level); l < len(open); l++ {
			if open[l] >= 0 {
				p.closeSection(&p.sections[open[l]], int32(at))
				open[l] = -1
			}
		}
	}
	for i := range p.Blocks {
		k := &p.Blocks[i]
		if k.head > 0 {
			closeAbove(k.head, i)
			last = int32(i)
			open[k.head] = last
			class := sectionClass(k)
			p.sections[i] = section{class: class, from: last + 1}
			if class > 0 && class <= lastAside && p.cum[i].long > 40 {
				aside = last
			}
		}
		p.lastHead[i], p.lastAside[i] = last, aside
	}
	closeAbove(0, n)
}

// closeSection ends a section before block to.
func (p *Page) closeSection(s *section, to int32) {
	s.to = to
	a, z := &p.cum[s.from], &p.cum[to]
	words := int(z.words - a.words)
	all := int(p.cum[len(p.Blocks)].long)
	s.words = lg(words)
	s.link = share(int(z.linked-a.linked), words)
	s.wordsPerBlock = per(words, int(to-s.from))
	s.text = share(int(z.long-a.long), words)
	s.textAfter = share(all-int(z.long), all)
}

func sectionClass(k *Block) uint8 {
	if k.Words > 10 {
		return 0
	}
	for c, words := range sections {
		if k.classes&words != 0 {
			return uint8(c) + 1
		}
	}
	return 0
}
