// Package block cuts a canonical page into blocks at the elements of a given set.
//
//	<body>lead <div>a <table><tr><td>b <p>c</p></td></tr></table> d</div>
//
//	block tree, bt=classic      path                    own leaves (the atomic block)
//	0 body                      HTML.BODY               lead
//	1   div                     HTML.BODY.DIV           a, d
//	2     table                 HTML.BODY.DIV.TABLE
//	3       tr                  …TABLE.TR               b
//	4         p                 …TABLE.TR.P             c
//
// Every element of the set makes a block below the nearest one around it. Names outside
// of the set do not occur in a path. The atomic block of an element is the content
// leaves whose nearest block it is. One without words and media is discarded: see
// Blocks.Discarded.
package block

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Blocks are the blocks of one page in preorder; block 0 is the page itself.
// There are none if the page is too large or has no body.
type Blocks struct {
	Node   []canon.Node // the element
	Parent []int32      // parent of each block; -1 for block 0
	End    []int32      // the blocks inside b are (b, End[b])
	Path   []uint64     // hash of the names of the blocks from the page down

	Words   []int32 // words of the block's own leaves
	Media   []int32 // its own media leaves
	Images  []int32 // how many of these are img
	Links   []int32 // a[href] elements whose nearest block it is
	Scripts []int32 // script elements that were left out of it

	Of []int32 // block of every leaf

	from, leaves []int32
	block        []int32 // for each node, its block
}

// Leaves returns the block's own content leaves, in the order of the page.
func (b *Blocks) Leaves(i int) []int32 { return b.leaves[b.from[i]:b.from[i+1]] }

// Around returns the block that a node is in. For an element that makes a block it is
// that block.
func (b *Blocks) Around(n canon.Node) int32 { return b.block[n] }

// Len is the number of blocks.
func (b *Blocks) Len() int { return len(b.Node) }

// Discarded reports whether a block has neither words nor media of its own.
func (b *Blocks) Discarded(i int) bool { return b.Words[i] == 0 && b.Media[i] == 0 }

// set of block tags.
type set [html.TagOther]bool

func (s *set) has(t html.Tag) bool { return t < html.TagOther && s[t] }

func setOf(lists ...[]html.Tag) *set {
	var s set
	for _, t := range slices.Concat(lists...) {
		s[t] = true
	}
	return &s
}

// The sets of elements. HR, which the printed list has, is void and encloses nothing.
var (
	classic = []html.Tag{html.TagTable, html.TagTr, html.TagUl, html.TagP, html.TagSpan, html.TagDiv}
	html5   = []html.Tag{
		html.TagTd, html.TagTh, html.TagLi, html.TagOl, html.TagDl, html.TagDt, html.TagDd,
		html.TagSection, html.TagArticle, html.TagAside, html.TagNav, html.TagHeader, html.TagFooter, html.TagMain,
		html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6,
		html.TagBlockquote, html.TagPre, html.TagForm, html.TagFigure, html.TagFigcaption, html.TagAddress,
	}
	layout = []html.Tag{
		html.TagTable, html.TagDiv, html.TagSection, html.TagArticle, html.TagAside, html.TagNav,
		html.TagHeader, html.TagFooter, html.TagMain, html.TagUl, html.TagOl, html.TagForm,
	}
)

// The ways to cut a page.
var (
	// Classic cuts at TABLE TR UL P SPAN DIV, the list of FastContentExtractor.
	Classic = feature("blocks-classic", setOf(classic))
	// HTML5 cuts at those of Classic and at the block elements added since.
	HTML5 = feature("blocks-html5", setOf(classic, html5))
	// Tables cuts at TABLE alone.
	Tables = feature("blocks-tables", setOf([]html.Tag{html.TagTable}))
	// Layout cuts at TABLE and the elements that replaced it in layout.
	Layout = feature("blocks-layout", setOf(layout))
)

func feature(name string, s *set) *algorithms.Feature[Blocks] {
	return &algorithms.Feature[Blocks]{
		Name:    name,
		Doc:     "the page cut at some elements",
		Compute: func(b *Blocks, p *algorithms.Pass) { b.fill(p, s) },
	}
}

func (b *Blocks) fill(p *algorithms.Pass, s *set) {
	b.Node, b.Parent, b.End, b.Path = b.Node[:0], b.Parent[:0], b.End[:0], b.Path[:0]
	b.Words, b.Media, b.Images = b.Words[:0], b.Media[:0], b.Images[:0]
	b.Links, b.Scripts = b.Links[:0], b.Scripts[:0]
	b.Of, b.from, b.leaves, b.block = b.Of[:0], b.from[:0], b.leaves[:0], b.block[:0]
	t, err := canon.Of(p)
	if err != nil || t.Len() == 0 {
		return
	}
	for n, tag := range t.Tag {
		in := int32(-1)
		if n > 0 {
			in = b.block[t.Parent[n]]
		}
		if n == 0 || s.has(tag) {
			in = b.add(t, canon.Node(n), in)
		} else if tag == html.TagA && p.Body.Flags[t.Row[n]]&page.HasHref != 0 {
			b.Links[in]++
		}
		b.Scripts[in] += t.Scripts[n]
		b.block = append(b.block, in)
	}
	for i := len(b.Parent) - 1; i > 0; i-- {
		b.End[b.Parent[i]] = max(b.End[b.Parent[i]], b.End[i])
	}
	b.own(t, canon.WordsOf.Of(p))
}

// add makes a block of node n.
func (b *Blocks) add(t *canon.Tree, n canon.Node, parent int32) int32 {
	i := int32(len(b.Node))
	above := uint64(0)
	if parent >= 0 {
		above = b.Path[parent]
	}
	b.Node = append(b.Node, n)
	b.Parent = append(b.Parent, parent)
	b.End = append(b.End, i+1)
	b.Path = append(b.Path, canon.Join(above, t.TagHash[n]))
	b.Words, b.Media, b.Images = append(b.Words, 0), append(b.Media, 0), append(b.Images, 0)
	b.Links, b.Scripts = append(b.Links, 0), append(b.Scripts, 0)
	return i
}

// own assigns the leaves to their blocks by a counting sort.
func (b *Blocks) own(t *canon.Tree, w *canon.Words) {
	b.from = append(b.from, make([]int32, b.Len()+1)...)
	for i, l := range t.Leaves {
		in := b.block[l.Node]
		b.Of = append(b.Of, in)
		b.from[in+1]++
		b.Words[in] += int32(len(w.Of(i)))
		if l.Media {
			b.Media[in]++
			if t.Tag[l.Node] == html.TagImg {
				b.Images[in]++
			}
		}
	}
	for i := 1; i < len(b.from); i++ {
		b.from[i] += b.from[i-1]
	}
	b.leaves = slices.Grow(b.leaves, len(b.Of))[:len(b.Of)]
	for leaf := len(b.Of) - 1; leaf >= 0; leaf-- { // backwards, so that from[i+1] ends as the start of i+1
		in := b.Of[leaf]
		b.from[in+1]--
		b.leaves[b.from[in+1]] = int32(leaf)
	}
	copy(b.from, b.from[1:])
	b.from[b.Len()] = int32(len(b.Of))
}
