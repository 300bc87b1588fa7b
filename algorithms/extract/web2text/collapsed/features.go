package collapsed

import (
	"math"

	"github.com/winnow/winnow/algorithms/html"
)

// The numbers of features of a block and of a pair of neighbours.
const (
	BlockFeatures = 128
	EdgeFeatures  = 25

	nodeFeatures = 20
)

// Schema names what a model's weights depend on: the groups of features in their order.
// Its version rises when the computation of any of them changes.
const Schema = "w2t-real 1: duplicates 3, leaf 24, parent 1+20+20, grandparent 1+20, root 20, leaf tags 19; distance 4, break 1, ancestor 20"

var parentTags = [20]html.Tag{html.TagTd, html.TagDiv, html.TagP, html.TagTr, html.TagTable, html.TagBody, html.TagUl, html.TagSpan, html.TagLi,
	html.TagBlockquote, html.TagB, html.TagSmall, html.TagA, html.TagOl, html.TagUl, html.TagI, html.TagForm, html.TagDl, html.TagStrong, html.TagPre}

var leafTags = [19]html.Tag{html.TagA, html.TagP, html.TagTd, html.TagB, html.TagLi, html.TagSpan, html.TagI, html.TagTr, html.TagDiv, html.TagStrong,
	html.TagEm, html.TagH3, html.TagH2, html.TagTable, html.TagH4, html.TagSmall, html.TagSup, html.TagH1, html.TagBlockquote}

// tagBits has a bit for every name that a feature asks for.
var tagBits = func() (bits [html.TagOther]uint64) {
	next := 0
	for _, tags := range [][]html.Tag{parentTags[:], leafTags[:]} {
		for _, tag := range tags {
			if bits[tag] == 0 {
				bits[tag] = 1 << next
				next++
			}
		}
	}
	return bits
}()

// writer writes one feature after another.
type writer struct {
	to []float32
	n  int
}

func (w *writer) put(x float32) {
	w.to[w.n] = x
	w.n++
}

func sign(is bool) float32 {
	if is {
		return 1
	}
	return -1
}

func (w *writer) sign(is bool) { w.put(sign(is)) }

// z writes x minus a mean, divided by a deviation.
func (w *writer) z(x, mean, deviation float32) { w.put((x - mean) / deviation) }

func clip(x, low, high float32) float32 { return min(high, max(low, x)) }

func log(x float32) float32 { return float32(math.Log(float64(x))) }

// Block writes the features of block i to the BlockFeatures values of to.
func (p *Page) Block(to []float32, i int) {
	w := writer{to: to}
	l := &p.leaves[i]
	n := &p.nodes[l.node]
	count := p.dup[l.text].count
	w.sign(count > 1)
	w.sign(count > 10)
	w.put(float32(p.dup[l.path].count) / float32(len(p.leaves)))
	w.leaf(&n.counts, l.middle)
	parent, grand := n.parent, int32(-1)
	if parent >= 0 {
		grand = p.nodes[parent].parent
	}
	p.ancestor(&w, parent)
	for _, tag := range parentTags {
		if parent < 0 {
			w.put(0)
		} else {
			w.sign(p.nodes[parent].tags&tagBits[tag] != 0)
		}
	}
	p.ancestor(&w, grand)
	p.node(&w, 0)
	for _, tag := range leafTags {
		w.sign(n.tags&tagBits[tag] != 0)
	}
}

// ancestor writes whether the node exists, and its features.
func (p *Page) ancestor(w *writer, k int32) {
	w.sign(k >= 0)
	if k >= 0 {
		p.node(w, k)
		return
	}
	for range nodeFeatures {
		w.put(0)
	}
}

func (w *writer) leaf(c *counts, middle float32) {
	w.z(sign(c.words > 0), .8255, .5644)
	if c.words > 0 {
		w.z(clip(log(float32(c.words)), 0, 3.5), 1.5086, 1.205)
	} else {
		w.put(0)
	}
	w.wordsOf(c)
	w.z(clip(log(float32(c.chars)), 2.5, 5.5), 3.392, 1.0645)
	w.sign(c.punct > 0)
	w.z(clip(float32(c.punct), 0, 10), .06938, .40837)
	w.density(c)
	w.sign(c.sentences > 1)
	w.z(middle, .51980, .29962)
	w.z(middle*middle, .35997, .31573)
	w.patterns(c)
	w.capitals(c)
}

// wordsOf writes the mean length of words and the features of stop words.
func (w *writer) wordsOf(c *counts) {
	if c.words == 0 {
		w.put(-1)
		w.sign(false)
		w.put(0)
		return
	}
	w.z(clip(float32(c.wordChars)/float32(c.words), 3, 15), 4.91, 1.9057)
	w.sign(c.stops > 0)
	w.z(float32(c.stops)/float32(c.words), .374, .1529)
}

// density writes the shares of punctuation and digits, and the length of sentences.
func (w *writer) density(c *counts) {
	chars := float32(c.chars)
	if c.punct > 0 {
		w.z(clip(log(float32(c.punct)/chars), -4, -2.5), -3.3385, .60589)
	} else {
		w.put(0)
	}
	w.z(sign(c.digits > 0), -.5901, .80733)
	w.z(float32(c.digits)/chars, .26560, .30528)
	w.z(clip(log(chars/float32(c.sentences)), 2, 5), 3.109, 1.011)
}

func (w *writer) patterns(c *counts) {
	for _, is := range [...]bool{c.endsPunct, c.endsQuestion, c.copyright, c.email, c.url, c.year} {
		w.sign(is)
	}
}

func (w *writer) capitals(c *counts) {
	if c.words == 0 {
		w.put(0)
		w.put(0)
		w.put(0)
		return
	}
	share := float32(c.capitals) / float32(c.words)
	w.z(share, .44758, .41293)
	w.z(share*share, .37084, .43340)
	w.z(share*share*share, .34084, .44044)
}

// node writes the features of node k.
func (p *Page) node(w *writer, k int32) {
	c := &p.nodes[k].counts
	chars := float32(max(1, c.chars))
	w.put(chars / p.chars)
	w.z(float32(c.linkChars)/chars, .5, .5)
	w.wordsOf(c)
	w.z(clip(log(chars), 2.5, 10), 6, 2.14)
	w.density(c)
	w.patterns(c)
	w.capitals(c)
	w.sign(c.form)
}

// Edge writes the features of the pair of block i and the next to the EdgeFeatures
// values of to.
func (p *Page) Edge(to []float32, i int) {
	w := writer{to: to}
	a, b := p.leaves[i].node, p.leaves[i+1].node
	distance := 0
	for a != b {
		if p.nodes[a].depth >= p.nodes[b].depth {
			a = p.nodes[a].parent
		} else {
			b = p.nodes[b].parent
		}
		distance++
	}
	for d := 2; d <= 4; d++ {
		w.sign(distance == d)
	}
	w.sign(distance > 4)
	if p.breaks[i] {
		w.put(1)
	} else {
		w.put(0)
	}
	p.node(&w, a)
}
