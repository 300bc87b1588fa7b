package page

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
)

// fill computes the columns of b in three passes, whose rows stay in the processor's
// cache. The first goes over the tree and makes rows, flags and text; the second makes
// the prefix sums; the third goes backwards and adds up what parents collect from their
// children.
func (b *Body) fill(p *Page) {
	b.release()
	b.mode, b.wordsReady, b.allWordsReady = p.opt.Words, false, false
	body := p.BodyElement()
	if body == 0 {
		b.All.Text = b.All.Text[:0]
		b.resize(0)
		b.cut(0, 0)
		b.sum()
		return
	}
	b.resize(int(p.Tree.End[body] - body))
	rows, text := b.rows(p, body)
	b.cut(rows, text)
	b.sum()
	b.fold()
	b.startTexts()
}

// A Body keeps its memory for the next page up to these sizes, about 20 MB altogether.
// Memory beyond that is released when the next page is filled.
const (
	keepRows     = 1 << 17
	keepPageText = 4 << 20
	keepWords    = 1 << 18
)

// release gives back memory that an unusually large page needed.
func (b *Body) release() {
	if cap(b.All.Tag) > keepRows {
		*b = Body{All: Table{Text: b.All.Text}, words: b.words, allWords: b.allWords}
	}
	if cap(b.All.Text) > keepPageText {
		b.All.Text = nil
	}
	if cap(b.words.Span) > keepWords || cap(b.allWords.Span) > keepWords {
		b.words, b.allWords = Words{}, Words{}
	}
}

// resize makes every column n rows long and keeps their contents.
func (b *Body) resize(n int) {
	t := &b.All
	grow(&t.Node, n)
	grow(&t.Tag, n)
	grow(&t.Parent, n)
	grow(&t.End, n)
	grow(&t.Depth, n)
	grow(&t.TextStart, n)
	grow(&t.TextEnd, n)
	grow(&t.Flags, n)
	grow(&t.Block, n)
	grow(&b.Kids, n)
	grow(&b.EKids, n)
	grow(&b.FBlock, n)
	grow(&b.LinkTags, n)
	grow(&b.Scripts, n)
	for _, c := range b.sums() {
		grow(c, n+1)
	}
}

// cut sets the table of the body to the first rows of All, and the other columns to the
// same length. The body's text is the first text bytes of that of All.
func (b *Body) cut(rows, text int) {
	t := &b.All
	b.Table = Table{
		Text: t.Text[:text:text], Node: t.Node[:rows], Tag: t.Tag[:rows], Parent: t.Parent[:rows], End: t.End[:rows], Depth: t.Depth[:rows],
		TextStart: t.TextStart[:rows], TextEnd: t.TextEnd[:rows], Flags: t.Flags[:rows], Block: t.Block[:rows],
	}
	b.Kids, b.EKids, b.FBlock, b.LinkTags, b.Scripts = b.Kids[:rows], b.EKids[:rows], b.FBlock[:rows], b.LinkTags[:rows], b.Scripts[:rows]
	for _, c := range b.sums() {
		*c = (*c)[:rows+1]
	}
}

// sums returns the columns of b that are prefix sums.
func (b *Body) sums() [13]*[]int32 {
	return [13]*[]int32{&b.Chars, &b.TextWords, &b.AnchorChars, &b.AnchorWords, &b.HrefChars, &b.LinkChars, &b.Elements, &b.Anchors, &b.Hrefs, &b.Leaves, &b.Images, &b.Lists, &b.HiddenTexts}
}

// grow sets the length of *s to n and keeps its elements if there is room.
func grow[T any](s *[]T, n int) {
	if n > cap(*s) {
		*s = make([]T, n, n+n/4)
	}
	*s = (*s)[:n]
}

// frame is an element whose rows are being made: its end has not been reached.
type frame struct {
	row           Row
	block, fblock Row
	end           html.Node // end of the element's subtree in the tree
	flags         Flag      // flags of the row
	inside        Flag      // flags that its children inherit
}

// noscript is an element of that name below body, which has no row in the table of the
// body, and the frame around it.
type noscript struct {
	node   html.Node
	around frame
	level  int
}

// rows makes the rows of All. It returns the number of those in the body, with
// the length of their text. Afterwards Chars and TextWords hold the counts of each row, which are
// not yet summed.
func (b *Body) rows(p *Page, body html.Node) (rows, text int) {
	clear(b.Kids)
	clear(b.EKids)
	clear(b.Chars)
	clear(b.TextWords)
	clear(b.Scripts)
	b.noscripts = b.noscripts[:0]
	f := folder{text: b.All.Text[:0], mode: b.mode}
	seen := Hidden // a flag that attributes set, unless hidden text is to be shown
	if p.opt.ShowHidden {
		seen = 0
	}
	around := frame{inside: p.attrFlags(p.Tree.Parent[body]) & seen}
	all := b.walk(p, &f, body, 0, around, 0)
	rows, text = int(all), f.last
	for i := range b.noscripts {
		n := &b.noscripts[i]
		n.around.inside |= InNoscript
		f.breakLine()
		all = b.walk(p, &f, n.node, all, n.around, n.level)
		f.breakLine()
	}
	b.All.Text = f.text[:f.last]
	b.resize(int(all))
	return rows, text
}

// walk makes the rows of the subtree of root, beginning with row rows, and returns the
// first row after them. around describes the element around root, and level0 is the depth
// of root. The noscript elements are noted for later, unless root is one itself: those in
// it are blocks like others.
func (b *Body) walk(p *Page, f *folder, root html.Node, rows Row, around frame, level0 int) Row {
	t, all := &p.Tree, &b.All
	size := len(all.Node) // at least the number of rows
	var (
		kind, tags, ends   = t.Kind, t.Tag, t.End
		node, tag          = all.Node[:size], all.Tag[:size]
		parent, end        = all.Parent[:size], all.End[:size]
		depth, kids, ekids = all.Depth[:size], b.Kids[:size], b.EKids[:size]
		textStart, textEnd = all.TextStart[:size], all.TextEnd[:size]
		flags              = all.Flags[:size]
		block, fblock      = all.Block[:size], b.FBlock[:size]
		chars, words       = b.Chars[:size], b.TextWords[:size]

		last = ends[root]

		// open is the stack of open elements; open[0] represents the parent of root.
		// cur points into the stack and is not a copy, because reading a whole frame
		// right after its fields were written stalls the processor.
		open  = b.open[:cap(b.open)]
		level = 0
		seen  = HasHref | Hidden // flags that attributes may set
	)
	if p.opt.ShowHidden {
		seen = HasHref
	}
	if len(open) < 2 {
		open = make([]frame, 64)
	}
	cur := &open[0]
	*cur = around
	cur.end = last
	for n := root; n < last; {
		for n >= cur.end {
			end[cur.row], textEnd[cur.row] = rows, int32(f.last)
			if cur.flags&IsBlock != 0 {
				f.breakLine()
			}
			level--
			cur = &open[level]
		}
		switch kind[n] {
		case html.KindText:
			d := t.Data[n]
			start, c, w := f.add(t.Text[d.Start:d.End], cur.inside&inPre != 0)
			if c > 0 {
				r := rows
				rows++
				node[r], tag[r], parent[r], end[r] = n, html.TagText, cur.row, rows
				depth[r] = int32(level0 + level)
				textStart[r], textEnd[r] = int32(start), int32(f.last)
				flags[r] = cur.inside | IsText
				block[r], fblock[r] = cur.block, cur.fblock
				if cur.inside&Hidden == 0 {
					chars[r], words[r] = int32(c), int32(w)
				}
				kids[cur.row]++
			}
			n++
		case html.KindElement:
			tg := tags[n]
			cls := classesOf(tg)
			switch {
			case cls&classLeftOut == 0:
			case tg == html.TagNoscript && around.inside&InNoscript != 0:
				cls = classBlock
			default:
				switch tg {
				case html.TagScript:
					b.Scripts[cur.row]++
				case html.TagNoscript:
					b.noscripts = append(b.noscripts, noscript{n, *cur, level0 + level})
				}
				n = ends[n]
				continue
			}
			r := rows
			rows++
			fl := cur.inside | Flag(cls)&ofClass
			if t.AttrStart[n] < t.AttrEnd[n] {
				fl |= p.attrFlags(n) & seen
			}
			inB, inF := cur.block, cur.fblock
			if cls&(classBlock|classFBlock|classBr) != 0 {
				if cls&(classBlock|classBr) != 0 {
					f.breakLine()
				}
				if cls&classBlock != 0 {
					inB = r
				}
				if cls&classFBlock != 0 {
					inF = r
				}
			}
			node[r], tag[r], parent[r] = n, tg, cur.row
			depth[r] = int32(level0 + level)
			textStart[r] = int32(f.last) // end of the preceding text; fold replaces it
			flags[r], block[r], fblock[r] = fl, inB, inF
			kids[cur.row]++
			ekids[cur.row]++
			after := ends[n]
			n++
			if after == n { // the element has no content and is closed at once
				end[r], textEnd[r] = rows, int32(f.last)
				continue
			}
			if level++; level == len(open) {
				open = append(open, make([]frame, level)...)
			}
			cur = &open[level]
			cur.row, cur.block, cur.fblock, cur.end = r, inB, inF, after
			cur.flags, cur.inside = fl, inherited(fl, cls)
			if cls&classChildless != 0 {
				n = after
			}
		default: // a comment
			n++
		}
	}
	for ; level > 0; level-- {
		r := open[level].row
		end[r], textEnd[r] = rows, int32(f.last)
	}
	kids[around.row]-- // root was counted as a child of the row around it
	ekids[around.row]--
	b.open = open[:0]
	return rows
}

// inherited returns the flags that an element with the flags f and of class c passes to
// its children.
func inherited(f Flag, c class) Flag {
	in := f & (InA | InAHref | InLink | Hidden | InNoscript | inPre)
	if c&(classLink|classPre) == 0 {
		return in
	}
	if c&classPre != 0 {
		in |= inPre
	}
	if c&classLink != 0 {
		in |= InLink
	}
	if c&classAnchor != 0 {
		in |= InA
		if f&HasHref != 0 {
			in |= InAHref
		}
	}
	return in
}

// attrFlags returns the flags that the attributes of the element n set.
func (p *Page) attrFlags(n html.Node) (f Flag) {
	t := &p.Tree
	attrs := t.Attrs[t.AttrStart[n]:t.AttrEnd[n]]
	var names html.AttrFlags
	for i := range attrs {
		names |= attrs[i].Flags
	}
	if names&html.AttrHref != 0 {
		f |= HasHref
	}
	if names&html.AttrHidden != 0 {
		f |= Hidden
	}
	if names&html.AttrStyle != 0 {
		for _, a := range attrs {
			if a.Flags&html.AttrStyle != 0 && hides(p.AttrValue(a)) {
				f |= Hidden
			}
		}
	}
	return f
}

// hides reports whether an inline style contains display:none or visibility:hidden.
// Case and white space are ignored.
func hides(style []byte) bool {
	for i := 0; ; i++ {
		colon := bytes.IndexByte(style[i:], ':')
		if colon < 0 {
			return false
		}
		i += colon
		if value := style[i+1:]; beginsWith(value, "none") {
			if endsWith(style[:i], "display") {
				return true
			}
		} else if beginsWith(value, "hidden") && endsWith(style[:i], "visibility") {
			return true
		}
	}
}

// beginsWith reports whether s begins with word. Case is ignored, and so is ASCII white
// space anywhere in s.
func beginsWith(s []byte, word string) bool {
	k := 0
	for i := 0; i < len(s) && k < len(word); i++ {
		if byteClasses[s[i]] == byteSpace {
			continue
		}
		if s[i]|0x20 != word[k] {
			return false
		}
		k++
	}
	return k == len(word)
}

// endsWith reports whether s ends with word, by the rules of beginsWith.
func endsWith(s []byte, word string) bool {
	k := len(word)
	for i := len(s) - 1; i >= 0 && k > 0; i-- {
		if byteClasses[s[i]] == byteSpace {
			continue
		}
		if s[i]|0x20 != word[k-1] {
			return false
		}
		k--
	}
	return k == 0
}

// sum turns the counts of rows into prefix sums. Each of its loops fills as many columns
// as fit into registers. The loops have no branches, because the kind of a row and the
// elements around it cannot be predicted.
func (b *Body) sum() {
	b.sumLinked()
	b.sumText()
	b.sumLeaves()
	b.sumElements()
}

// mask returns a number whose bits are all ones if f has the given bit, and 0 otherwise.
func mask(f, bit Flag) int32 { return -(int32(f/bit) & 1) }

// sumLinked sums the characters inside links. It reads the count of each row from Chars,
// where elements and hidden texts have 0.
func (b *Body) sumLinked() {
	n := len(b.Flags)
	flags, chars := b.Flags[:n], b.Chars[:n] // equal lengths, so that one bounds check serves all slices
	inA, inHref, inLink := b.AnchorChars[:n], b.HrefChars[:n], b.LinkChars[:n]
	var a, href, link int32
	for r, f := range flags {
		inA[r], inHref[r], inLink[r] = a, href, link
		c := chars[r]
		a += c & mask(f, InA)
		href += c & mask(f, InAHref)
		link += c & mask(f, InLink)
	}
	b.AnchorChars[n], b.HrefChars[n], b.LinkChars[n] = a, href, link
}

// sumText sums characters and words; it must come after sumLinked.
func (b *Body) sumText() {
	n := len(b.Flags)
	flags, chars, words, inA := b.Flags[:n], b.Chars[:n], b.TextWords[:n], b.AnchorWords[:n]
	var c, w, a int32
	for r, f := range flags {
		dc, dw := chars[r], words[r]
		chars[r], words[r], inA[r] = c, w, a
		c += dc
		w += dw
		a += dw & mask(f, InA)
	}
	b.Chars[n], b.TextWords[n], b.AnchorWords[n] = c, w, a
}

// sumLeaves sums leaves and hidden texts.
func (b *Body) sumLeaves() {
	n := len(b.Flags)
	flags, kids, leaves, hidden := b.Flags[:n], b.Kids[:n], b.Leaves[:n], b.HiddenTexts[:n]
	var l, h int32
	for r, f := range flags {
		leaves[r], hidden[r] = l, h
		childless := int32(uint32(kids[r]-1) >> 31)
		l += childless &^ mask(f, Hidden)
		h -= mask(f, IsText) & mask(f, Hidden)
	}
	b.Leaves[n], b.HiddenTexts[n] = l, h
}

// sumElements sums the visible elements, and separately those with certain names.
func (b *Body) sumElements() {
	n := len(b.Flags)
	flags, elements, images, lists := b.Flags[:n], b.Elements[:n], b.Images[:n], b.Lists[:n]
	anchors, linked := b.Anchors[:n], b.Hrefs[:n]
	var e, img, ul, a, href int32
	for r, f := range flags {
		elements[r], images[r], lists[r], anchors[r], linked[r] = e, img, ul, a, href
		f &^= Flag(mask(f, Hidden)) &^ Hidden // a hidden element loses its other flags
		e += 1 &^ int32(f/IsText|f/Hidden)
		img += int32(f / isImg & 1)
		ul += int32(f / isList & 1)
		a += int32(f / isA & 1)
		href += int32(f/isA&(f/HasHref)) & 1
	}
	b.Elements[n], b.Images[n], b.Lists[n], b.Anchors[n], b.Hrefs[n] = e, img, ul, a, href
}

// fold fills the columns that parents compute from their children: LinkTags, and TextStart of
// elements.
func (b *Body) fold() {
	n := len(b.Tag)
	parent, end := b.Parent[:n], b.End[:n]
	textStart, textEnd := b.TextStart[:n], b.TextEnd[:n]
	lt, flags := b.LinkTags[:n], b.Flags[:n]
	elements, chars, linked := b.Elements, b.Chars, b.LinkChars
	clear(lt)
	next := textEnd[0] // start of the first text at or after the row
	for r := n - 1; r >= 0; r-- {
		start := textStart[r]
		if flags[r]&IsText != 0 {
			next = start
		}
		if start < textEnd[r] {
			start = next
		}
		textStart[r] = start
		// Text density, Sun et al. 2011: a link tag counts all tags inside it, and
		// a child that consists only of links counts as one more link tag. Texts and
		// hidden elements contribute 0.
		after := end[r]
		inside := elements[after] - elements[r+1]
		up := lt[r]
		if flags[r]&(isLink|Hidden) == isLink {
			lt[r] = inside
			up = inside + 1
		} else if up != 0 && up == inside && chars[after]-chars[r] == linked[after]-linked[r] {
			up++
		}
		if r > 0 {
			lt[parent[r]] += up
		}
	}
}

// startTexts sets TextStart of the elements in noscript, as fold does for those of the
// body.
func (b *Body) startTexts() {
	n := len(b.All.Tag)
	textStart, textEnd, flags := b.All.TextStart[:n], b.All.TextEnd[:n], b.All.Flags[:n]
	next := int32(len(b.All.Text)) // start of the first text at or after the row
	for r := n - 1; r >= len(b.Tag); r-- {
		start := textStart[r]
		if flags[r]&IsText != 0 {
			next = start
		}
		if start < textEnd[r] {
			start = next
		}
		textStart[r] = start
	}
}
