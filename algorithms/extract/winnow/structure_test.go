package winnow

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

// Code belongs to the text before it, however low its probability is; nothing else does.
func TestCodeFollowsItsText(t *testing.T) {
	var p page.Page
	p.Parse([]byte("<p>text</p><pre><div>one</div><div>two</div></pre><p>no</p><pre>three</pre><p>text</p><p>no</p>"), page.Options{})
	var s state
	if !s.blocks.Fill(&p, "") {
		t.Fatal("no blocks")
	}
	s.prediction.From, s.prediction.P = .5, []float32{.9, .1, .1, .1, .1, .9, .1}
	s.choose(&p.Body().All)
	if want := []bool{true, true, true, false, false, true, false}; !slices.Equal(s.in, want) {
		t.Errorf("%v, want %v", s.in, want)
	}
}
