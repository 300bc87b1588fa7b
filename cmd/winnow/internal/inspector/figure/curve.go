package figure

import (
	"math"
	"strconv"

	"github.com/winnow/winnow/pipeline/service"
)

// Curve draws a measurement along a sequence, such as the tokens of a page.
type Curve struct {
	Title     string
	X, Y      string    // labels of the axes, with units
	Values    []float64 // at the positions 0, 1, 2 …
	Threshold float64   // NaN if there is none
	Chosen    [][2]int  // half-open ranges of positions, in ascending order
}

// Draw returns the figure. A column of pixels shows the smallest and the largest of the
// values that fall into it, so that no peak of a long curve is lost.
func (d Curve) Draw() *Figure {
	return &Figure{Title: service.Printable(d.Title), Drawing: d.draw(false).svg(d.Title), Narrow: d.draw(true).svg(d.Title)}
}

func (d Curve) draw(narrow bool) *canvas {
	c := &canvas{w: broadWidth, h: 230, narrow: narrow}
	if narrow {
		c.w = narrowWidth
	}
	f := frame{66, 10, c.w - 14, 184}
	n := len(d.Values)
	values := append([]float64{0}, d.Values...)
	if usable(d.Threshold) {
		values = append(values, d.Threshold)
	}
	end := float64(max(n-1, 1))
	x, y := newScale(0, end, stepOf(0, end), f.x0, f.x1), scaleOf(values, f.y1, f.y0)
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
	c.below(f, x, d.X)
	c.left(f, y, d.Y)
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
