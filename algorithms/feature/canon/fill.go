package canon

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// fill makes the tree of the page.
func (t *Tree) fill(p *algorithms.Pass) {
	t.reset()
	if t.large = p.Page.Cut&(html.CutDepth|html.CutNodes|html.CutSource) != 0; t.large {
		return
	}
	b := p.Body
	t.nodeAt = slices.Grow(t.nodeAt[:0], b.Len())[:b.Len()]
	t.names.start(p.Page)
	for r := page.Row(0); int(r) < b.Len(); {
		tag := b.Tag[r]
		t.nodeAt[r] = -1
		switch {
		case tag == html.TagLink, tag == html.TagMeta:
			r = b.End[r]
			continue
		case b.Flags[r]&page.IsText != 0:
			t.addText(b, r)
			r++
			continue
		}
		n, ok := t.add(b, r)
		if !ok {
			return
		}
		t.Scripts[n] = b.Scripts[r]
		if IsMedia(tag) {
			t.Leaves = append(t.Leaves, leafOf(b, n, page.Rows{Start: r, End: b.End[r]}))
			t.Leaves[len(t.Leaves)-1].Media = true
			r = b.End[r]
		} else {
			r++
		}
	}
	if t.large {
		return
	}
	t.close()
	t.texts(b)
}

func (t *Tree) reset() {
	if cap(t.text) > keepText {
		t.text = nil
	}
	t.Row, t.Tag, t.Parent, t.End = t.Row[:0], t.Tag[:0], t.Parent[:0], t.End[:0]
	t.Depth, t.Scripts, t.Path, t.TagHash = t.Depth[:0], t.Scripts[:0], t.Path[:0], t.TagHash[:0]
	t.First, t.Leaves, t.text = t.First[:0], t.Leaves[:0], t.text[:0]
}

// add makes a node of row r; ok is false if the page is too large.
func (t *Tree) add(b *page.Body, r page.Row) (n Node, ok bool) {
	n = Node(len(t.Tag))
	if n == MaxNodes || b.Depth[r] > MaxDepth {
		t.large = true
		return n, false
	}
	name := t.names.hash(b.Tag[r])
	parent, path := Node(-1), uint64(0)
	if n > 0 {
		parent = t.nodeAt[b.Parent[r]]
		path = Join(t.Path[parent], name)
	} else {
		path = Join(name, 0)
	}
	t.nodeAt[r] = n
	t.Row = append(t.Row, r)
	t.Tag = append(t.Tag, b.Tag[r])
	t.Parent = append(t.Parent, parent)
	t.End = append(t.End, n+1)
	t.Depth = append(t.Depth, b.Depth[r])
	t.Scripts = append(t.Scripts, 0)
	t.Path = append(t.Path, path)
	t.TagHash = append(t.TagHash, name)
	t.First = append(t.First, int32(len(t.Leaves)))
	return n, true
}

// addText makes a leaf of the text row r, or appends the row to the leaf before it.
func (t *Tree) addText(b *page.Body, r page.Row) {
	parent := t.nodeAt[b.Parent[r]]
	if last := Node(len(t.Tag) - 1); t.Tag[last] == html.TagText && t.Parent[last] == parent {
		t.Leaves[len(t.Leaves)-1].Rows.End = r + 1
		return
	}
	if n, ok := t.add(b, r); ok {
		t.Leaves = append(t.Leaves, leafOf(b, n, page.Rows{Start: r, End: r + 1}))
	}
}

func leafOf(b *page.Body, n Node, rows page.Rows) Leaf {
	f := b.Flags[rows.Start]
	return Leaf{Node: n, Rows: rows, InLink: f&page.InA != 0, Hidden: f&page.Hidden != 0}
}

// close finds where subtrees end.
func (t *Tree) close() {
	t.First = append(t.First, int32(len(t.Leaves)))
	for n := len(t.Parent) - 1; n > 0; n-- {
		up := t.Parent[n]
		t.End[up] = max(t.End[up], t.End[n])
	}
}

// texts finds the text of the text leaves. Most are equal to the page text and are
// views of it.
func (t *Tree) texts(b *page.Body) {
	t.page = b.Text
	for i := range t.Leaves {
		l := &t.Leaves[i]
		if l.Media {
			continue
		}
		l.start, l.end = b.TextStart[l.Rows.Start], b.TextEnd[l.Rows.End-1]
		if s := b.Text[l.start:l.end]; !isNormal(s) {
			l.own, l.start = true, int32(len(t.text))
			t.text = appendNormal(t.text, s)
			l.end = int32(len(t.text))
		}
	}
}

// appendNormal appends s in NFC with each run of white space as one blank. s
// begins and ends with a character that is not white space.
func appendNormal(dst, s []byte) []byte {
	start := len(dst)
	dst = norm.NFC.Append(dst, s...)
	return dst[:start+foldInPlace(dst[start:])]
}

// foldInPlace folds the white space of s and returns its new length.
func foldInPlace(s []byte) int {
	n, pending := 0, false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		if isSpace(r) {
			pending = n > 0
		} else {
			if pending {
				s[n] = ' '
				n++
				pending = false
			}
			n += copy(s[n:], s[i:i+size])
		}
		i += size
	}
	return n
}

// isSpace is the white space of page.Body.
func isSpace(r rune) bool {
	return r <= ' ' && (r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f) || r > 0x7f && unicode.IsSpace(r)
}
