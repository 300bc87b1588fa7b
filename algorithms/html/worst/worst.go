// Package worst makes documents that cost a parser or an extractor much more time or
// memory than others of their size. Tests and benchmarks of parsing and of all
// extractors check their bounds with every kind.
//
// This package is internal to Winnow and may change in any release.
package worst

import (
	"fmt"
	"strings"
)

// Page is a kind of document.
type Page struct {
	Name string
	Make func(n int) string // about n bytes of it
}

// Pages are all kinds.
var Pages = []Page{
	{"deep div", func(n int) string { return strings.Repeat("<div>", n/5) }},
	{"deep div closed", func(n int) string { return strings.Repeat("<div>", n/11) + strings.Repeat("</div>", n/11) }},
	{"deep unknown", func(n int) string { return strings.Repeat("<x>", n/3) }},
	{"new names", func(n int) string { return numbered(n, "<x%d>") }},
	{"deep table", func(n int) string { return strings.Repeat("<table><td>", n/11) }},
	{"deep b", func(n int) string { return strings.Repeat("<b>", n/3) }},
	{"fonts", func(n int) string { return numbered(n, "<font c=%d>") }},
	{"fonts and p", func(n int) string { return numbered(n/2, "<font c=%d>") + strings.Repeat("<p>", n/6) }},
	{"few fonts and p", func(n int) string { return numbered(2000, "<font c=%d>") + strings.Repeat("<p>x", n/4) }},
	{"fonts in p", func(n int) string { return "<p>" + numbered(2000, "<font c=%d>") + strings.Repeat("<p>x", n/4) }},
	{"b and closed p", func(n int) string { return strings.Repeat("<p><b></p>", n/10) }},
	{"b over p", func(n int) string { return strings.Repeat("<b><p></b>", n/10) }},
	{"b over p, text", func(n int) string { return strings.Repeat("<b>a<p>b</b>c", n/13) }},
	{"deep, b over p", func(n int) string {
		return numbered(4000, "<font c=%d>") + strings.Repeat("<b><p></b></p>", n/14)
	}},
	{"i over many blocks", func(n int) string { return "<i>" + strings.Repeat("<div>", 400) + strings.Repeat("</i><i>", n/7) }},
	{"a soup", func(n int) string { return strings.Repeat("<a>", n/3) }},
	{"a and div soup", func(n int) string { return strings.Repeat("<a><div>", n/8) }},
	{"a in table", func(n int) string { return "<table>" + strings.Repeat("<a>", n/3) }},
	{"a in tables", func(n int) string { return strings.Repeat("<table><a>", n/10) }},
	{"nobr soup", func(n int) string { return strings.Repeat("<nobr>", n/6) }},
	{"form soup", func(n int) string { return strings.Repeat("<form><div></form>", n/18) }},
	{"end p", func(n int) string { return strings.Repeat("</p>", n/4) }},
	{"deep, end p", func(n int) string { return strings.Repeat("<div>", 480) + strings.Repeat("</p>", n/4) }},
	{"p out of scope", func(n int) string {
		return "<p><button>" + strings.Repeat("<div>", 480) + strings.Repeat("</p>", n/4)
	}},
	{"deep, end unknown", func(n int) string { return "<x><div>" + strings.Repeat("<y>", 480) + strings.Repeat("</x>", n/4) }},
	{"deep, end b", func(n int) string { return numbered(4000, "<font c=%d>") + strings.Repeat("</b>", n/4) }},
	{"deep svg", func(n int) string { return "<svg>" + strings.Repeat("<g>", n/3) }},
	{"deep svg, ends", func(n int) string { return "<svg>" + strings.Repeat("<g>", 480) + strings.Repeat("</x>", n/4) }},
	{"svg in and out", func(n int) string { return strings.Repeat("<svg><p>", n/8) }},
	{"li soup", func(n int) string { return strings.Repeat("<ul><li>", n/8) }},
	{"deep, li", func(n int) string { return "<li>" + strings.Repeat("<b>", 400) + strings.Repeat("<li>", n/4) }},
	{"select soup", func(n int) string { return strings.Repeat("<select><option>", n/16) }},
	{"button soup", func(n int) string { return strings.Repeat("<button>", n/8) }},
	{"ruby soup", func(n int) string { return strings.Repeat("<ruby><rt>", n/10) }},
	{"object soup", func(n int) string { return strings.Repeat("<object>", n/8) }},
	{"leaked markers", func(n int) string { return "<table>" + strings.Repeat("<td><object></td>", n/17) }},
	{"leaked markers, b", func(n int) string { return "<b><table>" + strings.Repeat("<td><object></td></b>", n/21) }},
	{"template soup", func(n int) string { return strings.Repeat("<template>", n/10) }},
	{"templates", func(n int) string { return strings.Repeat("<template></template>", n/21) }},
	{"foster text", func(n int) string { return "<table>" + strings.Repeat("a<tr>b", n/6) }},
	{"foster text, two tables", func(n int) string {
		return "<table>" + strings.Repeat("a<td>b<table>c<td>d</table></table><table>", n/42)
	}},
	{"foster elements", func(n int) string { return "<table>" + strings.Repeat("<b>a</b><tr>", n/12) }},
	{"foster and end tags", func(n int) string { return "<table>" + strings.Repeat("a</x>", n/5) }},
	{"blank table text", func(n int) string { return "<table>" + strings.Repeat(" </>", n/4) }},
	{"head and after", func(n int) string { return "<head></head>" + strings.Repeat(" <link>", n/7) }},
	{"body again", func(n int) string { return strings.Repeat("</body><!---->", n/14) }},
	{"text after body", func(n int) string { return strings.Repeat("</body><!---->a", n/15) }},
	{"html attributes", func(n int) string { return numbered(n, "<html a%d>") }},
	{"same html attributes", func(n int) string { return numbered(2000, "<html a%d>") + strings.Repeat("<html a1>", n/9) }},
	{"body attributes", func(n int) string { return "<body>" + numbered(n, "<body a%d=&amp;>") }},
	{"attributes", func(n int) string { return "<p" + numbered(n, " a%d=1") + ">" }},
	{"same attribute", func(n int) string { return "<p" + strings.Repeat(" a=1", n/4) + ">" }},
	{"many attributes", func(n int) string { return strings.Repeat("<p"+numbered(6000, " a%d")+">", 1+n/6000) }},
	{"b of many attributes", func(n int) string { return strings.Repeat("<b"+numbered(6000, " a%d")+">", 1+n/6000) }},
	{"unclosed attribute", func(n int) string { return strings.Repeat("<p a='", n/6) }},
	{"unclosed tag", func(n int) string { return "<p" + strings.Repeat(" a", n/2) }},
	{"less", func(n int) string { return strings.Repeat("<", n) }},
	{"less slash", func(n int) string { return strings.Repeat("</", n/2) }},
	{"one text", func(n int) string { return strings.Repeat("text ", n/5) }},
	{"one blank text", func(n int) string { return strings.Repeat(" ", n) }},
	{"nul", func(n int) string { return strings.Repeat("\x00", n) }},
	{"cr", func(n int) string { return strings.Repeat("\r", n) }},
	{"ampersands", func(n int) string { return strings.Repeat("&", n) }},
	{"entities", func(n int) string { return strings.Repeat("&amp;", n/5) }},
	{"long entities", func(n int) string { return strings.Repeat("&CounterClockwiseContourIntegral;", n/33) }},
	{"no entity", func(n int) string { return "&" + strings.Repeat("a", n) }},
	{"no entities", func(n int) string { return strings.Repeat("&"+strings.Repeat("a", 40), n/41) }},
	{"long number", func(n int) string { return "&#" + strings.Repeat("1", n) }},
	{"blank entities", func(n int) string { return strings.Repeat("&#32;", n/5) }},
	{"unclosed comment", func(n int) string { return "<!--" + strings.Repeat("-", n) }},
	{"unclosed comments", func(n int) string { return strings.Repeat("<!-- ", n/5) }},
	{"comments with bang", func(n int) string { return strings.Repeat("<!--a--!>", n/9) }},
	{"comments with bang, arrow", func(n int) string { return strings.Repeat("<!--a--!>", n/9) + "-->" }},
	{"bogus comments", func(n int) string { return strings.Repeat("<!a", n/3) }},
	{"unclosed script", func(n int) string { return "<script>" + strings.Repeat("<!--<script>", n/12) }},
	{"script escapes", func(n int) string { return strings.Repeat("<script><!--</script>", n/21) }},
	{"script ends", func(n int) string { return "<script>" + strings.Repeat("</scrip", n/7) }},
	{"title ends", func(n int) string { return "<title>" + strings.Repeat("</titl", n/6) }},
	{"textareas", func(n int) string { return strings.Repeat("<textarea></textarea>", n/21) }},
	{"plaintext", func(n int) string { return "<plaintext>" + strings.Repeat("</p>", n/4) }},
	{"cdata", func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n/9) }},
	{"cdatas", func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[]]>", n/12) }},
	{"doctypes", func(n int) string { return strings.Repeat("<!doctype a", n/11) }},
	{"frameset", func(n int) string { return strings.Repeat("<frameset>", n/10) }},
	{"frameset for body", func(n int) string { return strings.Repeat("<p>", n/3) + "<frameset>" }},
	{"long name", func(n int) string { return "<" + strings.Repeat("a", n) + ">" }},
	{"long names", func(n int) string { return strings.Repeat("<"+strings.Repeat("a", 1000)+">", n/1002) }},
	{"formatting and p", func(n int) string { return strings.Repeat("<b><i><u><p>x y</b>", n/19) }},
	{"words", func(n int) string { return "<p>" + strings.Repeat("a ", n/2) }},
	{"different words", func(n int) string { return "<p>" + numbered(n, "%x ") }},
	{"paragraphs", func(n int) string { return strings.Repeat("<p>a", n/4) }},
	{"short lines", func(n int) string { return strings.Repeat("<br>a\n", n/6) }},
	{"links", func(n int) string { return strings.Repeat("<a href=/>a</a> ", n/16) }},
	{"list of links", func(n int) string { return "<ul>" + strings.Repeat("<li><a href=/x>link</a>\n", n/25) + "</ul>" }},
	{"fragments", func(n int) string { return strings.Repeat("<b>a</b>\n<i>b</i>", n/17) }},
	{"table cells", func(n int) string { return "<table>" + strings.Repeat("<tr><td>a<td>b", n/14) }},
	{"empty elements", func(n int) string { return strings.Repeat("<br>", n/4) }},
	{"short unknown", func(n int) string { return strings.Repeat("<x></x>", n/7) }},
	{"classes", func(n int) string { return numbered(n, "<p class=c%d id=i>a") }},
}

// numbered repeats a format with growing numbers up to about n bytes.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
