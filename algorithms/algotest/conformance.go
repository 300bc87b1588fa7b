package algotest

import "strings"

// Conformance returns a page for which the answer of every page-level extractor is
// known word by word and, for some, number by number. It has a navigation list, a title
// with three paragraphs, a list at the side and a foot.
func Conformance() string {
	times := func(word string, n int) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }
	lines := []string{
		"<html><head><title>t</title></head>",
		"<body>",
		"<div>",
		"<div><ul>",
	}
	for range 8 {
		lines = append(lines, `<li><a href="/n">nav nav</a></li>`)
	}
	lines = append(lines,
		"</ul></div>",
		"<div><h1>title title title</h1>",
		"<p>"+times("one", 60)+"</p>",
		"<p>"+times("two", 20)+` <a href="/l">lnk lnk</a> `+times("two", 20)+"</p>",
		"<p>"+times("tri", 8)+"</p></div>",
		"<div><h3>side</h3><ul>",
	)
	for range 5 {
		lines = append(lines, `<li><a href="/s">side side side</a></li>`)
	}
	lines = append(lines,
		"</ul></div>",
		"<div><p>"+times("foot", 6)+` <a href="/f">foot</a></p></div>`,
		"</div>",
		"</body></html>",
		"")
	return strings.Join(lines, "\n")
}
