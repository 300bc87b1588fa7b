package inspector

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector/figure"
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
	curve := figure.Curve{Title: "a curve", X: "token", Y: "density", Values: []float64{1, 3, 2}, Threshold: 2}.Draw()
	v := &View{ID: "1", Choices: []choice{{Name: "a", curves: []*figure.Figure{curve}}, {Name: "b", curves: []*figure.Figure{curve}}}}
	var b strings.Builder
	if err := v.HTML(&b, Shown{Extractor: "b"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<figure data-curve="a" hidden>`, `<figure data-curve="b">`, `<svg class="fig broad"`, `<svg class="fig narrow"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// A block has the lines that it is in, which may be several, and none if a browser hides it.
func TestBlocks(t *testing.T) {
	v := &View{Lines: []line{{Text: "menu", start: 0}, {Text: "first", start: 12}, {Text: "second", start: 18}}}
	pieces := []algorithms.Decision{
		{Span: page.Span{Start: 0, End: 4}, Probability: .1},
		{Span: page.Span{Start: 5, End: 11}, Probability: .2}, // hidden
		{Span: page.Span{Start: 12, End: 24}, Probability: .9, Chosen: true},
	}
	want := []block{{Line: 0, End: 1, Probability: .1}, {Line: 1, End: 3, Probability: .9, Chosen: true}}
	if got := v.blocks(pieces); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The frame has the elements and the style of the page, with the text of lines marked, and
// nothing that runs, loads or leads elsewhere.
func TestFrame(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(`<html lang=de onload=x()><head><meta http-equiv=refresh content="0;url=x"><base href=//x><link rel=stylesheet href=//x>
		<style>p{color:red}</style></head><body class=c onclick=x() background=//x>
		<p style="margin:0">One <b>two</b> <a href="javascript:x()" id=a>three</a></p><pre>four
five</pre><form action=//x><input autofocus onfocus=x()><button formaction=//x>six</button></form><img src=//x onerror=x() alt=seven width=9>
		<x-y style="margin:0">eight</x-y><p hidden>nine<script>x()</script><iframe src=//x></iframe><svg onload=x()><a href=//x>y</a></svg></body></html>`), page.Options{})
	v := &View{}
	v.cut(pg.Body())
	f := v.newFrame(&driver.Result{Page: &pg})
	_, body, _ := strings.Cut(f.HTML, "</head>")
	want := `<body class="c"><p w-s="0"><w-t l="0" s="0" e="3">One</w-t><b> <w-t l="0" s="4" e="7">two</w-t></b><a id="a"> <w-t l="0" s="8" e="13">three</w-t></a></p>` +
		`<pre> <w-t l="1" s="0" e="4">four</w-t>` + "\n" + `<w-t l="2" s="0" e="4">five</w-t></pre>` +
		`<span><span></span><span> <w-t l="3" s="0" e="3">six</w-t></span></span><img alt="seven" width="9">`
	if !strings.HasPrefix(body, want) {
		t.Errorf("the frame is\n%s\nwant\n%s", body, want)
	}
	for _, part := range []string{"//x", "x()", "script", "<svg", "<iframe", "<form", "<input", "<meta http", "href", "onload"} {
		if strings.Contains(body, part) {
			t.Errorf("the frame has %s:\n%s", part, body)
		}
	}
	for _, part := range []string{"p{color:red}", `[w-s="0"][w-s] { margin:0 }`} {
		if !strings.Contains(f.Style, part) {
			t.Errorf("the style has no %s", part)
		}
	}
	if !strings.HasPrefix(f.HTML, `<!doctype html><html data-theme="light" lang="de"><head><meta charset="utf-8"><style>`+f.Style+`</style></head>`) {
		t.Errorf("%.200s", f.HTML)
	}
}

// A page that ends its style sheet cannot write elements into the frame.
func TestFrameStyleEnds(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(`<p style="}</style><script>x()</script>">text`), page.Options{})
	v := &View{}
	v.cut(pg.Body())
	if f := v.newFrame(&driver.Result{Page: &pg}); strings.Count(f.HTML, "</style") != 1 || strings.Index(f.HTML, "</style>") < strings.Index(f.HTML, `<script>`) {
		t.Errorf("%s", f.HTML[strings.LastIndex(f.HTML, "w-s"):])
	}
}
