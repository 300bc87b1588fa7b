package page

import (
	"bytes"
	"sort"

	"github.com/winnow/winnow/algorithms/html"
)

// A formula is a piece of mathematics whose TeX source is somewhere in the page, or MathML,
// which is written as TeX if it has no such source. No text of the Body belongs to it but the characters that KaTeX
// and MathJax put beside the source, which are not written if the source is.
type formula struct {
	node, end html.Node // the nodes that the formula replaces
	parent    Row       // innermost row around it
	tex       []byte    // source in one line, without delimiters; nil if there is none
	display   bool      // it has a line of its own
}

// formulas returns the formulas of the page in order. They are not nested.
//
// Sources are, in this order of trust, an annotation of MathML that names TeX as its
// encoding, the attribute alttext of MathML, a script of the type math/tex (MathJax 2),
// and the alternative text of an image of a formula.
func (p *Page) formulas() []formula {
	t := &p.Tree
	var all []formula
	scripts := false // MathJax's rendering is left out only beside its sources
	for n := html.Node(0); int(n) < t.Len() && !scripts; n++ {
		scripts = t.Kind[n] == html.KindElement && t.Tag[n] == html.TagScript && p.isTeX(n)
	}
	b := p.Body()
	for n := html.Node(0); int(n) < t.Len(); n++ {
		if t.Kind[n] != html.KindElement {
			continue
		}
		f := formula{node: n, end: t.End[n]}
		switch tag := t.Tag[n]; {
		case tag == html.TagMath:
			f.display = p.hasWord(n, "display", "block") || p.hasWord(n, "mode", "display")
			if f.tex = p.annotation(n); f.tex == nil {
				alt, _ := p.Attr(n, "alttext")
				f.tex = lineOfTeX(alt)
			}
			if f.tex == nil {
				f.tex = p.texOfMathML(n)
			}
			p.container(&f)
		case tag == html.TagScript && p.isTeX(n):
			kind, _ := p.Attr(n, "type")
			f.display = bytes.Contains(kind, []byte("mode=display"))
			f.tex = lineOfTeX(p.textBelow(n))
		case tag == html.TagImg && p.isFormulaImage(n):
			alt, _ := p.Attr(n, "alt")
			f.tex = lineOfTeX(alt)
			f.display = p.hasWord(n, "class", "mwe-math-fallback-image-display")
			if f.tex == nil {
				continue
			}
		case scripts && p.isRendering(n): // it is left out with what is in it
		default:
			continue
		}
		row, known := f.node, false
		for row > 0 && !known {
			row = t.Parent[row]
			f.parent, known = b.Row(row)
		}
		if self, ok := b.Row(f.node); known && b.Flags[f.parent]&Hidden == 0 && !(ok && b.Flags[self]&Hidden != 0) {
			for len(all) > 0 && all[len(all)-1].node >= f.node {
				all = all[:len(all)-1] // it lies in the container of this one
			}
			all = append(all, f)
		}
		n = f.end - 1
	}
	return all
}

// isTeX reports whether a script element is the source of a formula.
func (p *Page) isTeX(n html.Node) bool {
	kind, _ := p.Attr(n, "type")
	kind = bytes.TrimSpace(kind)
	return len(kind) >= len("math/tex") && bytes.EqualFold(kind[:len("math/tex")], []byte("math/tex"))
}

// isFormulaImage reports whether an image shows the formula that is its alternative text:
// by its class or its address, or because the text is TeX between delimiters.
func (p *Page) isFormulaImage(n html.Node) bool {
	alt, _ := p.Attr(n, "alt")
	if alt = bytes.TrimSpace(alt); len(alt) == 0 {
		return false
	}
	class, _ := p.Attr(n, "class")
	for word := range bytes.FieldsSeq(class) {
		switch string(word) {
		case "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display", "tex", "latex", "math",
			"ql-img-inline-formula", "ql-img-displayed-formula", "latexImage", "texrender", "eq", "equation-image":
			return true
		}
	}
	for _, d := range [][2]string{{"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}, {`\begin{`, "}"}} {
		if len(alt) > len(d[0])+len(d[1]) && bytes.HasPrefix(alt, []byte(d[0])) && bytes.HasSuffix(alt, []byte(d[1])) {
			return true
		}
	}
	src, _ := p.Attr(n, "src")
	for _, server := range []string{"latex.codecogs.com/", "/equation?tex=", "/latex.php?", "mimetex.cgi", "mathtex.cgi", "cht=tx"} {
		if bytes.Contains(src, []byte(server)) {
			return true
		}
	}
	return false
}

// isRendering reports whether n is the rendering of a formula by MathJax 2.
func (p *Page) isRendering(n html.Node) bool {
	class, _ := p.Attr(n, "class")
	for word := range bytes.FieldsSeq(class) {
		switch string(word) {
		case "MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display", "MathJax_CHTML", "MJXc-display", "mjx-chtml":
			return true
		}
	}
	return false
}

// hasWord reports whether an attribute of n has the given word.
func (p *Page) hasWord(n html.Node, attr, word string) bool {
	value, _ := p.Attr(n, attr)
	for w := range bytes.FieldsSeq(value) {
		if string(w) == word {
			return true
		}
	}
	return false
}

// annotation returns the source of MathML in its annotations.
func (p *Page) annotation(math html.Node) []byte {
	t := &p.Tree
	tag := p.Tag("annotation")
	for n := math + 1; n < t.End[math]; n++ {
		if t.Kind[n] != html.KindElement || t.Tag[n] != tag {
			continue
		}
		encoding, _ := p.Attr(n, "encoding")
		switch string(bytes.ToLower(bytes.TrimSpace(encoding))) {
		case "application/x-tex", "application/x-latex", "application/tex", "application/latex", "text/tex", "text/x-tex", "tex", "latex":
			if tex := lineOfTeX(p.textBelow(n)); tex != nil {
				return tex
			}
		}
	}
	return nil
}

// textBelow returns the character data in the subtree of n.
func (p *Page) textBelow(n html.Node) (text []byte) {
	t := &p.Tree
	for c := n + 1; c < t.End[n]; c++ {
		if t.Kind[c] == html.KindText {
			text = append(text, t.Text[t.Data[c].Start:t.Data[c].End]...)
		}
	}
	return text
}

// maxContainers is how many elements a program puts around MathML at most.
const maxContainers = 6

// container widens f from a math element to the elements that KaTeX, MathJax 3 or
// MediaWiki put around it, and what they show beside it.
func (p *Page) container(f *formula) {
	t := &p.Tree
	n := f.node
	for range maxContainers {
		n = t.Parent[n]
		ours := p.TagName(t.Tag[n]) == "mjx-container" || p.TagName(t.Tag[n]) == "mjx-assistive-mml"
		f.display = f.display || ours && p.hasWord(n, "display", "true")
		class, _ := p.Attr(n, "class")
		for word := range bytes.FieldsSeq(class) {
			switch string(word) {
			case "katex-display", "mwe-math-mathml-display":
				f.display, ours = true, true
			case "katex", "katex-mathml", "mwe-math-element", "mwe-math-mathml-inline", "MathJax", "MJX_Assistive_MathML":
				ours = true
			}
		}
		if !ours {
			return
		}
		f.node, f.end = n, t.End[n]
	}
}

// lineOfTeX returns TeX without comments, line breaks and the delimiters around it; nil if
// nothing is left.
func lineOfTeX(tex []byte) []byte {
	var line []byte
	for part := range bytes.SplitSeq(tex, []byte("\n")) {
		for i := range part {
			if part[i] == '%' && !escaped(part, i) {
				part = part[:i]
				break
			}
		}
		line = append(append(line, part...), ' ')
	}
	line = bytes.Join(bytes.Fields(line), []byte{' '})
	for _, d := range [][2]string{{"$$", "$$"}, {"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}} {
		if len(line) > len(d[0])+len(d[1]) && bytes.HasPrefix(line, []byte(d[0])) && bytes.HasSuffix(line, []byte(d[1])) {
			line = bytes.TrimSpace(line[len(d[0]) : len(line)-len(d[1])])
		}
	}
	if n := len(line); n > 0 && line[n-1] == '\\' && !escaped(line, n-1) {
		line = line[:n-1] // it was a blank, and would escape the delimiter
	}
	if len(line) == 0 {
		return nil
	}
	return line
}

// escaped reports whether an odd number of backslashes precedes s[i].
func escaped(s []byte, i int) bool {
	n := 0
	for ; i > 0 && s[i-1] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// chooser tells which images and formulas belong to a selection of text. They do if text
// on both sides of them does, or on one side in the same block.
type chooser struct {
	b     *Body
	spans []Span
}

func (c *chooser) covers(at int32) bool {
	i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].End > at })
	return i < len(c.spans) && c.spans[i].Start <= at
}

// textRow returns the text row that has the character at.
func (c *chooser) textRow(at int32) Row {
	return Row(sort.Search(c.b.Len(), func(i int) bool { return c.b.TextStart[i] > at }) - 1)
}

// chosen reports whether something without text belongs to the selection. It lies in the
// row parent, between the characters before and after; -1 means that there is
// none.
func (c *chooser) chosen(parent Row, before, after int32) bool {
	left, right := before >= 0 && c.covers(before), after >= 0 && c.covers(after)
	if left && right {
		return true
	}
	block := c.b.Block[parent]
	return left && c.b.Block[c.textRow(before)] == block || right && c.b.Block[c.textRow(after)] == block
}
