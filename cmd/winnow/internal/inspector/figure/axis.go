package figure

import (
	"math"
	"strconv"
)

// Axis describes an axis. If From and To are both 0, the data decide the range.
type Axis struct {
	Label    string // with the unit
	From, To float64
}

// scale maps values to pixels.
type scale struct {
	from, to   float64 // range of values
	low, high  float64 // range of pixels
	ticks      []float64
	tickLabels []string
}

// scaleOf returns the scale of an axis with the values given, between two pixels.
func (a Axis) scaleOf(values []float64, low, high float64) *scale {
	from, to := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if usable(v) {
			from, to = min(from, v), max(to, v)
		}
	}
	if a.From != 0 || a.To != 0 {
		from, to = a.From, a.To
	}
	if from > to {
		from, to = 0, 1
	}
	s := &scale{low: low, high: high}
	s.linear(from, to, a.From != 0 || a.To != 0)
	return s
}

func usable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// linear chooses round ticks: about five.
func (s *scale) linear(from, to float64, fixed bool) {
	if to-from < 1e-9 {
		from, to = from-0.05, to+0.05
	}
	step := math.Pow(10, math.Floor(math.Log10((to-from)/4)))
	for _, k := range []float64{5, 2, 1} {
		if (to-from)/(step*k) >= 3.5 || k == 1 {
			step *= k
			break
		}
	}
	if !fixed {
		room := (to - from) * 0.05
		from, to = from-room, to+room
	}
	s.from, s.to = from, to
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9; k++ {
		s.ticks = append(s.ticks, k*step)
		s.tickLabels = append(s.tickLabels, strconv.FormatFloat(math.Abs(k)*step*sign(k), 'f', decimals, 64))
	}
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
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
	for i, v := range s.ticks {
		x := s.at(v)
		c.line("gr", x, f.y0, x, f.y1)
		// Labels that would touch are left out.
		if half := textWidth(s.tickLabels[i]) / 2; math.Abs(x-last) > half+lastHalf+6 {
			c.text("t-m", x, f.y1+15, s.tickLabels[i])
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
	for i, v := range s.ticks {
		y := s.at(v)
		c.line("gr", f.x0, y, f.x1, y)
		c.text("t-e", f.x0-6, y+4, s.tickLabels[i])
	}
	c.line("ax", f.x0, f.y0, f.x0, f.y1)
	if label != "" {
		c.upright(14, (f.y0+f.y1)/2, label)
	}
}
