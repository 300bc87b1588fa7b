package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// kinds are the elements that Markdown has a form for, in the order of the table.
var kinds = []string{"heading", "paragraph", "list item", "table", "table row", "code block", "code in a line", "bold", "italic", "quotation", "link", "image"}

// element is an element of a page or of a Markdown text.
type element struct {
	kind string
	// key identifies the element: the letters and digits of its text, or of the end of an
	// image's address.
	key  string
	gold bool // most of it is in the main content that the gold states
}

// elementsOf returns the elements of a page. gold is the main content; nil takes all
// elements for gold.
func elementsOf(p *page.Page, gold *page.Selection) []element {
	b := p.Body()
	c := collector{p: p, b: b, gold: gold}
	for r := page.Row(0); int(r) < b.Len(); r++ {
		if b.Flags[r]&(page.IsText|page.Hidden) == 0 {
			c.element(r)
		}
	}
	return c.all
}

type collector struct {
	p    *page.Page
	b    *page.Body
	gold *page.Selection
	all  []element
}

func (c *collector) element(r page.Row) {
	b := c.b
	switch tag := b.Tag[r]; tag {
	case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
		c.add("heading", r)
	case html.TagP:
		if !c.inline(r) {
			c.add("paragraph", r)
		}
	case html.TagLi:
		c.add("list item", r)
	case html.TagTable:
		if c.isData(r) {
			c.add("table", r)
			for row := r + 1; row < b.End[r]; row++ {
				if b.Tag[row] == html.TagTr {
					c.add("table row", row)
				}
			}
		}
	case html.TagPre:
		c.add("code block", r)
	case html.TagCode, html.TagKbd, html.TagSamp, html.TagTt:
		if !c.inside(r, html.TagPre) {
			c.add("code in a line", r)
		}
	case html.TagB, html.TagStrong:
		c.add("bold", r)
	case html.TagI, html.TagEm:
		c.add("italic", r)
	case html.TagBlockquote:
		c.add("quotation", r)
	case html.TagA:
		if b.Flags[r]&page.HasHref != 0 {
			c.add("link", r)
		}
	case html.TagImg:
		if key := c.image(r); key != "" {
			c.all = append(c.all, element{"image", key, c.touched(b.TextEnd[r])})
		}
	}
}

// isData reports whether a table is one of data: some row has two cells with text or
// more, and no table, list or heading lies in it.
func (c *collector) isData(table page.Row) bool {
	b := c.b
	most, cells := 0, 0
	for r := table + 1; r < b.End[table]; r++ {
		switch b.Tag[r] {
		case html.TagTable, html.TagUl, html.TagOl, html.TagH1, html.TagH2, html.TagH3, html.TagH4:
			return false
		case html.TagTr:
			cells = 0
		case html.TagTd, html.TagTh:
			if b.TextStart[r] < b.TextEnd[r] {
				cells++
				most = max(most, cells)
			}
		}
	}
	return most >= 2
}

func (c *collector) inside(r page.Row, tag html.Tag) bool {
	for r > 0 {
		if r = c.b.Parent[r]; c.b.Tag[r] == tag {
			return true
		}
	}
	return false
}

// inline reports whether r lies in an item, a cell or a heading, of which Markdown has one
// line.
func (c *collector) inline(r page.Row) bool {
	for r > 0 {
		r = c.b.Parent[r]
		switch c.b.Tag[r] {
		case html.TagLi, html.TagTd, html.TagTh, html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
			return true
		}
	}
	return false
}

func (c *collector) add(kind string, r page.Row) {
	text := c.b.Text[c.b.TextStart[r]:c.b.TextEnd[r]]
	if key := letters(string(text)); key != "" {
		c.all = append(c.all, element{kind, key, c.mostly(page.Span{Start: c.b.TextStart[r], End: c.b.TextEnd[r]})})
	}
}

// image returns the end of the address of an image, which is the same however the
// address is written.
func (c *collector) image(r page.Row) string {
	for _, a := range c.p.Attrs(c.b.Node[r]) {
		if string(c.p.AttrName(a)) == "src" {
			src, _, _ := bytes.Cut(c.p.AttrValue(a), []byte("?"))
			return letters(string(src[bytes.LastIndexByte(src, '/')+1:]))
		}
	}
	return ""
}

// mostly reports whether at least half of the characters of a range of the text are gold.
func (c *collector) mostly(s page.Span) bool {
	if c.gold == nil {
		return true
	}
	in := 0
	for _, g := range c.gold.Spans {
		if from, to := max(g.Start, s.Start), min(g.End, s.End); from < to {
			in += len(letters(string(c.b.Text[from:to])))
		}
	}
	return 2*in >= len(letters(string(c.b.Text[s.Start:s.End])))
}

// touched reports whether gold stands on both sides of a place in the text.
func (c *collector) touched(at int32) bool {
	if c.gold == nil {
		return true
	}
	before, after := false, false
	for _, g := range c.gold.Spans {
		before = before || g.Start < at && at <= g.End
		after = after || g.Start < at+2 && at+2 < g.End
	}
	return before && after
}

var commonMark = goldmark.New(goldmark.WithExtensions(extension.GFM))

// elementsOfMarkdown returns the elements of a Markdown text, as a reader of CommonMark
// with the tables of GitHub finds them.
func elementsOfMarkdown(text []byte) ([]element, error) {
	var out bytes.Buffer
	if err := commonMark.Convert(text, &out); err != nil {
		return nil, fmt.Errorf("read Markdown: %w", err)
	}
	var p page.Page
	p.Parse(out.Bytes(), page.Options{})
	return elementsOf(&p, nil), nil
}

// keep marks which elements of the page have a counterpart in an output: an element of
// the same kind with the same key, or one of which the shorter key is part of the longer
// and at least two thirds of it. Each element of the output is used once. besides counts
// those of which the key is no part of the letters of gold, the text of the main content,
// by kind.
func keep(source, output []element, gold string) (kept []bool, besides map[string]int) {
	kept = make([]bool, len(source))
	used := make([]bool, len(output))
	equal := map[element][]int{}
	for i, o := range output {
		k := element{kind: o.kind, key: o.key}
		equal[k] = append(equal[k], i)
	}
	for _, first := range []bool{true, false} { // gold elements first
		for i, s := range source {
			k := element{kind: s.kind, key: s.key}
			if list := equal[k]; s.gold == first && len(list) > 0 {
				kept[i], used[list[0]], equal[k] = true, true, list[1:]
			}
		}
		for i, s := range source {
			if kept[i] || s.gold != first {
				continue
			}
			for j, o := range output {
				if !used[j] && o.kind == s.kind && similar(o.key, s.key) {
					kept[i], used[j] = true, true
					break
				}
			}
		}
	}
	besides = map[string]int{}
	gold = letters(gold)
	for _, o := range output {
		if !strings.Contains(gold, o.key) {
			besides[o.kind]++
		}
	}
	return kept, besides
}

func similar(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return 3*len(a) >= 2*len(b) && strings.Contains(b, a)
}
