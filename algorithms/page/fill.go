package page

// fill computes all columns of b in three passes over rows that stay in cache:
// one forward over the tree for rows, flags and text, one forward for the
// prefix sums, one backward for what is folded from children to parents.
func (b *Body) fill(p *Page) {
	b.release()
	b.mode, b.wordsReady = p.opt.Words, false
	body := p.root(TagBody)
	if body == 0 {
		b.resize(0)
		b.sum()
		b.Text = b.Text[:0]
		return
	}
	b.resize(int(p.Tree.End[body] - body))
	b.resize(b.rows(p, body))
	b.sum()
	b.fold()
}

// A Body keeps its memory for the next page up to these sizes: about 20 MB
// altogether. What a larger page needed is given back when the next one is
// filled.
const (
	keepRows     = 1 << 17
	keepPageText = 4 << 20
	keepWords    = 1 << 18
)

// release gives back memory that an unusually large page needed.
func (b *Body) release() {
	if cap(b.Tag) > keepRows {
		*b = Body{Text: b.Text, words: b.words}
	}
	if cap(b.Text) > keepPageText {
		b.Text = nil
	}
	if cap(b.words.Span) > keepWords {
		b.words = Words{}
	}
}

// resize makes every column n rows long, keeping what is in them.
func (b *Body) resize(n int) {
	grow(&b.Node, n)
	grow(&b.Tag, n)
	grow(&b.Parent, n)
	grow(&b.End, n)
	grow(&b.Depth, n)
	grow(&b.Kids, n)
	grow(&b.EKids, n)
	grow(&b.TextStart, n)
	grow(&b.TextEnd, n)
	grow(&b.Flags, n)
	grow(&b.Block, n)
	grow(&b.FBlock, n)
	grow(&b.LT, n)
	grow(&b.Scripts, n)
	for _, c := range b.sums() {
		grow(c, n+1)
	}
}

// sums are the prefix sums of b.
func (b *Body) sums() [13]*[]int32 {
	return [13]*[]int32{&b.C, &b.W, &b.Ca, &b.Wa, &b.Cah, &b.Cl, &b.E, &b.A, &b.Ah, &b.L, &b.IMG, &b.UL, &b.HT}
}

// grow sets the length of *s to n and keeps its elements if there is room.
func grow[T any](s *[]T, n int) {
	if n > cap(*s) {
		*s = make([]T, n, n+n/4)
	}
	*s = (*s)[:n]
}

// rows makes the rows of the subtree of body and returns their number. C and W
// hold the counts of each row afterwards, not yet their sums.
func (b *Body) rows(p *Page, body Node) int {
	t := &p.Tree
	var (
		kind, tags, ends   = t.Kind, t.Tag, t.End
		node, tag          = b.Node, b.Tag
		parent, end        = b.Parent, b.End
		depth, kids, ekids = b.Depth, b.Kids, b.EKids
		textStart, textEnd = b.TextStart, b.TextEnd
		flags              = b.Flags
		block, fblock      = b.Block, b.FBlock
		scripts            = b.Scripts
		chars, words       = b.C, b.W

		f    = folder{text: b.Text[:0], mode: b.mode}
		last = ends[body]
		rows = Row(0) // rows made so far
		cur  = Row(-1)
		// Of the open element cur:
		curEnd = last
		inside Flag // flags that its children inherit

		hidden = Hidden // what an attribute that hides sets
	)
	if p.opt.ShowHidden {
		hidden = 0
	}
	for n := body; n < last; {
		for n >= curEnd {
			end[cur] = rows
			textEnd[cur] = int32(f.last)
			if flags[cur]&IsBlock != 0 {
				f.breakLine()
			}
			cur = parent[cur]
			curEnd = Node(end[cur])
			inside = inherited(flags[cur], tag[cur])
		}
		switch kind[n] {
		default:
			n++
		case KindText:
			d := t.Data[n]
			start, stop, c, w := f.add(t.Text[d.Start:d.End], inside&inPre != 0)
			if start < stop {
				r := rows
				rows++
				node[r], tag[r], parent[r], end[r] = n, TagText, cur, rows
				depth[r], kids[r], ekids[r], scripts[r] = depth[cur]+1, 0, 0, 0
				textStart[r], textEnd[r] = int32(start), int32(stop)
				flags[r] = inside | IsText
				block[r], fblock[r] = block[cur], fblock[cur]
				if inside&Hidden != 0 {
					c, w = 0, 0
				}
				chars[r], words[r] = int32(c), int32(w)
				kids[cur]++
			}
			n++
		case KindElement:
			tg := tags[n]
			cls := tg.class()
			if cls&classLeftOut != 0 {
				if tg == TagScript {
					scripts[cur]++
				}
				n = ends[n]
				continue
			}
			r := rows
			rows++
			fl := inside
			for _, a := range t.Attrs[t.AttrStart[n]:t.AttrEnd[n]] {
				switch a.Name.Len() {
				case len("href"):
					if string(p.AttrName(a)) == "href" {
						fl |= HasHref
					}
				case len("style"):
					if string(p.AttrName(a)) == "style" && hides(p.AttrValue(a)) {
						fl |= hidden
					}
				case len("hidden"):
					if string(p.AttrName(a)) == "hidden" {
						fl |= hidden
					}
				}
			}
			node[r], tag[r], parent[r] = n, tg, cur
			end[r] = Row(ends[n]) // until it is closed: the end of its node
			kids[r], ekids[r], scripts[r] = 0, 0, 0
			chars[r], words[r] = 0, 0
			textStart[r] = int32(f.last) // until fold: where the text before it ends
			if cur < 0 {
				parent[r], depth[r], block[r], fblock[r] = 0, 0, 0, 0
				if html := t.Parent[n]; p.hidden(html) {
					fl |= hidden
				}
			} else {
				depth[r], block[r], fblock[r] = depth[cur]+1, block[cur], fblock[cur]
				kids[cur]++
				ekids[cur]++
			}
			if cls&classBlock != 0 {
				fl |= IsBlock
				block[r] = r
				f.breakLine()
			}
			if cls&classFBlock != 0 {
				fblock[r] = r
			}
			if cls&classBr != 0 {
				f.breakLine()
			}
			flags[r] = fl
			cur, curEnd = r, ends[n]
			inside = inherited(fl, tg)
			if cls&classChildless != 0 {
				n = curEnd
			} else {
				n++
			}
		}
	}
	for cur > 0 {
		end[cur], textEnd[cur] = rows, int32(f.last)
		cur = parent[cur]
	}
	end[0], textEnd[0] = rows, int32(f.last)
	b.Text = f.text[:f.last]
	return int(rows)
}

// inherited are the flags that the children of an element start with.
func inherited(f Flag, tag Tag) Flag {
	in := f & (InA | InAHref | InLink | Hidden | inPre)
	cls := tag.class()
	if cls&classPre != 0 {
		in |= inPre
	}
	if cls&classLink != 0 {
		in |= InLink
		if cls&classAnchor != 0 {
			in |= InA
			if f&HasHref != 0 {
				in |= InAHref
			}
		}
	}
	return in
}

// hidden says whether the element n itself has an attribute that hides it.
func (p *Page) hidden(n Node) bool {
	if _, ok := p.Attr(n, "hidden"); ok {
		return true
	}
	style, _ := p.Attr(n, "style")
	return hides(style)
}

// hides says whether an inline style contains, without blanks and case,
// display:none or visibility:hidden. Neither pattern has its first letter a
// second time, so a mismatch can only begin a new match at that very letter.
func hides(style []byte) bool {
	const display, visibility = "display:none", "visibility:hidden"
	i, j := 0, 0
	for _, c := range style {
		if byteClasses[c] == byteSpace {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch {
		case c == display[i]:
			if i++; i == len(display) {
				return true
			}
		case c == display[0]:
			i = 1
		default:
			i = 0
		}
		switch {
		case c == visibility[j]:
			if j++; j == len(visibility) {
				return true
			}
		case c == visibility[0]:
			j = 1
		default:
			j = 0
		}
	}
	return false
}

// sum turns the counts of rows into prefix sums.
func (b *Body) sum() {
	b.sumText()
	b.sumTags()
}

// sumText sums what is counted of text nodes.
func (b *Body) sumText() {
	n := len(b.Tag)
	// One length for all lets the compiler drop the bounds checks.
	flags, kids := b.Flags[:n], b.Kids[:n]
	chars, words := b.C[:n], b.W[:n]
	ca, wa, cah, cl := b.Ca[:n], b.Wa[:n], b.Cah[:n], b.Cl[:n]
	leaves, hidden := b.L[:n], b.HT[:n]
	var sum struct{ c, w, ca, wa, cah, cl, l, ht int32 }
	for r, f := range flags {
		c, w := chars[r], words[r]
		chars[r], words[r] = sum.c, sum.w
		ca[r], wa[r], cah[r], cl[r] = sum.ca, sum.wa, sum.cah, sum.cl
		leaves[r], hidden[r] = sum.l, sum.ht
		if f&IsText == 0 {
			if kids[r] == 0 && f&Hidden == 0 {
				sum.l++
			}
			continue
		}
		if f&Hidden != 0 {
			sum.ht++
			continue
		}
		sum.l++
		sum.c += c
		sum.w += w
		if f&InLink == 0 {
			continue
		}
		sum.cl += c
		if f&InA != 0 {
			sum.ca += c
			sum.wa += w
		}
		if f&InAHref != 0 {
			sum.cah += c
		}
	}
	b.C[n], b.W[n], b.Ca[n], b.Wa[n], b.Cah[n], b.Cl[n] = sum.c, sum.w, sum.ca, sum.wa, sum.cah, sum.cl
	b.L[n], b.HT[n] = sum.l, sum.ht
}

// sumTags sums what is counted of elements.
func (b *Body) sumTags() {
	n := len(b.Tag)
	tags, flags := b.Tag[:n], b.Flags[:n]
	e, a, ah, img, ul := b.E[:n], b.A[:n], b.Ah[:n], b.IMG[:n], b.UL[:n]
	var sum struct{ e, a, ah, img, ul int32 }
	for r, tag := range tags {
		e[r], a[r], ah[r], img[r], ul[r] = sum.e, sum.a, sum.ah, sum.img, sum.ul
		if tag == TagText || flags[r]&Hidden != 0 {
			continue
		}
		sum.e++
		switch cls := tag.class(); {
		case cls&(classAnchor|classImg|classList) == 0:
		case cls&classAnchor != 0:
			sum.a++
			if flags[r]&HasHref != 0 {
				sum.ah++
			}
		case cls&classImg != 0:
			sum.img++
		default:
			sum.ul++
		}
	}
	b.E[n], b.A[n], b.Ah[n], b.IMG[n], b.UL[n] = sum.e, sum.a, sum.ah, sum.img, sum.ul
}

// fold fills the columns that children hand to their parents: LT, and the
// start of the text of elements.
func (b *Body) fold() {
	clear(b.LT)
	next := b.TextEnd[0] // start of the first text at or after the row
	for r := len(b.Tag) - 1; r >= 0; r-- {
		if b.Flags[r]&IsText != 0 {
			next = b.TextStart[r]
			continue
		}
		if b.TextStart[r] < b.TextEnd[r] {
			b.TextStart[r] = next
		}
		if b.Flags[r]&Hidden != 0 {
			continue // its LT is 0, as are its sums
		}
		// Text density, Sun et al. 2011: a link tag counts all tags inside it, and
		// a child made only of links counts as one more link tag.
		end := b.End[r]
		inside := b.E[end] - b.E[r+1]
		link := b.Tag[r].class()&classLink != 0
		if link {
			b.LT[r] = inside
		}
		if r == 0 {
			break
		}
		up := b.LT[r]
		if link || up == inside && up != 0 && b.C[end]-b.C[r] == b.Cl[end]-b.Cl[r] {
			up++
		}
		b.LT[b.Parent[r]] += up
	}
}
