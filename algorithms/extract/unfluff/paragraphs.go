package unfluff

import (
	"bytes"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
)

// keepsShape reports whether an element that contains one of this name may not become a p
// as a whole.
func keepsShape(tag html.Tag) bool {
	switch tag {
	case html.TagA, html.TagBlockquote, html.TagDl, html.TagDiv, html.TagImg,
		html.TagOl, html.TagP, html.TagPre, html.TagTable, html.TagUl:
		return true
	}
	return false
}

// paragraphs makes paragraphs of a div or span: one, or several if there are
// elements of more than one line in it.
//
//	<div>a1 <a>b</a> c1<h2>d</h2><p>e</p>f1</div>
//	<p>b</p> <p>d</p> <p>a1  <a>b</a>  c1</p> <p>e</p> <p>f1</p>
//
// Bare texts and the links beside them wait until a p or the end comes; other
// children come out at once, without their own tags.
func (d *document) paragraphs(x ref) chain {
	var out chain
	if !d.holdsShape(x) {
		d.writeParagraph(&out, d.inside(x))
		return out
	}
	var waiting chain
	before := ref(0) // the element that the program finds before k
	var ahead lookAhead
	for k := d.nodes[x].first; k != 0; k = d.nodes[k].next {
		if d.nodes[k].cutPrev {
			before = 0
		}
		switch tag := d.nodes[k].tag; {
		case tag == html.TagText:
			after := ahead.element(d, k)
			text := d.spread(k)
			if text == 0 {
				continue
			}
			for a := before; a != 0 && d.takeLink(&waiting, a); {
				a = d.previousElement(a)
			}
			d.push(&waiting, text)
			if after != 0 {
				d.takeLink(&waiting, after) // the program looks no further on this side
			}
		default:
			before = k
			if tag == html.TagP && waiting.first != 0 {
				d.writeParagraph(&out, d.renew(waiting))
				waiting = chain{}
			}
			if d.nodes[k].first != 0 {
				d.writeParagraph(&out, d.renew(d.contents(k)))
			}
		}
	}
	if waiting.first != 0 {
		d.writeParagraph(&out, d.renew(waiting))
	}
	return out
}

func (d *document) holdsShape(x ref) bool {
	for k := d.step(x, x); k != 0; k = d.step(k, x) {
		if keepsShape(d.nodes[k].tag) {
			return true
		}
	}
	return false
}

// contents returns the children of x, or copies of them if x is a link, because a later
// text may still need the link.
func (d *document) contents(x ref) (c chain) {
	if d.nodes[x].tag != html.TagA {
		return d.take(x)
	}
	for k := d.nodes[x].first; k != 0; k = d.nodes[k].next {
		d.push(&c, d.copy(k))
	}
	return c
}

// takeLink adds a copy of a to the waiting text, with blanks around it, if a is a link
// that no text has taken.
func (d *document) takeLink(waiting *chain, a ref) bool {
	if d.nodes[a].tag != html.TagA || d.nodes[a].used {
		return false
	}
	d.nodes[a].used = true
	d.push(waiting, d.blank())
	d.push(waiting, d.copy(a))
	d.push(waiting, d.blank())
	return true
}

func (d *document) blank() ref {
	d.text = append(d.text, ' ')
	return d.newText(len(d.text)-1, len(d.text), 0)
}

// spread returns the text x with line ends doubled and tabs deleted. It returns 0 if
// the result is blank or has fewer than two characters.
func (d *document) spread(x ref) ref {
	isBlank, units := true, 0
	for r := d.nodes[x].runs; r != 0; r = d.runs[r].next {
		text := d.text[d.runs[r].start:d.runs[r].end]
		isBlank = isBlank && blank(text)
		for i := 0; i < len(text) && units < 2; {
			c, size := utf8.DecodeRune(text[i:])
			switch {
			case c == '\t':
			case c == '\n' || c > 0xFFFF:
				units += 2
			default:
				units++
			}
			i += size
		}
	}
	if isBlank || units < 2 {
		return 0
	}
	text := ref(0)
	for r := d.nodes[x].runs; r != 0; r = d.runs[r].next {
		old := d.runs[r]
		start := len(d.text)
		if source := d.text[old.start:old.end]; bytes.IndexByte(source, '\n') >= 0 || bytes.IndexByte(source, '\t') >= 0 {
			for _, c := range source {
				switch c {
				case '\t':
				case '\n':
					d.text = append(d.text, '\n', '\n')
				default:
					d.text = append(d.text, c)
				}
			}
			old.start, old.end = int32(start), int32(len(d.text))
		}
		k := d.newText(int(old.start), int(old.end), old.row)
		if text == 0 {
			text = k
			continue
		}
		d.runs[d.nodes[text].lastRun].next = d.nodes[k].runs
		d.nodes[text].lastRun = d.nodes[k].runs
	}
	return text
}

// writeParagraph adds <p>c</p> to out as a parser reads it: a heading or a p ends the
// paragraph, and the end tag then makes another, empty one.
func (d *document) writeParagraph(out *chain, c chain) {
	p := d.newElement(html.TagP)
	d.push(out, p)
	var kids chain
	k := c.first
	for k != 0 && !endsParagraph(d.nodes[k].tag) {
		next := d.nodes[k].next
		d.push(&kids, k)
		k = next
	}
	d.adopt(p, kids)
	if k == 0 {
		return
	}
	for k != 0 {
		next := d.nodes[k].next
		d.push(out, k)
		k = next
	}
	d.push(out, d.newElement(html.TagP))
}

func endsParagraph(tag html.Tag) bool {
	switch tag {
	case html.TagP, html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		return true
	}
	return false
}
