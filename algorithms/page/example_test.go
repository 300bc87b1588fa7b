package page_test

import (
	"fmt"

	"github.com/winnow/winnow/algorithms/page"
)

const source = `<html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>`

// The two tables of the package comment.
func Example() {
	var p page.Page
	p.Parse([]byte(source), page.Options{})

	fmt.Println("tree")
	for n := range p.Tree.Len() {
		fmt.Println(n, p.TagName(p.Tree.Tag[n]), p.Tree.End[n])
	}
	b := p.Body()
	fmt.Println("body")
	for r := range b.Len() {
		fmt.Printf("%d %s %q\n", r, p.TagName(b.Tag[r]), b.Text[b.TextStart[r]:b.TextEnd[r]])
	}
	fmt.Println(b.Sum(b.C, 0), "characters,", b.Sum(b.W, 0), "words")
	// Output:
	// tree
	// 0  11
	// 1 html 11
	// 2 head 3
	// 3 body 11
	// 4 p 9
	// 5  6
	// 6 b 8
	// 7  8
	// 8  9
	// 9 script 11
	// 10  11
	// body
	// 0 body "Grain and chaff"
	// 1 p "Grain and chaff"
	// 2 #text "Grain"
	// 3 b "and"
	// 4 #text "and"
	// 5 #text "chaff"
	// 13 characters, 3 words
}

// Every node knows its place in the source, also where the standard's repairs
// put it elsewhere: the misnested b is two elements, of which only the first is
// written down, and the text in the table comes before it.
func ExamplePage_Parse() {
	var p page.Page
	p.Parse([]byte(`<b>1<p>2</b>3</p><table>4<tr><td>5</table>`), page.Options{})
	t := &p.Tree
	for n := page.Node(1); int(n) < t.Len(); n++ {
		open, end := t.Open[n], t.Close[n]
		switch t.Kind[n] {
		case page.KindElement:
			fmt.Printf("%d %s below %d: %q %q\n", n, p.TagName(t.Tag[n]), t.Parent[n],
				p.Source[open.Start:open.End], p.Source[end.Start:end.End])
		case page.KindText:
			fmt.Printf("%d %q below %d\n", n, p.Source[open.Start:open.End], t.Parent[n])
		}
	}
	// Output:
	// 1 html below 0: "" ""
	// 2 head below 1: "" ""
	// 3 body below 1: "" ""
	// 4 b below 3: "<b>" "</b>"
	// 5 "1" below 4
	// 6 p below 3: "<p>" "</p>"
	// 7 b below 6: "" ""
	// 8 "2" below 7
	// 9 "3" below 6
	// 10 "4" below 3
	// 11 table below 3: "<table>" "</table>"
	// 12 tbody below 11: "" ""
	// 13 tr below 12: "<tr>" ""
	// 14 td below 13: "<td>" ""
	// 15 "5" below 14
}

// The token stream has what line, character and token methods read.
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
		if tag == page.TagH1 || tag == page.TagP {
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
