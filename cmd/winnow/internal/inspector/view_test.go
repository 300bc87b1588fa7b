package inspector

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/report/figure"
)

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

// A line is cut where a span begins or ends, and the script finds the same pieces in
// units of UTF-16: 𝔊 has two of them and four bytes.
func TestPieces(t *testing.T) {
	v := &View{Lines: []line{{Text: "ab 𝔊 cd", start: 10}, {Text: "second", start: 21}}}
	gold := &choice{selection: page.Selection{Spans: []page.Span{{Start: 13, End: 17}, {Start: 18, End: 24}}}}
	chosen := &choice{selection: page.Selection{Spans: []page.Span{{Start: 10, End: 17}}}}
	g, c := v.inLines(gold), v.inLines(chosen)
	if want := []int{0, 3, 5, 0, 6, 8, 1, 0, 3}; !reflect.DeepEqual(v.flat(g), want) {
		t.Errorf("gold %v, want %v", v.flat(g), want)
	}
	if want := []int{0, 0, 5}; !reflect.DeepEqual(v.flat(c), want) {
		t.Errorf("chosen %v, want %v", v.flat(c), want)
	}
	if got, want := fmt.Sprint(pieces(v.Lines[0].Text, c[0], g[0])), "[{surplus ab } {both 𝔊} {  } {missed cd}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := fmt.Sprint(pieces(v.Lines[1].Text, c[1], g[1])), "[{missed sec} { ond}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Sixteen bytes: three of surplus, four of both and a blank, then missed.
	want := `<svg viewBox="0 0 600 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">` +
		`<rect class="surplus" x="0" width="112" height="10"/><rect class="both" x="112" width="188" height="10"/><rect class="missed" x="300" width="187" height="10"/></svg>`
	if got := string(v.strip(c, g)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The page has the curve of every method, that of the first one visible, each for wide
// windows and for phones.
func TestCurvesOfAPage(t *testing.T) {
	curve := figure.Curve{Title: "a curve", X: figure.Axis{Label: "token"}, Y: figure.Axis{Label: "density"}, Values: []float64{1, 3, 2}, Threshold: 2}.Draw()
	v := &View{ID: "1", Choices: []choice{{Name: "a", curves: []*figure.Figure{curve}}, {Name: "b", curves: []*figure.Figure{curve}}}}
	var b strings.Builder
	if err := v.HTML(&b, "b"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<figure data-curve="a" hidden>`, `<figure data-curve="b">`, `<svg class="fig broad"`, `<svg class="fig narrow"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
