package page_test

import (
	"fmt"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

const source = `<html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>`

// This is the table of the package comment.
func ExamplePage_Body() {
	var p page.Page
	p.Parse([]byte(source), page.Options{})
	b := p.Body()
	for r := range b.Len() {
		fmt.Printf("%d %s %q\n", r, p.TagName(b.Tag[r]), b.Text[b.TextStart[r]:b.TextEnd[r]])
	}
	fmt.Println(b.Sum(b.Chars, 0), "characters,", b.Sum(b.TextWords, 0), "words")
	// Output:
	// 0 body "Grain and chaff"
	// 1 p "Grain and chaff"
	// 2 #text "Grain"
	// 3 b "and"
	// 4 #text "and"
	// 5 #text "chaff"
	// 13 characters, 3 words
}

// Extractors that work on lines, characters or tokens read the token stream.
func ExamplePage_Tokens() {
	var p page.Page
	p.Parse([]byte(source), page.Options{})
	k := p.Tokens()
	for _, src := range k.Src {
		fmt.Printf("%q ", p.Source[src.Start:src.End])
	}
	// Output:
	// "<p id=x>" "Grain" "<b>" "and" "</b>" "chaff" "</p>" "<script>" "</script>"
}

// A selection is built from rows or words and rendered as text or markup.
func ExampleSelection() {
	var p page.Page
	p.Parse([]byte(`<div>Menu</div><div><h1>Title</h1><p>Grain <a href=c>and</a> chaff</p></div>`), page.Options{})
	b := p.Body()
	var s page.Selection
	for r, tag := range b.Tag {
		if tag == html.TagH1 || tag == html.TagP {
			s.AddRow(b, page.Row(r))
		}
	}
	fmt.Printf("%s\n", s.AppendText(nil, b))
	fmt.Printf("%s\n", p.AppendHTML(nil, &s))
	// Output:
	// Title
	// Grain and chaff
	// <h1>Title</h1><p>Grain <a href="c">and</a> chaff</p>
}
