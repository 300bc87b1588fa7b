package ensemble

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func TestOracle(t *testing.T) {
	for _, c := range []struct {
		why, by string
		gold    []int
		votes   []string
		want    string
	}{
		{"the best member", "page", []int{1, 2}, []string{"x:0 1 2 3", "y:1 2 3", "z:1"}, "b c d"},
		{"the first of equals", "page", []int{0}, []string{"x:0 1", "y:0 2"}, "a b"},
		{"all gold words that were chosen", "word", []int{1, 2, 4}, []string{"x:0 1", "y:1 2 3"}, "b c"},
		{"an empty answer to an empty gold", "page", nil, []string{"x:0", "y:"}, ""},
		{"who abstains is not chosen", "page", []int{0}, []string{"-x:0", "y:0 1"}, "a b"},
		{"all are wrong: the first", "page", []int{4}, []string{"x:0", "y:1"}, "a"},
	} {
		pass, members := ballots("<p>a b c d e", c.votes...)
		pass.Gold = new(page.Selection)
		for _, k := range c.gold {
			pass.Gold.AddSpan(pass.Body, pass.Body.Words().Span[k])
		}
		if err := (Params{Members: members, By: c.by}).bound(pass); err != nil {
			t.Fatal(err)
		}
		if err := pass.Validate(); err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if got := string(pass.AppendText(nil)); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}
