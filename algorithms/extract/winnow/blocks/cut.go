package blocks

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// cut divides the text rows into blocks and reads their words. It returns false if
// there are too many blocks.
func (p *Page) cut() bool {
	b := p.body
	n := b.Len()
	p.Blocks, p.hashes = p.Blocks[:0], p.hashes[:0]
	p.blockAt = zeros(p.blockAt, n+1)
	last := page.Row(-1)
	var k *Block
	for r := range n {
		p.blockAt[r] = int32(len(p.Blocks))
		if b.Flags[r]&page.IsText == 0 {
			continue
		}
		row := page.Row(r)
		if k == nil || b.Block[last] != b.Block[r] || !p.joins(k, last, row) {
			if len(p.Blocks) == MaxBlocks {
				return false
			}
			p.Blocks = append(p.Blocks, Block{
				First: row, Cont: b.Block[r], Start: b.TextStart[r], text: hashSeed,
				firstHash: int32(len(p.hashes)),
			})
			k = &p.Blocks[len(p.Blocks)-1]
		}
		k.Last, k.End = row, b.TextEnd[r]
		p.scan(k, row)
		k.lastHash = int32(len(p.hashes))
		last = row
	}
	p.blockAt[n] = int32(len(p.Blocks))
	p.lookUp()
	for i := range p.Blocks {
		p.finish(&p.Blocks[i])
	}
	return true
}

// joins reports whether the text row r continues block k, whose last row so far is
// last. It counts the elements between the two rows.
func (p *Page) joins(k *Block, last, r page.Row) bool {
	b := p.body
	var br, inline int32
	for q := last + 1; q < r; q++ {
		switch {
		case b.Flags[q]&page.IsBlock != 0:
			return false
		case b.Tag[q] == html.TagBr:
			if br++; br == 2 {
				return false
			}
		case b.Tag[q] != html.TagImg:
			inline++
		}
	}
	k.br += br
	k.inline += inline
	return true
}

// mark is a set of things that a text contains, such as an e-mail address.
type mark uint8

const (
	markURL mark = 1 << iota
	markEmail
	markMoney
	markPipe
	markQuestion
	markTime // a clock time or a date in figures
)

// byteKind is the kind of an ASCII character, as scan distinguishes them.
type byteKind uint8

const (
	kindOther byteKind = iota
	kindLower
	kindUpper
	kindDigit
	kindPunct // this kind and the following ones are not part of a word
	kindSentence
	kindComma
)

var byteKinds = func() (t [256]byteKind) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = kindLower, kindUpper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = kindDigit
	}
	t['_'] = kindLower
	for _, c := range `;:"()` {
		t[c] = kindPunct
	}
	t['.'], t['!'], t['?'], t[','] = kindSentence, kindSentence, kindSentence, kindComma
	return t
}()

// lowerOf has the lower case of the ASCII characters that words consist of, and 0 for
// all other bytes. countsOf has what a character adds to the counts: 1 for a digit,
// 1<<32 for a capital.
var lowerOf, countsOf = func() (lower [256]uint8, counts [256]uint64) {
	for c, kind := range byteKinds {
		switch kind {
		case kindLower:
			lower[c] = uint8(c)
		case kindUpper:
			lower[c], counts[c] = uint8(c)|0x20, 1<<32
		case kindDigit:
			lower[c], counts[c] = uint8(c), 1
		}
	}
	return lower, counts
}()

// scan counts the words and signs of text row r into block k. A word is a run of
// letters, digits and underscores. Scripts without blanks between words are counted so
// that a text has as many words as its translation: see unspaced.
func (p *Page) scan(k *Block, r page.Row) {
	text := p.body.Text[p.body.TextStart[r]:p.body.TextEnd[r]]
	before, tenths := len(p.hashes), k.tenths
	for i := 0; i < len(text); {
		start, h, counts := i, uint32(hashSeed), uint64(0)
		for i < len(text) && lowerOf[text[i]] != 0 {
			h = (h ^ uint32(lowerOf[text[i]])) * hashPrime
			counts += countsOf[text[i]]
			i++
		}
		switch {
		case i < len(text) && text[i] >= utf8.RuneSelf:
			if c, size := utf8.DecodeRune(text[i:]); i > start || isWord(c) {
				i = start + p.word(k, text[start:])
			} else {
				k.nonWord(c)
				k.beyond += int32(size) - 1
				i += size
			}
			continue
		case i > start:
			p.addWord(k, h, i-start, int(counts>>32), int32(uint32(counts)), byteKinds[text[start]] == kindUpper)
		}
		if i == len(text) {
			break
		}
		if kind := byteKinds[text[i]]; kind >= kindPunct {
			k.punctuation(text, i, kind)
		} else if text[i] != ' ' {
			k.sign(text, i)
		}
		i++
	}
	words := int32(len(p.hashes)-before) + (k.tenths-tenths)/10
	k.Words += words
	if p.body.Flags[r]&page.InA != 0 {
		k.linked += words
		k.links++
	}
	if p.context[r].in&inBold != 0 {
		k.bold += words
	}
}

// sign records the sign at text[i], which is neither white space nor a punctuation
// mark, in the counts of the block.
func (k *Block) sign(text []byte, i int) {
	switch text[i] {
	case '@':
		k.marks |= markEmail
	case '$':
		k.marks |= markMoney
	case '|':
		k.marks |= markPipe
	case '/':
		switch {
		case i+1 < len(text) && text[i+1] == '/' && i > 0 && text[i-1] == ':':
			k.marks |= markURL
		case i+3 < len(text) && (text[i+2] == '/' || text[i+3] == '/') && byteKinds[text[i+1]] == kindDigit:
			k.marks |= markTime
		}
	}
}

// punctuation counts the punctuation mark at text[i].
func (k *Block) punctuation(text []byte, i int, kind byteKind) {
	k.punct++
	switch kind {
	case kindSentence:
		k.sent++
		switch text[i] {
		case '!':
			k.excl++
		case '?':
			k.marks |= markQuestion
		}
	case kindComma:
		k.commas++
	}
	digit := func(j int) bool { return j >= 0 && j < len(text) && byteKinds[text[j]] == kindDigit }
	if digit(i-1) && digit(i+1) {
		switch text[i] {
		case ':':
			if digit(i + 2) {
				k.marks |= markTime
			}
		case '.':
			if i+3 < len(text) && (text[i+2] == '.' || text[i+3] == '.') {
				k.marks |= markTime
			}
		}
	}
}

// nonWord counts a character beyond ASCII that is not part of a word.
func (k *Block) nonWord(c rune) {
	switch c {
	case '。', '！', '？', '．', '…', '؟', '۔', '।', '॥', '։', '።', '។', '။':
		k.sent++
		k.punct++
	case '，', '、', '،', '፣':
		k.commas++
		k.punct++
	case '“', '”', '„', '«', '»', '「', '」':
		k.punct++
	case '€', '£', '¥', '₹', '₽':
		k.marks |= markMoney
	case '›', '•', '·', '→':
		k.marks |= markPipe
	}
}

// isWord reports whether a character beyond ASCII is part of a word.
func isWord(c rune) bool {
	return c >= 0xc0 && c <= 0x24f && c != 0xd7 && c != 0xf7 || unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c)
}

// alone reports whether c is a word by itself: a character of a script that has no
// blanks between words.
func alone(c rune) bool {
	return c >= 0x2e80 && (c <= 0xa4cf || c >= 0xf900 && c <= 0xfaff || c >= 0x20000 && c <= 0x3ffff)
}

// unspaced reports whether c belongs to a script of South East Asia that has blanks
// between sentences only. Five of its characters count as a word, and so do five thirds
// of the characters that are words alone.
func unspaced(c rune) bool { return c >= 0xe00 && (c < 0x10a0 || c >= 0x1780 && c < 0x1800) }

// word reads the word that text begins with, which has characters beyond ASCII, and
// returns its length.
func (p *Page) word(k *Block, text []byte) int {
	h := uint32(hashSeed)
	i, capitals, ascii := 0, 0, uint64(0)
	upper := byteKinds[text[0]] == kindUpper
	for {
		for i < len(text) && lowerOf[text[i]] != 0 {
			h = (h ^ uint32(lowerOf[text[i]])) * hashPrime
			ascii += countsOf[text[i]]
			i++
		}
		if i == len(text) || text[i] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRune(text[i:])
		if !isWord(r) || alone(r) && i > 0 {
			break
		}
		k.beyond += int32(size) - 1
		if unspaced(r) {
			k.tenths += 2
		}
		lower := unicode.ToLower(r)
		if lower != r {
			capitals++
			if i == 0 {
				upper = true
			}
		}
		var buf [utf8.UTFMax]byte
		for _, c := range buf[:utf8.EncodeRune(buf[:], lower)] {
			h = (h ^ uint32(c)) * hashPrime
		}
		i += size
		if alone(r) {
			k.beyond -= int32(size) - 1
			k.tenths -= 4
			break
		}
	}
	p.addWord(k, h, i, capitals+int(ascii>>32), int32(uint32(ascii)), upper)
	return i
}

// addWord adds a word to block k: the hash of its lower case, its length, the numbers
// of its capitals and digits, and whether it begins with a capital.
func (p *Page) addWord(k *Block, h uint32, size, capitals int, digits int32, upper bool) {
	k.digits += digits
	k.upper += int32(flag(upper))
	k.caps += int32(flag(capitals == size && size > 1))
	p.hashes = append(p.hashes, h)
	k.text = (k.text ^ uint64(h)) * 0x100000001b3
}

// hashWord returns the hash of the word at the start of text, or 0 if text does not
// start with a word, and the number of bytes that it read.
func hashWord(text []byte) (h uint32, size int) {
	h = hashSeed
	for size < len(text) {
		c := text[size]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[size:])
			if !isWord(r) || alone(r) && size > 0 {
				if size == 0 {
					return 0, n
				}
				return h, size
			}
			var buf [utf8.UTFMax]byte
			for _, c := range buf[:utf8.EncodeRune(buf[:], unicode.ToLower(r))] {
				h = (h ^ uint32(c)) * hashPrime
			}
			size += n
			if alone(r) {
				return h, size
			}
			continue
		}
		switch byteKinds[c] {
		case kindLower, kindDigit:
			h = (h ^ uint32(c)) * hashPrime
		case kindUpper:
			h = (h ^ uint32(c|0x20)) * hashPrime
		default:
			if size == 0 {
				return 0, 1
			}
			return h, size
		}
		size++
	}
	return h, size
}

// lookUp finds the classes of the page's words, and the language with most stop words.
// It comes after scan, so that the processor looks up several words at once.
func (p *Page) lookUp() {
	p.classes = sized(p.classes, len(p.hashes))
	// The stop words of each language are counted in a byte of its own.
	var stops [maxLanguages]int
	for from := 0; from < len(p.hashes); from += 255 {
		var low, high uint64
		hashes := p.hashes[from:min(len(p.hashes), from+255)]
		classes := p.classes[from:][:len(hashes)]
		for i, h := range hashes {
			c := knownWords.of(h)
			classes[i] = c
			low += spread(uint64(c & 0xff))
			high += spread(uint64(c >> 8 & (1<<(maxLanguages-8) - 1)))
		}
		for l := range 8 {
			stops[l] += int(low >> (8 * l) & 0xff)
		}
		for l := 8; l < maxLanguages; l++ {
			stops[l] += int(high >> (8 * (l - 8)) & 0xff)
		}
	}
	for l, s := range stops {
		if s > stops[p.tot.language] {
			p.tot.language = l
		}
	}
	p.tot.understood = stops[p.tot.language]*16 >= len(p.hashes)
}

// spread returns a number whose byte i is bit i of the byte x.
func spread(x uint64) uint64 {
	x = x * 0x0101010101010101 & 0x8040201008040201
	return (x + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
}

// finish computes what can be computed only once the block is complete and the page's
// language is known.
func (p *Page) finish(k *Block) {
	b := p.body
	own := wordClass(1) << p.tot.language
	for _, c := range p.classes[k.firstHash:k.lastHash] {
		k.stop += int32(flag(c&own != 0))
		k.personal += int32(c / wordPersonal & 1)
		k.classes |= c
	}
	k.lca = b.Parent[k.First]
	for k.lca > 0 && b.End[k.lca] <= k.Last {
		k.lca = b.Parent[k.lca]
	}
	k.Heading = p.context[k.First].heading
	k.head = k.Heading
	if k.head == 0 && k.Words > 0 && k.Words <= 9 && k.bold*2 > k.Words && k.linked*2 <= k.Words {
		k.head = 7
	}
	if k.Words > 20 {
		k.classes = 0
	}
	dated := k.marks&markTime != 0 || k.classes&wordMonth != 0 && k.digits > 0
	k.who = k.Words > 0 && k.Words <= 20 && (dated || k.classes&wordWho != 0)
	k.price = k.Words <= 16 && k.digits > 0 && k.marks&markMoney != 0
	k.cart = k.Words <= 12 && k.classes&wordCart != 0
}
