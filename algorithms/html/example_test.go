package html_test

import (
	"fmt"

	"github.com/winnow/winnow/algorithms/html"
)

// This is the first table of the package comment.
func Example() {
	var d html.Document
	d.Parse([]byte(`<html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>`), html.Bounds{})
	for n, end := range d.Tree.End {
		fmt.Println(n, d.TagName(d.Tree.Tag[n]), end)
	}
	// Output:
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
}

// Every node has its position in the source, even if the standard's repairs moved
// it: the misnested b becomes two elements, only the first of which has tags in the
// source, and the text inside the table is moved before it.
func ExampleDocument_Parse() {
	var p html.Document
	p.Parse([]byte(`<b>1<p>2</b>3</p><table>4<tr><td>5</table>`), html.Bounds{})
	t := &p.Tree
	for n := html.Node(1); int(n) < t.Len(); n++ {
		open, end := t.Open[n], t.Close[n]
		switch t.Kind[n] {
		case html.KindElement:
			fmt.Printf("%d %s below %d: %q %q\n", n, p.TagName(t.Tag[n]), t.Parent[n],
				p.Source[open.Start:open.End], p.Source[end.Start:end.End])
		case html.KindText:
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
