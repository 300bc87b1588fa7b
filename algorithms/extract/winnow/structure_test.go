package winnow

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

// TestStructureFollowsText gives blocks probabilities and checks which of them are chosen
// from .5 on.
func TestStructureFollowsText(t *testing.T) {
	const cells = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
	for _, c := range []struct {
		rule, src string
		p         []float32
		want      []bool
	}{
		{"code follows the text before it", "<p>text</p><pre><div>one</div><div>two</div></pre><p>no</p><pre>three</pre><p>text</p><p>no</p>",
			[]float32{.9, .1, .1, .1, .1, .9, .1}, []bool{true, true, true, false, false, true, false}},
		{"a heading goes with its text, unless it is most unlikely", "<h1>a</h1><p>text</p><h2>b</h2><p>text</p><h2>c</h2><p>no</p><h2>d</h2>",
			[]float32{.2, .9, .1, .9, .4, .1, .4}, []bool{true, true, false, true, false, false, false}},
		{"half of the words must be chosen", "<h2>a</h2><p>text</p><p>no</p><h2>b</h2><p>text</p><p>no no</p>",
			[]float32{.2, .9, .1, .2, .9, .1}, []bool{true, true, false, false, true, false}},
		{"a heading without text follows the next one of a lower level", "<h1>a</h1><h2>b</h2><p>text</p><h2>c</h2><h1>d</h1><p>text</p>",
			[]float32{.2, .2, .9, .2, .2, .9}, []bool{true, true, true, false, true, true}},
		{"a table is chosen with half of its cells", cells, []float32{.9, .9, .1, .1}, []bool{true, true, true, true}},
		{"a quarter is not enough, and nothing is taken away", "<p>text</p>" + cells, []float32{.9, .9, .1, .1, .1}, []bool{true, true, false, false, false}},
		{"a table between chosen text is chosen", "<p>text</p>" + cells + "<p>text</p>", []float32{.9, .1, .1, .1, .1, .9}, []bool{true, true, true, true, true, true}},
		{"copies are not added", cells, []float32{.9, .9, 0, .1}, []bool{true, true, false, true}},
		{"a brace is code", "<p>text</p><pre><div>one</div><div>}</div></pre><p>no</p><pre>{</pre>",
			[]float32{.9, .1, .1, .1, .1}, []bool{true, true, true, false, false}},
		{"signs are chosen by their own probability", "<p>text</p><p>***</p><p>text</p><p>|</p>", []float32{.9, .6, .9, .1}, []bool{true, true, true, false}},
		{"a check mark is a cell", "<table><tr><td>✓<td>b<td>✓<tr><td>1<td>2<td>3<td>✓</table><p>✓</p>",
			[]float32{.1, .9, .1, .9, .9, .9, .1, .1}, []bool{true, true, true, true, true, true, true, false}},
		{"three cells lay out a page", "<table><tr><td>text<td>no<td>text</table>", []float32{.9, .1, .9}, []bool{true, false, true}},
	} {
		var p page.Page
		p.Parse([]byte(c.src), page.Options{})
		var s state
		if !s.blocks.Fill(&p, "") {
			t.Fatal("no blocks")
		}
		s.prediction.From, s.prediction.P = .5, c.p
		if s.choose(&p.Body().All); !slices.Equal(s.in, c.want) {
			t.Errorf("%s: %v, want %v", c.rule, s.in, c.want)
		}
	}
}
