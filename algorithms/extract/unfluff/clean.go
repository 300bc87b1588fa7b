package unfluff

import (
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/html"
)

// clean rewrites the page into paragraphs. d.root is 0 afterwards if nothing is
// left.
func (d *document) clean() {
	if d.root == 0 {
		return
	}
	if d.sawEm && !d.sawImageInEm {
		d.rewrite(isEm, (*document).inside)
	}
	if d.sawCode {
		d.rewrite(isCode, (*document).flatText)
	}
	if d.sawDropCap {
		d.rewrite(isDropCap, (*document).inside)
	}
	d.removeBad()
	if d.root == 0 {
		return
	}
	d.cleanParagraphs()
	if d.sawU {
		d.rewrite(isU, (*document).inside)
	}
	d.joinLines()
	d.rewrite(isDiv, (*document).paragraphs)
	d.rewrite(isSpan, (*document).paragraphs)
}

func isEm(n *node) bool      { return n.tag == html.TagEm }
func isU(n *node) bool       { return n.tag == html.TagU }
func isDiv(n *node) bool     { return n.tag == html.TagDiv }
func isSpan(n *node) bool    { return n.tag == html.TagSpan }
func isDropCap(n *node) bool { return n.marks&markDropCap != 0 }

func isCode(n *node) bool {
	return n.tag == html.TagCode || n.tag == html.TagPre || n.marks&(markHighlight|markTaskList) != 0
}

// rewrite replaces every outermost element for which is is true by the result of with.
// Nothing below such an element is rewritten.
func (d *document) rewrite(is func(*node) bool, with func(*document, ref) chain) {
	for x := d.root; x != 0; {
		if x == d.root || !is(&d.nodes[x]) {
			x = d.step(x, d.root)
			continue
		}
		next := d.after(x, d.root)
		d.replace(x, with(d, x))
		x = next
	}
}

// inside returns the content of x after writing it as HTML and parsing it again.
func (d *document) inside(x ref) chain { return d.renew(d.take(x)) }

// flatText returns all text of x as one text.
func (d *document) flatText(x ref) (c chain) {
	for k := x; k != 0; {
		next := d.step(k, x)
		if d.nodes[k].tag == html.TagText {
			if c.first == 0 {
				d.push(&c, k)
			} else {
				n, first := &d.nodes[k], &d.nodes[c.first]
				d.runs[first.lastRun].next = n.runs
				first.lastRun = n.lastRun
			}
		}
		k = next
	}
	return c
}

// removeBad removes the elements whose names mark them as clutter.
func (d *document) removeBad() {
	for x := d.root; x != 0; {
		if d.nodes[x].marks&(markBad|markBadDiv) == 0 {
			x = d.step(x, d.root)
			continue
		}
		next := d.after(x, d.root)
		d.remove(x)
		x = next
	}
}

// cleanParagraphs unwraps the spans of every p.
func (d *document) cleanParagraphs() {
	for x := d.root; x != 0; {
		if d.nodes[x].tag != html.TagP {
			x = d.step(x, d.root)
			continue
		}
		for k := d.step(x, x); k != 0; {
			if !isSpan(&d.nodes[k]) {
				k = d.step(k, x)
				continue
			}
			next := d.after(k, x)
			d.replace(k, d.inside(k))
			k = next
		}
		x = d.after(x, d.root)
	}
}

// joinLines replaces single line ends in the texts directly below a p.
func (d *document) joinLines() {
	for x := d.root; x != 0; x = d.step(x, d.root) {
		if d.nodes[x].tag != html.TagP {
			continue
		}
		for k := d.nodes[x].first; k != 0; k = d.nodes[k].next {
			if d.nodes[k].tag == html.TagText {
				d.joinTextLines(k)
			}
		}
	}
}

// joinTextLines turns every line end that has a character other than a line end on
// either side into a blank. The program does it by successive replacements, so a
// character that was the right side of one cannot be the left side of the next.
func (d *document) joinTextLines(x ref) {
	const (
		nothing = iota // at the start, after a line end or after a used character
		left           // after a character
		between        // after a character and a line end
	)
	state := nothing
	var lineEnd *byte
	for r := d.nodes[x].runs; r != 0; r = d.runs[r].next {
		text := d.text[d.runs[r].start:d.runs[r].end]
		for i := 0; i < len(text); {
			size := 1
			switch c := text[i]; {
			case c == '\n' && state == left:
				lineEnd, state = &text[i], between
			case c == '\n':
				state = nothing
			default:
				if c >= utf8.RuneSelf {
					_, size = utf8.DecodeRune(text[i:])
				}
				if state == between {
					*lineEnd = ' '
					state = nothing
				} else {
					state = left
				}
			}
			i += size
		}
	}
}
