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
		want       []int32 // for each block, the block that it is a copy of
	}{
		{"two versions of a text", "<main><div>" + one + two + "</div></main><aside><div>" + one + two + "</div></aside>", []int32{-1, -1, 0, 1}},
		{"hidden and without scripts", "<main><div>" + one + "</div></main><div hidden><div>" + one + "</div></div><noscript>" + one + "</noscript>", []int32{-1, 0, 0}},
		{"other markup, the same words", "<main><div>" + one + "</div></main><ul><li>nobody <b>had</b> told the miller, that the brook would run dry in May!</ul>", []int32{-1, 0}},
		{"side by side", "<div>" + one + two + one + "</div>", []int32{-1, -1, -1}},
		{"alike", "<section><div>" + one + "</div></section><section><div>" + one + "</div></section>", []int32{-1, -1}},
		{"a quotation", "<main><div>" + one + "</div></main><blockquote>" + one + "</blockquote>", []int32{-1, -1}},
		{"items of a list", "<ul><li>" + one + "</li><li>" + two + "</li><li>" + one + "</li></ul>", []int32{-1, -1, -1}},
		{"short, after a copy", "<main><div>" + one + short + "</div></main><aside><div>" + one + short + "</div></aside>", []int32{-1, -1, 0, 1}},
		{"short, before a copy", "<main><div>" + short + one + "</div></main><aside><div>" + short + one + "</div></aside>", []int32{-1, -1, 0, 1}},
		{"short, beside a copy of other text", "<main><div>" + short + one + "</div></main><aside><div>" + one + short + "</div></aside>", []int32{-1, -1, 1, -1}},
		{"short", "<main><div>" + short + "</div></main><aside><div>" + short + "</div></aside>", []int32{-1, -1}},
	} {
		p := fill(t, c.html)
		if p.findCopies(); !slices.Equal(p.copyOf, c.want) {
			t.Errorf("%s: copies of %v, want %v", c.name, p.copyOf, c.want)
		}
	}
}

// TestDropCopies repeats a text three times. The first copy stays unless another one is
// more than twice as likely.
func TestDropCopies(t *testing.T) {
	const text = "<div><p>Nobody had told the miller that the brook would run dry in May.</p></div>"
	p := fill(t, "<main>"+text+"</main><aside>"+text+"</aside><p>something else</p><footer>"+text+"</footer>")
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
