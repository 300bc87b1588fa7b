package main

import (
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"Größe 大":         "Größe 大",
		"a\x1b[2Jb":       "a [2Jb",
		"a\u202eb\u009bc": "a b c",
	} {
		if got := printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCursor(t *testing.T) {
	c := cursor{spans: []page.Span{{Start: 2, End: 5}, {Start: 5, End: 6}, {Start: 8, End: 30}}}
	for _, l := range []struct {
		line page.Span
		want int
	}{
		{page.Span{Start: 0, End: 4}, 2},   // a span reaches into the next line
		{page.Span{Start: 4, End: 7}, 2},   // the rest of that span and a whole one
		{page.Span{Start: 8, End: 20}, 12}, // the span covers the line
		{page.Span{Start: 20, End: 40}, 10},
		{page.Span{Start: 40, End: 50}, 0},
	} {
		if got := c.in(l.line); got != l.want {
			t.Errorf("%v: %d bytes, want %d", l.line, got, l.want)
		}
	}
}
