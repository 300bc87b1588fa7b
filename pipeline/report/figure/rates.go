package figure

import "math"

// Rates draws a rate over time as steps of equal width.
type Rates struct {
	Title string
	X, Y  Axis
	Step  float64 // width of a step, in the unit of X; the first step begins at 0
	Of    []Rate
}

// Rate is the rate in one step. Other is in the data only.
type Rate struct{ Value, Other float64 }

// Draw returns the figure. other is the heading of Rate.Other in the data.
func (r Rates) Draw(other string) *Figure {
	return drawBoth(r.Title, []string{r.X.Label, r.Y.Label, other}, r.draw)
}

func (r Rates) draw(narrow bool) (*canvas, [][]string) {
	c := newCanvas(narrow, pick(narrow, 300.0, 250))
	f := frame{66, 10, c.w - 14, c.h - 46}
	values := []float64{0}
	for _, v := range r.Of {
		values = append(values, v.Value)
	}
	r.X.From, r.X.To = 0, r.Step*float64(max(len(r.Of), 1))
	x, y := r.X.scaleOf(nil, f.x0, f.x1), r.Y.scaleOf(values, f.y1, f.y0)
	c.below(f, x, r.X.Label)
	c.left(f, y, r.Y.Label)
	var rows [][]string
	for i, v := range r.Of {
		if !usable(v.Value) {
			continue
		}
		from, to := x.at(float64(i)*r.Step), x.at(float64(i+1)*r.Step)
		top := math.Min(y.at(v.Value), y.at(0))
		c.rect("s0", from, top, to-from-0.5, y.at(0)-top, Number(float64(i)*r.Step)+" "+r.X.Label+": "+Number(v.Value)+" "+r.Y.Label)
		rows = append(rows, []string{Number(float64(i) * r.Step), Number(v.Value), Number(v.Other)})
	}
	return c, rows
}
