package main

import (
	"fmt"
	"html"
	"strings"
)

// markup says how a layout writes blocks.
type markup struct {
	open, close map[kind]string // around a block
	group       map[kind]string // around a run of items or rows: "<ul>"
	base        string          // of links
}

var (
	// semantic is markup as the standard intends it.
	semantic = markup{
		open:  map[kind]string{paragraph: "<p>", heading: "<h2>", item: "<li>", quote: "<blockquote><p>", row: "<tr><th>"},
		close: map[kind]string{paragraph: "</p>\n", heading: "</h2>\n", item: "</li>\n", quote: "</p></blockquote>\n", row: "</td></tr>\n"},
		group: map[kind]string{item: "ul", row: "table"},
	}
	// brs is the markup of editors that only had a return key.
	brs = markup{
		open:  map[kind]string{heading: "<b>", item: "&#8226; ", quote: "<i>"},
		close: map[kind]string{paragraph: "<br>\n<br>\n", heading: "</b><br>\n<br>\n", item: "<br>\n", quote: "</i><br>\n<br>\n"},
	}
	// fonts is the markup of the years around 2000: end tags left out, upper case.
	fonts = markup{
		open:  map[kind]string{paragraph: `<P><FONT FACE="Times" SIZE="3">`, heading: `<P><FONT FACE="Arial" SIZE="4"><B>`, item: `<LI><FONT FACE="Times">`, quote: `<BLOCKQUOTE><FONT FACE="Times"><I>`},
		close: map[kind]string{paragraph: "</FONT>\n", heading: "</B></FONT>\n", item: "</FONT>\n", quote: "</I></FONT></BLOCKQUOTE>\n"},
		group: map[kind]string{item: "UL"},
	}
	// encyclopedia is semantic markup with links, anchors and edit links.
	encyclopedia = markup{
		open:  map[kind]string{paragraph: "<p>", item: "<li>", quote: "<blockquote>"},
		close: map[kind]string{paragraph: "</p>\n", item: "</li>\n", quote: "</blockquote>\n"},
		group: map[kind]string{item: "ul"},
		base:  "/wiki/",
	}
	// divs is the markup of frameworks, in which every element is a div.
	divs = markup{
		open:  map[kind]string{paragraph: `<div class="c-9f2">`, heading: `<div class="c-9f2 h">`, item: `<div class="c-9f2 li"><span>`, quote: `<div class="c-9f2 q">`, row: `<div class="kv"><span class="k">`},
		close: map[kind]string{paragraph: "</div>\n", heading: "</div>\n", item: "</span></div>\n", quote: "</div>\n", row: "</span></div>\n"},
	}
)

// render writes blocks as HTML.
func (m *markup) render(blocks []block) string {
	var out strings.Builder
	group := ""
	for i, b := range blocks {
		if g := m.group[b.kind]; g != group {
			if group != "" {
				fmt.Fprintf(&out, "</%s>\n", group)
			}
			if g != "" {
				fmt.Fprintf(&out, "<%s>\n", g)
			}
			group = g
		}
		out.WriteString(m.block(b, i))
	}
	if group != "" {
		fmt.Fprintf(&out, "</%s>\n", group)
	}
	return out.String()
}

func (m *markup) block(b block, i int) string {
	text := inline(b.text, m.base)
	switch {
	case b.kind == row && m.group[row] != "":
		text += "</th><td>" + html.EscapeString(b.cell)
	case b.kind == row:
		text += `</span> <span class="v">` + html.EscapeString(b.cell)
	case b.kind == heading && m.base != "":
		anchor := strings.ReplaceAll(strip(b.text), " ", "_")
		return fmt.Sprintf("<h2><span class=\"mw-headline\" id=\"%s\">%s</span><span class=\"editsection\">[<a href=\"?action=edit&amp;section=%d\">edit</a>]</span></h2>\n", anchor, text, i)
	}
	return m.open[b.kind] + text + m.close[b.kind]
}
