package page

import (
	"bytes"
	"sort"

	"github.com/winnow/winnow/algorithms/html"
)

// Code is shown in many ways: in pre, in tables with a column of line numbers, in an element
// for each line, or in code elements whose lines br divides. AppendHTML writes them all as
// pre, with the line breaks that a reader sees and without line numbers.

// codeArea is an element that shows lines of code or other preformatted text.
type codeArea struct {
	node, end html.Node
	language  []byte // word of the class that names it, such as language-go; nil if unknown
	pre       bool   // the element is pre or one like it
	spaced    bool   // white space in its text is as written; else it is that of HTML
}

// codeClass is the meaning of a class attribute on an element that shows code.
type codeClass uint8

const (
	codeNone      codeClass = iota
	codeContainer           // all lines of an editor or highlighter
	codeLine                // one line
	codeNumber              // line numbers, if there is nothing but figures in it
)

// codeClassOf returns the meaning of a class that a common editor or highlighter uses.
func codeClassOf(word []byte) codeClass {
	if len(word) < 2 || len(word) > 32 {
		return codeNone
	}
	switch string(word) {
	case "syntaxhighlighter", "CodeMirror-code", "cm-content", "ace_text-layer", "view-lines", "crayon-pre", "js-file-line-container",
		"react-code-lines", "diff-table", "EnlighterJSRAW", "enlighter-code":
		return codeContainer
	case "line", "code-line", "codeline", "token-line", "view-line", "ace_line", "cm-line", "CodeMirror-line", "crayon-line", "blob-code",
		"hljs-ln-line", "react-code-text", "line-content", "code-block-line":
		return codeLine
	case "gutter", "linenos", "lineno", "linenodiv", "linenumber", "linenumbers", "lineNumber", "lineNumbers", "line-number", "line-numbers",
		"line_number", "line_numbers", "lnt", "ln", "rouge-gutter", "pre-numbering", "blob-num", "crayon-nums", "crayon-num", "hljs-ln-numbers",
		"hljs-ln-n", "CodeMirror-linenumber", "CodeMirror-gutter-wrapper", "cm-gutters", "ace_gutter", "ace_gutter-cell", "diff-line-num",
		"react-line-number", "react-line-numbers", "code-line-number", "line-numbers-rows", "token-line-number", "linenumber-cell":
		return codeNumber
	}
	return codeNone
}

// codeClassOfNode returns the first such class of an element.
func (p *Page) codeClassOfNode(n html.Node) codeClass {
	for _, a := range p.Attrs(n) {
		if a.Flags&html.AttrClass == 0 {
			continue
		}
		value := p.AttrValue(a)
		for i := 0; i < len(value); i++ {
			from := i
			for i < len(value) && value[i] > ' ' {
				i++
			}
			if c := codeClassOf(value[from:i]); c != codeNone {
				return c
			}
		}
	}
	return codeNone
}

// code is the code of a page: areas that do not overlap, and elements with line numbers
// inside and beside them, both in document order.
type code struct {
	areas   []codeArea
	numbers []html.Node
}

// area returns the area that begins with the element n, or nil.
func (c *code) area(n html.Node) *codeArea {
	i := sort.Search(len(c.areas), func(i int) bool { return c.areas[i].node >= n })
	if i < len(c.areas) && c.areas[i].node == n {
		return &c.areas[i]
	}
	return nil
}

// inNumbers reports whether the node n is in an element with line numbers.
func (c *code) inNumbers(t *html.Tree, n html.Node) bool {
	i := sort.Search(len(c.numbers), func(i int) bool { return c.numbers[i] > n }) - 1
	return i >= 0 && n < t.End[c.numbers[i]]
}

// findCode finds the code of the page in time linear in its tree.
func (p *Page) findCode() (c code) {
	t := &p.Tree
	body := p.BodyElement()
	if body == 0 {
		return c
	}
	f := codeFinder{Page: p, known: map[html.Node]bool{}}
	for n := body + 1; n < t.End[body]; n++ {
		if t.Kind[n] != html.KindElement {
			continue
		}
		inside := len(c.areas) > 0 && n < c.areas[len(c.areas)-1].end
		tag := t.Tag[n]
		class := codeNone
		switch tag {
		case html.TagDiv, html.TagTd, html.TagTable, html.TagUl:
			class = p.codeClassOfNode(n)
		case html.TagPre, html.TagCode, html.TagOl:
		default:
			if !inside { // most elements of a page
				continue
			}
			class = p.codeClassOfNode(n)
		}
		switch {
		case class == codeNumber && p.isFigures(n, 0) && (inside || f.besideCode(n)),
			tag == html.TagPre && !inside && f.inCell(n) && p.isFigures(n, 2) && f.besideCode(n):
			c.numbers = append(c.numbers, n)
			n = t.End[n] - 1
			continue
		case inside:
			continue
		}
		a := codeArea{node: n, pre: true, spaced: true}
		switch {
		case tag == html.TagPre:
		case tag == html.TagCode:
			block, spaced := f.linesOfCode(n)
			if block == 0 {
				continue
			}
			a = codeArea{node: block, spaced: spaced}
		case class == codeContainer && IsBlockTag(tag) || tag == html.TagOl && p.isOldHighlighter(n):
			a = codeArea{node: n}
		case class == codeLine:
			if a = (codeArea{node: f.parentOfLines(n)}); a.node == 0 {
				continue
			}
		default:
			continue
		}
		a.end, a.language = t.End[a.node], p.languageOf(a.node)
		c.areas = append(c.areas, a)
	}
	return c
}

// isFigures reports whether the text below n is nothing but figures and white space and, if
// least is above 0, at least that many numbers, each of which follows the one before.
func (p *Page) isFigures(n html.Node, least int) bool {
	t := &p.Tree
	numbers, last, value, digit := 0, 0, 0, false
	ends := func() bool {
		if digit {
			if least > 0 && numbers > 0 && value != last+1 {
				return false
			}
			numbers, last, value, digit = numbers+1, value, 0, false
		}
		return true
	}
	for c := n + 1; c < t.End[n]; c++ {
		if t.Kind[c] != html.KindText {
			if t.Kind[c] == html.KindElement && !ends() {
				return false
			}
			continue
		}
		text := t.Text[t.Data[c].Start:t.Data[c].End]
		for i := 0; i < len(text); {
			if b := text[i]; '0' <= b && b <= '9' && value < 1<<24 {
				value, digit = 10*value+int(b-'0'), true
				i++
				continue
			}
			j := skipSpace(text, i)
			if j == i || !ends() {
				return false
			}
			i = j
		}
	}
	return ends() && numbers >= least
}

// isOldHighlighter reports whether a list has the lines of an early SyntaxHighlighter.
func (p *Page) isOldHighlighter(n html.Node) bool {
	class, _ := p.Attr(n, "class")
	return bytes.HasPrefix(class, []byte("dp-"))
}

// codeFinder remembers which elements were examined, so that none is examined twice.
type codeFinder struct {
	*Page
	known map[html.Node]bool
}

// besideCode reports whether code follows the line numbers n in the row of their table, or
// near them.
func (f *codeFinder) besideCode(n html.Node) bool {
	t := &f.Tree
	around := n
	for range 4 {
		if around = t.Parent[around]; t.Tag[around] == html.TagTr || t.Tag[around] == html.TagFigure || around == 0 {
			break
		}
	}
	if yes, ok := f.known[-around]; ok {
		return yes
	}
	end := t.End[around]
	yes := f.Find(html.TagPre, t.End[n], end) != 0 || f.Find(html.TagCode, t.End[n], end) != 0
	for c := t.End[n]; c < end && !yes; c++ {
		yes = t.Kind[c] == html.KindElement && f.codeClassOfNode(c) == codeContainer
	}
	f.known[-around] = yes
	return yes
}

// parentOfLines returns the element around the line n if it has several lines, and no
// text but lines and their numbers; 0 if not.
func (f *codeFinder) parentOfLines(n html.Node) html.Node {
	t := &f.Tree
	around := t.Parent[n]
	if t.Tag[n] == html.TagTd {
		for range 3 {
			if t.Tag[around] == html.TagTable {
				break
			}
			around = t.Parent[around]
		}
	}
	if _, ok := f.known[around]; ok || around <= f.BodyElement() {
		return 0
	}
	f.known[around] = false
	lines := 0
	for c := around + 1; c < t.End[around]; c++ {
		switch t.Kind[c] {
		case html.KindText:
			if text := t.Text[t.Data[c].Start:t.Data[c].End]; skipSpace(text, 0) < len(text) {
				return 0
			}
		case html.KindElement:
			switch class := f.codeClassOfNode(c); {
			case class == codeLine:
				lines++
				c = t.End[c] - 1
			case class == codeNumber && f.isFigures(c, 0):
				c = t.End[c] - 1
			}
		}
	}
	if lines < 2 || !IsBlockTag(t.Tag[around]) {
		return 0
	}
	return around
}

// inCell reports whether n is in a cell of a table, with at most two elements between them.
func (f *codeFinder) inCell(n html.Node) bool {
	for range 3 {
		if n = f.Tree.Parent[n]; f.Tree.Tag[n] == html.TagTd {
			return true
		}
	}
	return false
}

// linesOfCode returns the element that shows the code element n as lines: n itself if it
// has line breaks and is alone in its block, or the block if it has several such elements
// and br between them. It returns 0 if the code is in a line of text. Spaced reports whether
// the line breaks of the source are those of the code.
func (f *codeFinder) linesOfCode(n html.Node) (around html.Node, spaced bool) {
	t := &f.Tree
	block := t.Parent[n]
	for block > 0 && !IsBlockTag(t.Tag[block]) {
		block = t.Parent[block]
	}
	if _, ok := f.known[block]; ok || block <= f.BodyElement() || t.Tag[block] == html.TagTd || t.Tag[block] == html.TagTh { // a cell of names
		return 0, false
	}
	f.known[block] = false
	codes, breaks, newlines := 0, 0, 0
	text := false // some text was found
	for c := block + 1; c < t.End[block]; c++ {
		switch t.Kind[c] {
		case html.KindText:
			if s := t.Text[t.Data[c].Start:t.Data[c].End]; skipSpace(s, 0) < len(s) {
				return 0, false
			}
		case html.KindElement:
			switch tag := t.Tag[c]; {
			case tag == html.TagBr && text:
				breaks++
			case tag == html.TagCode:
				codes++
				for d := c + 1; d < t.End[c]; d++ {
					switch {
					case t.Kind[d] == html.KindText:
						s := t.Text[t.Data[d].Start:t.Data[d].End]
						text = true
						newlines += bytes.Count(bytes.TrimSpace(s), []byte("\n"))
					case t.Kind[d] == html.KindElement && (t.Tag[d] == html.TagBr || IsBlockTag(t.Tag[d]) || f.codeClassOfNode(d) == codeLine):
						breaks++
					}
				}
				c = t.End[c] - 1
			case IsBlockTag(tag):
				return 0, false
			}
		}
	}
	switch {
	case codes == 1 && breaks+newlines > 0:
		return n, breaks == 0
	case codes > 1 && breaks > 0:
		return block, false
	}
	return 0, false
}

// Code returns what AppendHTML writes as pre, and the line numbers of code, which it leaves
// out, as ascending ranges of All.Text.
func (p *Page) Code() (areas, numbers []Span) {
	c := p.findCode()
	b := &p.Body().All
	var area, number html.Node // ends of the current area and of the current numbers
	for r := range b.Node {
		n := b.Node[r]
		switch a := c.area(n); {
		case n < number:
		case c.inNumbers(&p.Tree, n):
			number = p.Tree.End[n]
			if sp := (Span{b.TextStart[r], b.TextEnd[r]}); sp.Len() > 0 {
				numbers = append(numbers, sp)
			}
		case a != nil && n >= area:
			area = a.end
			areas = append(areas, Span{b.TextStart[r], b.TextEnd[r]})
		}
	}
	return areas, numbers
}
