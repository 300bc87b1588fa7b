package testpages

import (
	"fmt"
	"strings"
)

// Odd holds small documents, each with something that is easily handled wrongly.
var Odd = []string{
	"", " ", "x", "\x00", "<", "<!", "</", "&", "&#", "&amp", "<p", "<p a", "<p a='",
	"<!doctype html><title>t</title>",
	"<html><head></head><frameset><frame></frameset></html>",
	"<body hidden>a", "<html hidden>a", "<body style='display:none'>a<p>b",
	"<p>a<p>b<div>c</p>d",
	"<b><i>x</b>y</i>z<p><b>q</p>r",
	"<table>a<tr>b<td>c</td>d</tr>e</table>f<table><caption>g<td>h",
	"<ul><li>a<li>b<ul><li>c</ul></ul>",
	"<a href=x>a<a>b<button>c</button></a>d</a>",
	"<div><a href=1>x</a> <a href=2>y</a></div><div><span><a>p</a></span></div>",
	"<select><option>a<option>b</select>c<select><script>d</script></select>e",
	"<svg><title>a</title><script>b</script><foreignObject><p>c</p></foreignObject></svg>d<svg/>e",
	"<math><mi>a</mi><annotation-xml encoding='text/html'><p>b</p></annotation-xml></math>c",
	"<iframe><p>a</p></iframe>b<noscript><p>c</p><img></noscript>d<template><p>e</p></template>f",
	"<noembed><p>a</noembed>b<noframes><p>c</noframes>d<xmp><b>e</xmp>f",
	"<object><p>a</p><embed></object>b<embed>c<datalist><option>d</datalist>e",
	"<script>a</script><style>b</style>c<script>d<!--<script>e</script>--></script>f",
	"a<!-- b -->c<!d>e<?f?>g</h>i",
	"<pre>\n a\n  b</pre><pre>c</pre> d <textarea>\n\ne  </textarea>  f",
	"<pre>a<br>  b<b>  c </b>\n d</pre>e", "a <pre> </pre> b<textarea> </textarea>c",
	"a<pre>\n\n</pre>b<textarea>\n\n\n</textarea>c", "x<br> <pre> y</pre>",
	"&lt;p&gt; &nbsp; &notit; &copy &#x26; &#65;b&bogus;c&amp;d\r\ne\rf",
	"\u3000a\u3000b\u00a0\u2003c\u0085d\x1ce", "日本 語コー ヒーkana か\u3099", "ภาษาไทย ลาว ខ្មែរ မြန်မာ",
	"a\u0301 \u0301b 日\u0301本", "\u00a0\u3000", "a \u00a0", " \u00a0 a",
	"<p>a\u00a0</p>\u00a0<p>\u00a0b", "<i>a</i>\u3000<i>b</i>",
	"<x-a><x-b>a</x-a>b<h7>c", strings.Repeat("<b id=x>", 40) + "a", strings.Repeat("<div>", 600) + "a",
	"<img src=x alt='a'>b<img>c<hr>d<br/>e<wbr>f<input value=g>",
	"<td>a<tr>b", "<dl><dt>a<dd>b</dl>", "<body><p>a</body></html>b<p>c",
	"<p hidden>a<b>b</b></p>c<b hidden>d</b>e <i style='visibility : HIDDEN'>f</i> g",
	"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "<a href='java\tscript:alert(1)' title='\"&<>'>x</a>",
	"<form><p>a<fieldset><legend>b</legend>c</fieldset></form>", "<details><summary>a</summary>b</details>",
	"<plaintext>a<b>c", "<textarea>a", "<title>a", "<!--", "<p>a</p ><p/>b",
}

// Made returns generated pages, by the kind of their content.
func Made() map[string][]byte {
	var news, links, script, cjk strings.Builder
	news.WriteString("<!doctype html><html lang=en><head><title>News</title></head><body><div class=page>\n")
	for i := range 200 {
		fmt.Fprintf(&news, "  <p class=\"par\" id=p%d>The <b>harvest</b> of year %d was good, said <a href=\"/who/%d\">the miller</a>,\n  %s</p>\n",
			i, i, i, strings.Repeat("and the grain was heavy; ", 10))
	}
	links.WriteString("<!doctype html><body><ul>")
	for i := range 3000 {
		fmt.Fprintf(&links, "<li class='item x'><a href=\"/list/%d\" title=\"entry\">Entry %d</a></li>\n", i, i)
	}
	script.WriteString("<!doctype html><body><p>little text</p><script>" + strings.Repeat("var a = b < c && d;\n", 10_000) + "</script>")
	cjk.WriteString("<!doctype html><meta charset=utf-8><body>")
	for range 500 {
		cjk.WriteString("<p>収穫の年は良い年だったと粉屋は言った。コーヒーを飲みながら。</p>")
	}
	return map[string][]byte{
		"news": []byte(news.String()), "links": []byte(links.String()),
		"script": []byte(script.String()), "cjk": []byte(cjk.String()),
	}
}
