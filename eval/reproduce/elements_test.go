package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/page"
)

// TestElements compares the elements of a page with those of a Markdown text.
func TestElements(t *testing.T) {
	const src = `<nav><a href="/">Home</a></nav><h1>Rye</h1><p>Rye is a <b>grain</b>, see <a href="/w">wheat</a>.</p>
<ul><li><p>first item<li>second item</ul><pre>code here</pre><table><tr><td>a cell<td>another<tr><td>third<td>fourth</table>
<table><tr><td>layout alone</table><footer><p>All rights reserved.</p></footer>`
	var p page.Page
	p.Parse([]byte(src), page.Options{})
	var gold page.Selection
	new(align.Aligner).Text(&gold, p.Body(), "Rye\nRye is a grain, see wheat.\nfirst item\nsecond item\ncode here\na cell another third fourth\nlayout alone")
	source := elementsOf(&p, &gold)
	var got []string
	for _, e := range source {
		got = append(got, fmt.Sprint(e.kind, ":", e.key, ":", e.gold))
	}
	want := []string{
		"link:home:false", "heading:rye:true", "paragraph:ryeisagrainseewheat:true", "bold:grain:true", "link:wheat:true",
		"list item:firstitem:true", "list item:seconditem:true", "code block:codehere:true",
		"table:acellanotherthirdfourth:true", "table row:acellanother:true", "table row:thirdfourth:true", "paragraph:allrightsreserved:false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("elements: %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
	}

	output, err := elementsOfMarkdown([]byte("[Home](/)\n\n## Rye\n\nRye is a **grain**, see wheat. Really.\n\n- first item\n- another\n\n| a cell | another |\n|---|---|\n"))
	if err != nil {
		t.Fatal(err)
	}
	kept, besides := keep(source, output, "Rye\nRye is a grain, see wheat.\nfirst item")
	var keeps []string
	for i, k := range kept {
		if k {
			keeps = append(keeps, source[i].kind)
		}
	}
	if got, want := strings.Join(keeps, ","), "link,heading,paragraph,bold,list item,table row"; got != want {
		t.Errorf("kept: %s, want %s", got, want)
	}
	if besides["link"] != 1 || besides["list item"] != 1 || besides["table row"] != 1 || besides["heading"] != 0 {
		t.Errorf("besides: %v", besides)
	}
}
