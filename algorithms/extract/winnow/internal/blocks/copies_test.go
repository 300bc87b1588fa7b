package blocks

import (
	"slices"
	"testing"
)

func TestCopies(t *testing.T) {
	const (
		one   = "<p>Nobody had told the miller that the brook would run dry in May.</p>"
		two   = "<p>The mill has stood still since then, and the miller works in the town.</p>"
		short = "<p>All mills of the valley</p>"
	)
	for _, c := range []struct {
		name, html string
		want       []int // for each block, the block that it is a copy of
	}{
		{"two versions of a text", "<main><div>" + one + two + "</div></main><aside><div>" + one + two + "</div></aside>", []int{-1, -1, 0, 1}},
		{"hidden and without scripts", "<main><div>" + one + "</div></main><div hidden><div>" + one + "</div></div><noscript>" + one + "</noscript>", []int{-1, 0, 0}},
		{"other markup, the same words", "<main><div>" + one + "</div></main><ul><li>nobody <b>had</b> told the miller, that the brook would run dry in May!</ul>", []int{-1, 0}},
		{"side by side", "<div>" + one + two + one + "</div>", []int{-1, -1, -1}},
		{"items of a list", "<ul><li>" + one + "</li><li>" + two + "</li><li>" + one + "</li></ul>", []int{-1, -1, -1}},
		{"short", "<main><div>" + short + "</div></main><aside><div>" + short + "</div></aside>", []int{-1, -1}},
	} {
		p := fill(t, c.html)
		var got []int
		for i := range p.Blocks {
			got = append(got, p.CopyOf(i))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: copies of %v, want %v", c.name, got, c.want)
		}
	}
}

// TestDropCopies repeats a text three times. The first copy stays unless another one is
// more than twice as likely.
func TestDropCopies(t *testing.T) {
	const text = "<div><div><p>Nobody had told the miller that the brook would run dry in May.</p></div></div>"
	p := fill(t, text+text+"<p>something else</p>"+text)
	for _, c := range []struct{ before, after []float32 }{
		{[]float32{.6, .9, .1, .8}, []float32{.6, 0, .1, 0}},
		{[]float32{.2, .9, .1, .8}, []float32{0, .9, .1, 0}},
		{[]float32{.1, .3, .1, .7}, []float32{0, 0, .1, .7}},
	} {
		got := slices.Clone(c.before)
		if p.DropCopies(got); !slices.Equal(got, c.after) {
			t.Errorf("%v becomes %v, want %v", c.before, got, c.after)
		}
	}
}
