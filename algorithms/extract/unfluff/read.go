package unfluff

import (
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

type openElement struct {
	end  html.Node
	node ref
}

// read makes the document of a page: html, body and what is below: elements,
// visible texts and the blank texts between them.
func (d *document) read(p *algorithms.Pass) {
	d.nodes = append(d.nodes[:0], node{})
	d.runs = append(d.runs[:0], textRun{})
	d.text, d.open, d.root = d.text[:0], d.open[:0], 0
	d.sawEm, d.sawImageInEm, d.sawCode, d.sawDropCap, d.sawU = false, false, false, false, false
	b, tree := p.Body, &p.Page.Tree
	if b.Len() == 0 {
		return
	}
	d.root = d.newElement(html.TagHtml)
	d.nodes[d.root].marks = namesOf(p.Page, tree.Parent[b.Node[0]], html.TagHtml)
	parent := d.root
	em := html.Node(0) // end of the outermost em
	row := page.Row(0)
	last := tree.End[b.Node[0]]
	for n := b.Node[0]; n < last; {
		for len(d.open) > 0 && d.open[len(d.open)-1].end <= n {
			d.open = d.open[:len(d.open)-1]
		}
		if k := len(d.open); k > 0 {
			parent = d.open[k-1].node
		}
		switch isRow := int(row) < b.Len() && b.Node[row] == n; {
		case isRow && b.Flags[row]&page.IsText == 0:
			tag := b.Tag[row]
			x := d.newElement(tag)
			if tree.AttrStart[n] < tree.AttrEnd[n] {
				d.nodes[x].marks = namesOf(p.Page, n, tag)
			}
			d.append(parent, x)
			d.open = append(d.open, openElement{tree.End[n], x})
			if tag == html.TagEm {
				em = max(em, tree.End[n])
			}
			d.see(x, n < em)
			row++
			n++
		case isRow:
			if b.Flags[row]&page.Hidden == 0 {
				d.append(parent, d.readText(tree, n, row))
			}
			row++
			n++
		case tree.Kind[n] == html.KindText:
			if data := tree.Data[n]; blank(tree.Text[data.Start:data.End]) {
				d.append(parent, d.readText(tree, n, 0))
			}
			n++
		case tree.Kind[n] == html.KindElement:
			n = tree.End[n] // not of the page's text
		default:
			n++
		}
	}
}

func (d *document) readText(tree *html.Tree, n html.Node, row page.Row) ref {
	start := len(d.text)
	d.text = append(d.text, tree.Text[tree.Data[n].Start:tree.Data[n].End]...)
	return d.newText(start, len(d.text), row)
}

// see records whether the passes that few pages need have anything to do.
func (d *document) see(x ref, inEm bool) {
	n := &d.nodes[x]
	switch n.tag {
	case html.TagEm:
		d.sawEm = true
	case html.TagImg:
		d.sawImageInEm = d.sawImageInEm || inEm
	case html.TagU:
		d.sawU = true
	case html.TagCode, html.TagPre:
		d.sawCode = true
	}
	d.sawCode = d.sawCode || n.marks&(markHighlight|markTaskList) != 0
	d.sawDropCap = d.sawDropCap || n.marks&markDropCap != 0
}

// isSpace reports whether r is white space in the program's language.
func isSpace(r rune) bool {
	return r != '\u0085' && unicode.IsSpace(r) || r == '\uFEFF'
}

func blank(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !isSpace(r) {
			return false
		}
		i += size
	}
	return true
}
