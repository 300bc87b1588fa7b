package main

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The kinds of elements that are counted.
const (
	kindCode    = "code block"
	kindFormula = "formula"
	kindHeading = "heading"
	kindCell    = "table cell"
)

var kinds = []string{kindCode, kindFormula, kindHeading, kindCell}

// element is one that the gold has.
type element struct {
	kind string
	text string // as the page has it
	key  string // letters and digits of the text; of a formula its characters without white space
}

// keyOf returns the letters and digits of a text in lower case.
func keyOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// lineNumbers are classes of elements with the numbers of lines.
var lineNumbers = map[string]bool{
	"gutter": true, "linenos": true, "lineno": true, "linenodiv": true, "line-numbers": true, "line-number": true, "lnt": true, "ln": true,
	"rouge-gutter": true, "pre-numbering": true, "blob-num": true, "crayon-nums": true, "hljs-ln-numbers": true, "CodeMirror-linenumber": true,
}

// codeClasses are classes of highlighters that write no pre around their lines.
var codeClasses = map[string]bool{
	"syntaxhighlighter": true, "CodeMirror-code": true, "ace_text-layer": true, "view-lines": true, "crayon-pre": true, "js-file-line-container": true,
}

// elementsOf returns the elements of a page whose letters are in the gold.
func elementsOf(src []byte, gold string) (all []element, err error) {
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	goldKey := keyOf(gold)
	tokens := map[string]int{}
	for _, t := range strings.Fields(gold) {
		tokens[keyOf(t)]++
	}
	inGold := func(text string) bool {
		if strings.Contains(goldKey, keyOf(text)) {
			return true
		}
		n, found := 0, 0
		for _, t := range strings.Fields(text) {
			if k := keyOf(t); k != "" {
				n++
				if tokens[k] > 0 {
					found++
				}
			}
		}
		return n >= 10 && found*10 >= n*9
	}
	letters, ranges := lettersOf(root)
	// A heading or cell of a few letters is in many golds by chance, so the letters before
	// or after it on the page must be beside it in the gold, too.
	add := func(kind string, n *html.Node) {
		r := ranges[n]
		if r.from < r.to && (strings.Contains(goldKey, letters[max(0, r.from-beside):r.to]) || strings.Contains(goldKey, letters[r.from:min(len(letters), r.to+beside)])) {
			text := textOf(n)
			all = append(all, element{kind, text, keyOf(text)})
		}
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.DataAtom {
			case atom.Script:
				if kind := attr(n, "type"); strings.HasPrefix(kind, "math/tex") {
					all = addFormula(all, n, textOf(n), inGold)
				}
				return
			case atom.Style, atom.Template, atom.Noscript, atom.Textarea, atom.Select, atom.Svg:
				return
			case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
				add(kindHeading, n)
				return
			case atom.Td, atom.Th:
				if t := nearest(n, atom.Table); t != nil && isData(t) {
					add(kindCell, n)
					return
				}
			case atom.Math:
				tex := annotation(n)
				if tex == "" {
					tex = attr(n, "alttext")
				}
				if tex != "" {
					all = addFormula(all, n, tex, inGold)
				}
				return
			case atom.Img:
				for _, c := range strings.Fields(attr(n, "class")) {
					switch c {
					case "tex", "latex", "math", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display":
						if !nearMath(n) {
							all = addFormula(all, n, attr(n, "alt"), inGold)
						}
					}
				}
			}
			code := n.DataAtom == atom.Pre
			for _, c := range strings.Fields(attr(n, "class")) {
				code = code || codeClasses[c]
			}
			if code {
				text := textOf(n)
				if k := keyOf(text); len(k) >= 8 && !digits(text) && inGold(text) {
					all = append(all, element{kindCode, text, k})
				}
				return
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return all, nil
}

// beside is the number of letters, in bytes, before or after a heading or cell that must be
// beside it in the gold.
const beside = 16

// notText are elements whose content is not text of the page.
var notText = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Textarea: true, atom.Select: true, atom.Svg: true, atom.Button: true, atom.Head: true,
}

// extent is a range of letters.
type extent struct{ from, to int }

// lettersOf returns the letters and digits of a page in its order, and where those of each
// element are.
func lettersOf(root *html.Node) (letters string, ranges map[*html.Node]extent) {
	var b strings.Builder
	ranges = map[*html.Node]extent{}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		from := b.Len()
		if n.Type == html.TextNode {
			b.WriteString(keyOf(n.Data))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if !notText[c.DataAtom] {
				walk(c)
			}
		}
		ranges[n] = extent{from, b.Len()}
	}
	walk(root)
	return b.String(), ranges
}

// addFormula adds a formula if the text around it is in the gold, because the gold itself
// has no formulas.
func addFormula(all []element, n *html.Node, tex string, inGold func(string) bool) []element {
	key := strings.Join(strings.Fields(strings.Trim(tex, "$")), "")
	for p := n.Parent; p != nil && key != ""; p = p.Parent {
		before := textOf(p)
		if len(keyOf(before)) >= 20 {
			if words := strings.Fields(before); inGold(strings.Join(words[:min(len(words), 4)], " ")) {
				return append(all, element{kindFormula, tex, key})
			}
			break
		}
	}
	return all
}

func nearMath(n *html.Node) bool {
	for range 3 {
		if n = n.Parent; n == nil {
			return false
		}
		if strings.Contains(attr(n, "class"), "mwe-math-element") {
			return true
		}
	}
	return false
}

func annotation(n *html.Node) string {
	if n.Type == html.ElementNode && n.Data == "annotation" && strings.Contains(strings.ToLower(attr(n, "encoding")), "tex") {
		return textOf(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if s := annotation(c); s != "" {
			return s
		}
	}
	return ""
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func nearest(n *html.Node, tag atom.Atom) *html.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.DataAtom == tag {
			return n
		}
	}
	return nil
}

// isData reports whether a table is one of data: two cells side by side, and no table, list,
// heading or code in it.
func isData(table *html.Node) bool {
	wide, block := false, false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table, atom.Ul, atom.Ol, atom.Pre, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote:
				block = true
			case atom.Td, atom.Th:
				for s := c.NextSibling; s != nil; s = s.NextSibling {
					wide = wide || s.DataAtom == atom.Td || s.DataAtom == atom.Th
				}
			}
			walk(c)
		}
	}
	walk(table)
	return wide && !block
}

// textOf returns the text below a node, with a newline at br and between blocks, without
// the numbers of lines of code.
func textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			b.WriteString(n.Data)
		case html.ElementNode:
			switch n.DataAtom {
			case atom.Br, atom.Div, atom.P, atom.Li, atom.Tr:
				b.WriteByte('\n')
			case atom.Button, atom.Style:
				return
			}
			for _, c := range strings.Fields(attr(n, "class")) {
				if lineNumbers[c] && digits(inner(n)) {
					return
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	if n.DataAtom == atom.Script {
		return inner(n)
	}
	walk(n)
	return b.String()
}

func inner(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	s := ""
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s += inner(c)
	}
	return s
}

func digits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsSpace(r) }) < 0
}

// output is what a reader of Markdown finds in an answer.
type output struct {
	keys   map[string]map[string]bool // of headings and cells, by kind
	fences []string                   // keys
	all    string                     // key of everything
	raw    string                     // everything without white space
}

func readMarkdown(text []byte) *output {
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Convert(text, &page); err != nil {
		panic(err) // a buffer does not fail
	}
	root, err := html.Parse(&page)
	if err != nil {
		panic(err)
	}
	o := &output{keys: map[string]map[string]bool{kindHeading: {}, kindCell: {}}, all: keyOf(inner(root)), raw: strings.Join(strings.Fields(string(text)), "")}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			o.keys[kindHeading][keyOf(inner(n))] = true
		case atom.Td, atom.Th:
			o.keys[kindCell][keyOf(inner(n))] = true
		case atom.Pre:
			o.fences = append(o.fences, keyOf(inner(n)))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return o
}

// has reports whether an element is in the output as what it is, and whether its letters
// are in it in any form. A fence may have a tenth more or less than the code, as where a
// caption stands in it.
func (o *output) has(e *element) (kept, anywhere bool) {
	switch e.kind {
	case kindFormula:
		kept = strings.Contains(o.raw, e.key)
		return kept, kept
	case kindCode:
		for _, f := range o.fences {
			a, b := f, e.key
			if len(a) > len(b) {
				a, b = b, a
			}
			kept = kept || strings.Contains(b, a) && len(a)*10 >= len(b)*9
		}
	default:
		kept = o.keys[e.kind][e.key]
	}
	return kept, kept || strings.Contains(o.all, e.key)
}
