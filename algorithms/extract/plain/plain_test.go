package plain

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
		"one-text": "only words here", "one-word": "word",
	})
}

func TestSelectsRowsThatHoldAllText(t *testing.T) {
	p := algotest.Pass("<body><p>one</p><p hidden>two</p><p>three</p></body>")
	if err := Extractor.Run(p); err != nil {
		t.Fatal(err)
	}
	if want := (page.Rows{Start: 0, End: page.Row(p.Body.Len())}); len(p.Out.Rows) != 1 || p.Out.Rows[0] != want {
		t.Errorf("rows %v, want %v", p.Out.Rows, want)
	}
	if got := string(p.Out.AppendText(nil, p.Body)); got != "one\nthree" {
		t.Errorf("text %q", got)
	}
}
