package main

import (
	"bytes"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// newMarkdown returns a converter of HTML to Markdown. Tables of data become
// tables; those that old pages are laid out with become paragraphs, a cell each.
func newMarkdown() *converter.Converter {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)), // a comment is noise to all but a Markdown parser
		table.NewTablePlugin(table.WithHeaderPromotion(true), table.WithSkipEmptyRows(true)),
	))
	children := func(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
		_, _ = w.WriteString("\n\n")
		ctx.RenderChildNodes(ctx, w, n)
		_, _ = w.WriteString("\n\n")
		return converter.RenderSuccess
	}
	conv.Register.RendererFor("table", converter.TagTypeBlock, func(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
		if layout(n) {
			return children(ctx, w, n)
		}
		return converter.RenderTryNext
	}, converter.PriorityEarly)
	// Reached only in a table that does not become one.
	conv.Register.RendererFor("td", converter.TagTypeBlock, children, converter.PriorityStandard)
	conv.Register.RendererFor("th", converter.TagTypeBlock, children, converter.PriorityStandard)
	return conv
}

// markdownOf converts HTML.
func markdownOf(conv *converter.Converter, markup []byte) ([]byte, error) {
	return conv.ConvertReader(bytes.NewReader(markup))
}

// layout says whether a table has but one column, or a table in it. It stops
// at the first inner table, so that nested ones are not walked again and again.
func layout(n *html.Node) bool {
	columns, nested := 0, false
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && !nested; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table:
				nested = true
				return
			case atom.Tr:
				cells := 0
				for d := c.FirstChild; d != nil; d = d.NextSibling {
					if d.DataAtom == atom.Td || d.DataAtom == atom.Th {
						cells++
					}
				}
				columns = max(columns, cells)
			}
			walk(c)
		}
	}
	walk(n)
	return nested || columns < 2
}
