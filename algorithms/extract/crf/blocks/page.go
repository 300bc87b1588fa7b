package blocks

import (
	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// MaxBlocks is the largest number of blocks that a page may have. They take 12 MB of
// values.
const MaxBlocks = 1 << 17

// Page is one page as blocks. The zero Page is ready, and its memory is reused for the
// next page.
type Page struct {
	Rows   []page.Row // the text row of each block
	Values []uint8    // by feature, then by block

	infos  []info
	open   []open
	groups []int32 // words below each td and div, by row
	seen   []same
	counts [numSplits + classes]int
}

// info is kept for each block until all blocks are known.
type info struct {
	words   int32
	td, div page.Row // nearest around it, 0 if none
	same    int32    // its place in seen
}

// open is an element around the current row.
type open struct {
	end     page.Row
	in      uint64 // containers and classes, with those around it
	split   uint32
	void    bool
	td, div page.Row
}

// same is a set of blocks with equal texts.
type same struct {
	hash  uint64
	count int32
}

// Column returns the values of feature f.
func (p *Page) Column(f int) []uint8 {
	n := len(p.Rows)
	return p.Values[f*n : f*n+n : f*n+n]
}

// Fill makes p the blocks of b. It returns false for a page of more than MaxBlocks
// blocks.
func (p *Page) Fill(b *page.Body) bool {
	n := 0
	for _, f := range b.Flags {
		if f&(page.IsText|page.Hidden) == page.IsText {
			n++
		}
	}
	if n > MaxBlocks {
		return false
	}
	p.Rows = algorithms.Zeros(p.Rows, n)
	p.Values = algorithms.Zeros(p.Values, n*numFeatures)
	p.infos = algorithms.Zeros(p.infos, n)
	p.groups = algorithms.Zeros(p.groups, b.Len())
	slots := 1
	for slots < 2*n {
		slots *= 2
	}
	p.seen = algorithms.Zeros(p.seen, slots)
	words, sentences := p.local(b)
	p.global(words, sentences)
	p.join()
	return true
}

func (p *Page) set(f, i int, v uint8) { p.Values[f*len(p.Rows)+i] = v }

func (p *Page) flag(f, i int, is bool) {
	if is {
		p.set(f, i, 1)
	}
}

// local walks the rows and fills the features that follow from a block's own text and
// the tags around and before it. It returns the words and sentence ends of the page.
func (p *Page) local(b *page.Body) (words, ends int) {
	p.open = p.open[:0]
	clear(p.counts[:])
	at := 0
	for r := page.Row(0); int(r) < b.Len(); r++ {
		for len(p.open) > 0 && p.open[len(p.open)-1].end <= r {
			p.close()
		}
		if b.Flags[r]&page.IsText == 0 {
			p.push(b, r)
			continue
		}
		if b.Flags[r]&page.Hidden != 0 {
			continue
		}
		p.Rows[at] = r
		m := p.text(at, b.Text[b.TextStart[r]:b.TextEnd[r]])
		p.tags(at)
		words += m.words()
		ends += m.sentences
		k := &p.infos[at]
		k.words = int32(m.words())
		if len(p.open) > 0 {
			top := &p.open[len(p.open)-1]
			k.td, k.div = top.td, top.div
		}
		p.groups[k.td] += k.words
		if k.div != k.td {
			p.groups[k.div] += k.words
		}
		at++
	}
	return words, ends
}

// push opens the element of row r.
func (p *Page) push(b *page.Body, r page.Row) {
	o := open{end: b.End[r]}
	if len(p.open) > 0 {
		top := &p.open[len(p.open)-1]
		o.in, o.td, o.div = top.in, top.td, top.div
	}
	tag := b.Tag[r]
	switch tag {
	case html.TagTd:
		o.td = r
	case html.TagDiv:
		o.div = r
	}
	if tag < html.TagOther {
		t := &tags[tag]
		o.in |= t.in
		o.split, o.void = t.split, t.void
	} else {
		o.in |= 1 << (containerClass + classInline)
		o.split = 1 << (numSplits + classInline)
	}
	p.count(o.split)
	p.open = append(p.open, o)
}

// close ends the innermost open element.
func (p *Page) close() {
	o := &p.open[len(p.open)-1]
	if !o.void {
		p.count(o.split)
	}
	p.open = p.open[:len(p.open)-1]
}

func (p *Page) count(split uint32) {
	for i := range p.counts {
		p.counts[i] += int(split >> i & 1)
	}
}

// tags fills the containers of block i, and the splits since the block before.
func (p *Page) tags(i int) {
	if len(p.open) > 0 {
		in := p.open[len(p.open)-1].in
		for f := 0; f < numContainers+classes; f++ {
			p.set(firstContainer+f, i, uint8(in>>f&1))
		}
	}
	for f, n := range p.counts {
		p.set(firstSplit+f, i, bin(n))
	}
	clear(p.counts[:])
}

// text fills the features of the text of block i.
func (p *Page) text(i int, s []byte) measure {
	var m measure
	m.read(s)
	p.set(charAlpha, i, ratio(m.alpha, m.chars))
	p.set(charNum, i, ratio(m.num, m.chars))
	p.set(charPunct, i, ratio(m.punct, m.chars))
	p.set(charWhite, i, ratio(m.white, m.chars))
	p.set(charOther, i, ratio(m.chars-m.alpha-m.num-m.punct-m.white, m.chars))
	tokens := m.words() + m.symbols
	for k, n := range [...]int{m.alphas, m.nums, m.mixed, m.symbols} {
		p.set(tokenAlpha+k, i, bin(n))
		p.set(tokenAlphaShare+k, i, ratio(n, tokens))
	}
	p.set(sentences, i, bin(m.sentences))
	if m.alphas > 0 {
		p.set(wordLength, i, bin((2*m.letters+m.alphas)/(2*m.alphas)))
		p.set(wordRun, i, bin((2*m.alphas+m.runs)/(2*m.runs)))
	}
	p.flag(notStarted, i, m.notStarted)
	p.flag(notFinished, i, m.notFinished)
	found := marks(s)
	for k := range 6 {
		p.set(hasURL+k, i, found>>k&1)
	}
	h := xxhash.Sum64(s) | 1 // 0 is a free place
	at := h & uint64(len(p.seen)-1)
	for p.seen[at].hash != 0 && p.seen[at].hash != h {
		at = (at + 1) & uint64(len(p.seen)-1)
	}
	p.seen[at].hash = h
	p.seen[at].count++
	p.infos[i].same = int32(at)
	// The first of all equal texts is flagged for now. global keeps the flag if there
	// are others.
	p.flag(firstDuplicate, i, p.seen[at].count == 1)
	return m
}

// global fills the features that depend on the whole page.
func (p *Page) global(words, ends int) {
	n := len(p.Rows)
	var most [2]int // words of the largest group of a td, of a div
	for i := range p.infos {
		k := &p.infos[i]
		if k.td != 0 {
			most[0] = max(most[0], int(p.groups[k.td]))
		}
		if k.div != 0 {
			most[1] = max(most[1], int(p.groups[k.div]))
		}
	}
	for i := range p.infos {
		k := &p.infos[i]
		same := int(p.seen[k.same].count)
		p.set(duplicates, i, bin(same))
		if same == 1 {
			p.set(firstDuplicate, i, 0)
		}
		p.set(position, i, ratio(i, n))
		p.set(pageWords, i, bin(words/10))
		p.set(pageSentences, i, bin(ends/10))
		p.set(pageBlocks, i, bin(n/10))
		if k.td != 0 {
			p.set(groupTd, i, ratio(int(p.groups[k.td]), words))
		}
		if k.div != 0 {
			p.set(groupDiv, i, ratio(int(p.groups[k.div]), words))
		}
		p.set(maxTd, i, ratio(most[0], words))
		p.set(maxDiv, i, ratio(most[1], words))
	}
}

// join fills the features that combine two others.
func (p *Page) join() {
	p.pair(linkAndWords, firstContainer, tokenAlpha) // the first container is a
	p.pair(listAndSplit, containerClass+classList, splitClass+classBlock)
	p.pair(sentencesAndEnd, notFinished, sentences)
}

func (p *Page) pair(f, flag, count int) {
	to, a, b := p.Column(f), p.Column(flag), p.Column(count)
	for i := range to {
		to[i] = a[i]*uint8(binned+1) + b[i]
	}
}
