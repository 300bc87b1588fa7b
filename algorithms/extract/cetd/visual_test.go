package cetd

import (
	"math"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

// TestLayout works out boxes; rows are counted in document order.
func TestLayout(t *testing.T) {
	f := func(html string, want map[int]box) {
		t.Helper()
		p := algotest.Pass("<body>" + html + "</body>")
		boxes := make([]box, p.Body.Len())
		layout(boxes, p.Page, p.Body)
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

	// body div table tbody tr td …: the rest of the row is shared.
	f("<table><tr><td width=200>a<td>b<td>c</table>", map[int]box{4: {0, 0.2, 1}, 6: {0.2, 0.4, 1}, 8: {0.6, 0.4, 1}})
	// 90 % and twice at least 5 % of the row: nothing to scale.
	f("<table><tr><td width=90%>a<td>b<td>c</table>", map[int]box{4: {0, 0.9, 1}, 6: {0.9, 0.05, 1}, 8: {0.95, 0.05, 1}})
	// 600 + 600 are scaled to the row.
	f("<table width=50%><tr><td width=600>a<td width=600>b</table>", map[int]box{1: {0.25, 0.5, 1}, 4: {0.25, 0.25, 1}, 6: {0.5, 0.25, 1}})
	f("<table><tr><td width=0>a</table>", map[int]box{4: {0, 0, 1}})

	f("<nav>a<small>b</small></nav>", map[int]box{1: {0, 1, 0.5}, 3: {0, 1, 0.4}})
	f(`<p style="font-size:8pt">a</p><p style="font-size:9pt">a</p><p style="font-size:11.9px">a</p>`,
		map[int]box{1: {0, 1, 0.8}, 3: {0, 1, 1}, 5: {0, 1, 0.8}})
	f(`<aside style="position: absolute">a</aside>`, map[int]box{1: {0, 1, 0.25}})
	f(`<div style="height:1px">a<p>b</p></div><div height=1>c</div>`, map[int]box{1: {0, 1, 0}, 3: {0, 1, 0}, 5: {0, 1, 1}})
}

func TestImportance(t *testing.T) {
	f := func(b box, place, want float64) {
		t.Helper()
		if got := b.importance(place); math.Abs(got-want) > 1e-12 {
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
