package figure

import (
	"math"
	"strconv"
)

// Curve draws a measurement along a sequence, such as the tokens of a page.
type Curve struct {
	Title     string
	X, Y      Axis
	Values    []float64 // at the positions 0, 1, 2 …
	Threshold float64   // NaN if there is none
	Chosen    [][2]int  // half-open ranges of positions, in ascending order
}

// Draw returns the figure. A column of pixels shows the smallest and the largest of the
// values that fall into it, so that no peak of a long curve is lost.
func (d Curve) Draw() *Figure {
	return &Figure{Title: clean(d.Title), Drawing: d.draw(false).svg(d.Title), Narrow: d.draw(true).svg(d.Title)}
}

func (d Curve) draw(narrow bool) *canvas {
	c := newCanvas(narrow, 230)
	f := frame{66, 10, c.w - 14, 184}
	n := len(d.Values)
	values := append([]float64{0}, d.Values...)
	if usable(d.Threshold) {
		values = append(values, d.Threshold)
	}
	d.X.From, d.X.To = 0, float64(max(n-1, 1))
	x, y := d.X.scaleOf(nil, f.x0, f.x1), d.Y.scaleOf(values, f.y1, f.y0)
	pixel := func(position int) float64 { return math.Round(x.at(float64(position))) }
	for i := 0; i < len(d.Chosen); {
		from, to := d.Chosen[i][0], d.Chosen[i][1]
		for i++; i < len(d.Chosen) && pixel(d.Chosen[i][0]) <= pixel(to)+1; i++ {
			to = d.Chosen[i][1]
		}
		width := max(min(pixel(to), f.x1)-pixel(from), 1)
		c.rect("chosen", pixel(from), f.y0, width, f.y1-f.y0, "")
		c.rect("s2", pixel(from), f.y1-4, width, 4, "selected")
	}
	c.below(f, x, d.X.Label)
	c.left(f, y, d.Y.Label)
	if usable(d.Threshold) {
		c.line("limit", f.x0, y.at(d.Threshold), f.x1, y.at(d.Threshold))
		c.text("t-e t-s", f.x1, y.at(d.Threshold)-4, "threshold "+strconv.FormatFloat(d.Threshold, 'g', 6, 64))
	}
	var line []point
	add := func(i int) {
		if v := d.Values[i]; usable(v) {
			line = append(line, point{x.at(float64(i)), y.at(v)})
		}
	}
	for i := 0; i < n; {
		column, low, high := pixel(i), i, i
		for ; i < n && pixel(i) == column; i++ {
			if d.Values[i] < d.Values[low] {
				low = i
			}
			if d.Values[i] > d.Values[high] {
				high = i
			}
		}
		add(min(low, high))
		if low != high {
			add(max(low, high))
		}
	}
	c.path("curve", line)
	return c
}
