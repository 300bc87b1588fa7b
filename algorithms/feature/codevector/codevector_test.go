package codevector

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func TestVectors(t *testing.T) {
	p := algotest.Pass(`<body><p>Grain and</p> <p>ch<a href="/x">aff</a> é&amp;</p><!-- no --></body>`)
	equal := func(name string, v *Vector, cells int, runs []Run, words []Word) {
		t.Helper()
		if v.Cells != cells || !slices.Equal(v.Runs, runs) || !slices.Equal(v.Words, words) {
			t.Errorf("%s: %d cells, runs %v, words %v; want %d, %v, %v", name, v.Cells, v.Runs, v.Words, cells, runs, words)
		}
	}
	// Text: "Grain and\nchaff é&"; é has two bytes.
	text := []page.Span{{Start: 0, End: 5}, {Start: 6, End: 9}, {Start: 10, End: 12}, {Start: 12, End: 15}, {Start: 16, End: 19}}
	// <p> 3, Grain 5, blank, and 3, </p> 4, <p> 3, ch 2, <a href="/x"> 13, aff 3, </a> 4, blank, é& 2, </p> 4
	equal("chars", Chars.Of(p), 48, []Run{{3, 12}, {19, 21}, {34, 37}, {41, 44}},
		[]Word{{3, 8, text[0]}, {9, 12, text[1]}, {19, 21, text[2]}, {34, 37, text[3]}, {42, 44, text[4]}})
	equal("no anchors", CharsNoAnchors.Of(p), 31, []Run{{3, 12}, {19, 27}},
		[]Word{{3, 8, text[0]}, {9, 12, text[1]}, {19, 21, text[2]}, {21, 24, text[3]}, {25, 27, text[4]}})
	// <p> Grain and </p> <p> ch <a> aff </a> é& </p>
	equal("tokens", Tokens.Of(p), 11, []Run{{1, 3}, {5, 6}, {7, 8}, {9, 10}},
		[]Word{{1, 2, text[0]}, {2, 3, text[1]}, {5, 6, text[2]}, {7, 8, text[3]}, {9, 10, text[4]}})
}

func TestEmpty(t *testing.T) {
	p := algotest.Pass("")
	if v := Chars.Of(p); v.Cells != 0 || len(v.Runs) != 0 || len(v.Words) != 0 {
		t.Errorf("%+v of nothing", v)
	}
}
