package blocks

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func TestLost(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"closed", "<title>One</title><p>two", ""},
		{"closed, no text", "<title>One</title><p>", ""},
		{"not closed", "<html><head><title>One<body><p>two</p>", "One<body><p>two</p>"},
		{"nothing behind", "<title>One", ""},
		{"no title", "<body>", ""},
	} {
		var pg page.Page
		pg.Parse([]byte(c.html), page.Options{})
		if got := string(Lost(&pg)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
