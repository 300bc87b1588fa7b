package web2text

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestNeed(t *testing.T) {
	for n, want := range map[int32]int32{0: 1, 1: 1, 2: 2, 3: 3, 9: 7, 10: 7} {
		if got := need(n); got != want {
			t.Errorf("a block of %d needs %d, want %d", n, got, want)
		}
	}
}

// The pooled example: 20 blocks of which 8 are gold and 7 extracted, 6 of both.
func TestExample(t *testing.T) {
	var html, gold strings.Builder
	var pieces []string
	for i := range 20 {
		text := fmt.Sprintf("block number%d of the page", i)
		fmt.Fprintf(&html, "<p>%s</p>", text)
		if i < 8 {
			fmt.Fprintf(&gold, "%s\n", text)
		}
		if 2 <= i && i < 9 {
			pieces = append(pieces, text)
		}
	}
	got := algotest.ScorePieces(t, Blocks, html.String(), gold.String(), pieces...)
	want := algorithms.Score{Common: 6, Extracted: 7, Gold: 8, Universe: 20, Precision: 0.857143, Recall: 0.75, F1: 0.8, Value: 0.85, Method: "full", Coverage: 1, Placed: true}
	for _, x := range []*float64{&got.Precision, &got.Recall, &got.F1} {
		*x = math.Round(*x*1e6) / 1e6
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLabels(t *testing.T) {
	f := func(html, gold string, common, extracted, goldBlocks int64, pieces ...string) {
		t.Helper()
		got := algotest.ScorePieces(t, Blocks, html, gold, pieces...)
		if got.Common != common || got.Extracted != extracted || got.Gold != goldBlocks {
			t.Errorf("got %+v, want %d %d %d", got, common, extracted, goldBlocks)
		}
	}
	f("<p>123456789", "", 0, 0, 0, "123456")
	f("<p>123456789", "", 0, 1, 0, "1234567")
	f("<p>1234567890", "", 0, 1, 0, "1234567")
	// A character beyond the Basic Multilingual Plane is two units.
	f("<p>𝒳𝒳ab", "", 0, 1, 0, "𝒳𝒳a")
	f("<p>𝒳𝒳ab", "", 0, 0, 0, "𝒳a")
	// Inline elements part a text into blocks.
	f("<p>grain falls <b>where it</b> is heavy", "grain falls where it is heavy", 2, 2, 3, "grain falls", "is heavy")
	// The program's skipped tags are no blocks.
	f("<p>wheat and barley</p><textarea>write here</textarea> <video>no video</video>", "wheat and barley\nwrite here", 1, 1, 1, "wheat and barley")
	// A gold as CleanEval writes it, in either case.
	f("<h1>Harvest of the year</h1><p>imprint", "<H>Harvest of the year", 1, 1, 1, "Harvest of the year")
	f("<h1>Harvest of the year</h1><ul><li>wheat and barley</ul><p>imprint", "URL: http://x/imprint\n<h>Harvest of the year\n__________\n<l> 1. wheat and barley", 2, 2, 2, "Harvest of the year", "wheat and barley")
}

func TestNothing(t *testing.T) {
	got := algotest.ScorePieces(t, Blocks, "<p>one block here", "")
	want := algorithms.Score{Universe: 1, Value: 1, PUndefined: true, RUndefined: true, Method: "full", Coverage: 1, Placed: true}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	var g algorithms.Gold
	var x algorithms.Trial
	x.Reset(&g, nil, nil, false)
	if got := Blocks.Score(&x); got.Reason != algorithms.ReasonNoSpans {
		t.Errorf("got %+v", got)
	}
}
