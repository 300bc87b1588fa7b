package algotest

import (
	"fmt"
	"strings"
)

// Page is a document to try an extractor on.
type Page struct {
	Name string
	HTML string
}

// Pages returns small documents that an extractor must survive. Ordinary ones come
// first, then others of the kinds that crawls contain.
func Pages() []Page {
	article := "<html lang=en><head><title>Harvest</title><style>p{}</style></head><body>" +
		"<div id=nav><ul>" + strings.Repeat("<li><a href=/n>Section of the paper</a></li>\n", 9) + "</ul></div>\n" +
		"<div id=main><h1>Harvest</h1>\n" +
		strings.Repeat("<p>The threshing floor lies open to the wind, and the grain falls where it is heavy. <a href=/x>More</a> of it falls still.</p>\n", 6) +
		"<table><tr><td>wheat</td><td>12</td></tr><tr><td>barley</td><td>7</td></tr></table></div>\n" +
		"<div hidden><p>not shown at all</p></div>" +
		"<div id=foot><p>All rights reserved <a href=/imprint>Imprint</a></p></div><script>var a = '<p>no</p>'</script></body></html>"
	return []Page{
		{"article", article},
		{"empty", ""},
		{"blank", " \n\t "},
		{"no-body", "<html><head><title>x</title></head></html>"},
		{"frameset", "<frameset cols='1,2'><frame src=a><frame src=b></frameset>"},
		{"one-text", "<body>only words here</body>"},
		{"one-word", "word"},
		{"only-links", "<body>" + strings.Repeat("<a href=/a>link text</a> ", 50) + "</body>"},
		{"only-images", "<body>" + strings.Repeat("<div><img src=a.png></div>", 20) + "</body>"},
		{"only-hidden", "<body><p hidden>nothing to see</p><p style='display: none'>here</p></body>"},
		{"chinese", "<body><h1>收成</h1><p>" + strings.Repeat("谷物落在重的地方，糠秕随风而去。", 30) + "</p><p><a href=/>首页</a></p></body>"},
		{"thai", "<body><p>" + strings.Repeat("เมล็ดข้าวตกลงที่ลานนวด", 20) + "</p></body>"},
		{"entities", "<body><p>" + strings.Repeat("caf&eacute; &amp; na&iuml;ve &#x1F33E; &nbsp;", 20) + "</p></body>"},
		{"deep", strings.Repeat("<div>", 100_000) + "bottom of the well"},
		{"unclosed", strings.Repeat("<p><b><i><font>unclosed words ", 300)},
		{"misnested", "<p>a<b>b<i>c</b>d</i>e<table>f<tr>g<td>h</table>i" + strings.Repeat("<a href=#>x", 40)},
		{"long-text", "<body><p>" + strings.Repeat("grain and chaff ", 1<<16) + "</p></body>"},
		{"long-word", "<body><p>" + strings.Repeat("x", 1<<20) + "</p></body>"},
		{"many-blocks", "<body>" + strings.Repeat("<div><p>short block of text</p></div>", 5000) + "</body>"},
		{"foreign", "<body><svg><title>t</title><text>drawn</text></svg><math><mi>x</mi></math><p>after the drawing come words</p></body>"},
		{"forms", "<body><form><select><option>one<option>two</select><textarea>typed text</textarea><button>Go on</button></form><p>beside the form</p></body>"},
		{"nul", "<body><p>nul \x00 in the text</p><p\x00>and in a tag</p></body>"},
		{"unclosed-comment", "<body><p>before</p><!-- " + strings.Repeat("never closed ", 100)},
		{"unclosed-script", "<body><p>before</p><script>" + strings.Repeat("never closed ", 100)},
		{"generated", generated()},
	}
}

// generated returns a page whose blocks differ in length and links, so that density and
// clustering extractors can separate them.
func generated() string {
	var b strings.Builder
	b.WriteString("<html><body><div class=page>\n")
	seed := uint32(20260101)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	for i := range 60 {
		words := 2 + next(60)
		fmt.Fprintf(&b, "<div class=b%d>", i%7)
		if next(3) == 0 {
			b.WriteString("<h2>Heading of a block</h2>")
		}
		b.WriteString("<p>")
		for w := range words {
			if next(9) == 0 {
				fmt.Fprintf(&b, "<a href=/p%d>linked words</a> ", w)
			}
			b.WriteString([...]string{"grain ", "chaff ", "wind ", "sieve ", "harvest, ", "field. "}[next(6)])
		}
		b.WriteString("</p></div>\n")
		if next(4) == 0 {
			b.WriteString("<br><img src=p.png><br>")
		}
	}
	b.WriteString("</div></body></html>")
	return b.String()
}
