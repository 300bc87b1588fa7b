package process

import (
	"strings"

	"github.com/winnow/winnow/algorithms/page"
)

// textOf returns the text of an answer.
func textOf(a *Answer) string {
	switch {
	case a.Text != nil:
		return *a.Text
	case a.HTML != nil:
		return textOfHTML([]byte(*a.HTML))
	}
	return textOfMarkdown(*a.Markdown)
}

// textOfHTML returns the visible text of HTML as that of Winnow's own extractors is written: a
// line for each block.
func textOfHTML(src []byte) string {
	var p page.Page
	p.Parse(src, page.Options{})
	var all page.Selection
	if p.Body().Len() > 0 {
		all.AddRow(p.Body(), 0)
	}
	return string(all.AppendText(nil, p.Body()))
}

// textOfMarkdown returns the words of Markdown, line by line, without its marks and the
// addresses of links. It reads each line by itself, in time that grows with its length alone:
// parsers of Markdown take quadratic time for emphasis that never ends.
func textOfMarkdown(src string) string {
	var b strings.Builder
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.Trim(line, "|-:=*_ ") == "" {
			continue // fences, rules, underlines of headings and heads of tables
		}
		line = strings.TrimLeft(line, "#>+-* ")
		closed := true // perhaps a parenthesis is closed on the rest of the line
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\' && i+1 < len(line):
				i++
				b.WriteByte(line[i])
			case c == '|':
				b.WriteByte(' ')
			case c == ']' && closed && strings.HasPrefix(line[i:], "]("):
				end := strings.IndexByte(line[i:], ')')
				if closed = end >= 0; closed {
					i += end
				}
			case strings.IndexByte("*`[]", c) < 0:
				b.WriteByte(c)
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}
