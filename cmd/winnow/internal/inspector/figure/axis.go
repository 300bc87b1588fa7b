package figure

import (
	"math"
	"strconv"
)

// scale maps values to pixels.
type scale struct {
	from, to  float64 // range of values
	low, high float64 // range of pixels
	ticks     []tick
}

// tick is a value with a line of the grid.
type tick struct {
	value float64
	label string
}

// scaleOf returns the scale of an axis between two pixels that has room for the values.
func scaleOf(values []float64, low, high float64) *scale {
	from, to := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if usable(v) {
			from, to = min(from, v), max(to, v)
		}
	}
	if from > to {
		from, to = 0, 1
	}
	if to-from < 1e-9 {
		from, to = from-0.05, to+0.05
	}
	room, step := (to-from)*0.05, stepOf(from, to)
	return newScale(from-room, to+room, step, low, high)
}

func usable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// stepOf returns a round distance of ticks, of which there are about five in a range.
func stepOf(from, to float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10((to-from)/4)))
	for _, k := range []float64{5, 2} {
		if (to-from)/(step*k) >= 3.5 {
			return step * k
		}
	}
	return step
}

// newScale returns the scale of a range of values between two pixels, with ticks of a distance.
func newScale(from, to, step, low, high float64) *scale {
	s := &scale{from: from, to: to, low: low, high: high}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9; k++ {
		value := k*step + 0 // a sum with 0 is never -0
		s.ticks = append(s.ticks, tick{value, strconv.FormatFloat(value, 'f', decimals, 64)})
	}
	return s
}

func (s *scale) at(v float64) float64 {
	return s.low + (v-s.from)/(s.to-s.from)*(s.high-s.low)
}

// frame is the area in which values are drawn.
type frame struct {
	x0, y0, x1, y1 float64 // left, top, right, bottom
}

// below draws a horizontal axis with its grid.
func (c *canvas) below(f frame, s *scale, label string) {
	last, lastHalf := math.Inf(-1), 0.0
	for _, t := range s.ticks {
		x := s.at(t.value)
		c.line("gr", x, f.y0, x, f.y1)
		// Labels that would touch are left out.
		if half := textWidth(t.label) / 2; math.Abs(x-last) > half+lastHalf+6 {
			c.text("t-m", x, f.y1+15, t.label)
			last, lastHalf = x, half
		}
	}
	c.line("ax", f.x0, f.y1, f.x1, f.y1)
	if label != "" {
		// A long label is not in the middle of the axis but inside the drawing.
		half := maxWidth(label) / 2
		c.text("t-m t-l", max(min((f.x0+f.x1)/2, c.w-half), half), f.y1+33, label)
	}
}

// left draws a vertical axis with its grid.
func (c *canvas) left(f frame, s *scale, label string) {
	for _, t := range s.ticks {
		y := s.at(t.value)
		c.line("gr", f.x0, y, f.x1, y)
		c.text("t-e", f.x0-6, y+4, t.label)
	}
	c.line("ax", f.x0, f.y0, f.x0, f.y1)
	if label != "" {
		c.upright(14, (f.y0+f.y1)/2, label)
	}
}
