package cetd

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

// TestLayout works out boxes; rows are counted in document order.
func TestLayout(t *testing.T) {
	f := func(html string, want map[int]box) {
		t.Helper()
		p := algotest.Pass("<body>" + html + "</body>")
		boxes := make([]box, p.Body.Len())
		for i := range boxes {
			boxes[i] = box{9, 9, 9} // left by the page before
		}
		DefaultImportance.layout(boxes, p.Page, p.Body)
		for row, w := range want {
			got := boxes[row]
			if math.Abs(got.x-w.x)+math.Abs(got.w-w.w)+math.Abs(got.prior-w.prior) > 1e-9 {
				t.Errorf("%s: row %d is %+v, want %+v", html, row, got, w)
			}
		}
	}
	f("<div>a</div>", map[int]box{0: {0, 1, 1}, 1: {0, 1, 1}})
	f("<div width=50%>a</div>", map[int]box{1: {0.25, 0.5, 1}})
	f("<div align=left width=500>a</div>", map[int]box{1: {0, 0.5, 1}})
	f(`<div style="Width: 500px; FLOAT:right">a<p width=50%>b</p></div>`, map[int]box{1: {0.5, 0.5, 1}, 3: {0.625, 0.25, 1}})
	f("<div width=2000>a</div>", map[int]box{1: {0, 1, 1}})
	f(`<div style="width:20em">a</div>`, map[int]box{1: {0, 1, 1}})
	f(`<div style="width:80%" width=50%>a</div>`, map[int]box{1: {0.25, 0.5, 1}})

	// An attribute wins over the style, in whatever order they are written.
	f(`<div width=50% align=right style="float:left">a</div>`, map[int]box{1: {0.5, 0.5, 1}})
	f(`<div width=50% style="float:left" align=right>a</div>`, map[int]box{1: {0.5, 0.5, 1}})

	// body div table tbody tr td …: the rest of the row is shared.
	f("<table><tr><td width=200>a<td>b<td>c</table>", map[int]box{4: {0, 0.2, 1}, 6: {0.2, 0.4, 1}, 8: {0.6, 0.4, 1}})
	// 90 % and twice at least 5 % of the row: nothing to scale.
	f("<table><tr><td width=90%>a<td>b<td>c</table>", map[int]box{4: {0, 0.9, 1}, 6: {0.9, 0.05, 1}, 8: {0.95, 0.05, 1}})
	// 600 + 600 are scaled to the row.
	f("<table width=50%><tr><td width=600>a<td width=600>b</table>", map[int]box{1: {0.25, 0.5, 1}, 4: {0.25, 0.25, 1}, 6: {0.5, 0.25, 1}})
	f("<table><tr><td width=0>a</table>", map[int]box{4: {0, 0, 1}})
	// A row of width 0 has nothing to share: cells without a width have 0 like
	// the others, and are where the row is.
	f("<table width=0><tr><td>a<td width=10%>b<td>c</table>",
		map[int]box{1: {0.5, 0, 1}, 4: {0.5, 0, 1}, 6: {0.5, 0, 1}, 8: {0.5, 0, 1}})

	f("<nav>a<small>b</small></nav>", map[int]box{1: {0, 1, 0.5}, 3: {0, 1, 0.4}})
	f(`<p style="font-size:8pt">a</p><p style="font-size:9pt">a</p><p style="font-size:11.9px">a</p>`,
		map[int]box{1: {0, 1, 0.8}, 3: {0, 1, 1}, 5: {0, 1, 0.8}})
	f(`<p style="font-size:0pt">a</p>`, map[int]box{1: {0, 1, 0.8}})
	f(`<aside style="position: absolute">a</aside>`, map[int]box{1: {0, 1, 0.25}})
	f(`<div style="height:1px">a<p>b</p></div><div height=1>c</div>`, map[int]box{1: {0, 1, 0}, 3: {0, 1, 0}, 5: {0, 1, 1}})
}

func TestImportance(t *testing.T) {
	f := func(b box, place, want float64) {
		t.Helper()
		if got := DefaultImportance.weightOf(b, place); math.Abs(got-want) > 1e-12 {
			t.Errorf("%+v at %v: %v, want %v", b, place, got, want)
		}
	}
	f(box{0, 1, 1}, 0.5, 1)
	f(box{0, 0.2, 1}, 0.5, 0.2*0.6)
	f(box{0.8, 0.2, 0.5}, 0.5, 0.5*0.2*0.6)
	f(box{0, 1, 1}, 0.049, 0.75)
	f(box{0, 1, 1}, 0.05, 1)
	f(box{0, 1, 1}, 0.9, 0.75)
}

func TestNumber(t *testing.T) {
	f := func(s string, want float64, unit string, ok bool) {
		t.Helper()
		v, u, got := number([]byte(s))
		if got != ok || math.Abs(v-want) > 1e-9 || string(u) != unit {
			t.Errorf("%q: %v %q %v, want %v %q %v", s, v, u, got, want, unit, ok)
		}
	}
	f("50%", 50, "%", true)
	f(" 12.75 px ", 12.75, "px", true)
	f(".5em", 0.5, "em", true)
	f("auto", 0, "", false)
	f("-3px", 0, "", false)
	f("", 0, "", false)
	f("1234567890", 123456789, "0", true) // no width
}

// TestImportanceSettings varies every number of the estimate on a page that
// depends on it.
func TestImportanceSettings(t *testing.T) {
	f := func(html string, change func(*Importance), row int, want float64) {
		t.Helper()
		p := algotest.Pass("<body>" + html + "</body>")
		vi := DefaultImportance
		var s scratch
		s.weigh(&vi, p.Page, p.Body)
		before := s.hybrid[row]
		change(&vi)
		s.weigh(&vi, p.Page, p.Body)
		if got := s.hybrid[row]; math.Abs(got-want) > 1e-9 || got == before {
			t.Errorf("%s: HC of row %d is %v, want %v; by default %v", html, row, got, want, before)
		}
	}
	// One text is in the middle of its page: HC is characters times VI.
	f("<p width=500>abcd</p>", func(p *Importance) { p.PageWidth = 2000 }, 2, 4*0.25)
	f("<table><tr><td width=100%>abcd<td>abcd<td>abcd</table>", func(p *Importance) { p.LeastCell = 0.5 }, 5, 4*0.5*0.75)
	f(`<p style="font-size:10px">abcd</p>`, func(p *Importance) { p.SmallType = 10 }, 2, 4)
	f(`<p style="height:5px">abcd</p>`, func(p *Importance) { p.Flat = 5 }, 2, 0)
	f("<nav>abcd</nav>", func(p *Importance) { p.Aside = 0.1 }, 2, 0.4)
	f("<small>abcd</small>", func(p *Importance) { p.Small = 0.1 }, 2, 0.4)
	f(`<p style="position:fixed">abcd</p>`, func(p *Importance) { p.Overlaid = 0.1 }, 2, 0.4)
	f("<p>abcd</p>", func(p *Importance) { p.Top = 0.6 }, 2, 3)
	f("<p>abcd</p>", func(p *Importance) { p.Bottom = 0.6 }, 2, 3)
	f("<p>ab</p><p>"+strings.Repeat("x", 98)+"</p>", func(p *Importance) { p.Edge = 0.5 }, 2, 1)
}

func TestHybridSettings(t *testing.T) {
	want := map[string]string{"tolerance": "1e-09", "page_width": "1000", "least_cell": "0.05", "small_type": "12",
		"flat": "1", "aside": "0.5", "small": "0.8", "overlaid": "0.5", "top": "0.05", "bottom": "0.1", "edge": "0.75"}
	for _, p := range HybridDS.Params {
		if p.Value != want[p.Name] {
			t.Errorf("%s = %s, want %s", p.Name, p.Value, want[p.Name])
		}
		if _, err := HybridDS.With(map[string]string{p.Name: "-1"}); err == nil || !strings.Contains(err.Error(), p.Name+`="-1"`) {
			t.Errorf("%s = -1: error %v", p.Name, err)
		}
	}
	if len(HybridDS.Params) != len(want) {
		t.Errorf("%d settings, want %d", len(HybridDS.Params), len(want))
	}
}
