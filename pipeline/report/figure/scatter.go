package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/winnow/winnow/schemas"
)

// Point is a named point of a Scatter.
type Point struct {
	Name string
	X, Y float64
	// Bound means that the point is a bound of the others. It is hollow and never on the
	// Pareto front.
	Bound bool
}

// Scatter draws named points.
type Scatter struct {
	Title  string
	Name   string // what a point is: the heading of the first column of the data
	X, Y   Axis
	Points []Point
	// Front joins the points that no other point surpasses in both directions: the
	// Pareto front. Lower says that small values of Y are better.
	Front, Lower bool
	// F1 draws the lines of equal F1. X and Y are recall and precision.
	F1 bool
}

// Draw returns the figure. Points without a value, or without a logarithm on a
// logarithmic axis, are left out.
func (s Scatter) Draw() *Figure {
	columns := []string{s.Name, s.X.Label, s.Y.Label}
	if s.Front {
		columns = append(columns, "on the Pareto front")
	}
	return drawBoth(s.Title, columns, s.draw)
}

func (s Scatter) draw(narrow bool) (*canvas, [][]string) {
	c := newCanvas(narrow, pick(narrow, 470.0, 400))
	f := frame{58, 14, c.w - 14, c.h - 46}
	var points []Point
	for _, p := range s.Points {
		if usable(p.X) && usable(p.Y) && (!s.X.Log || p.X > 0) && (!s.Y.Log || p.Y > 0) {
			points = append(points, p)
		}
	}
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	var xs, ys []float64
	for _, p := range points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	x, y := s.X.scaleOf(xs, f.x0, f.x1), s.Y.scaleOf(ys, f.y1, f.y0)
	c.below(f, x, s.X.Label)
	c.left(f, y, s.Y.Label)
	front := map[string]bool{}
	if s.Front {
		front = s.front(c, x, y, points)
	}
	labels := placing{frame: f}
	for _, p := range points {
		labels.dots = append(labels.dots, point{x.at(p.X), y.at(p.Y)})
	}
	if s.F1 {
		c.isolines(f, x, y, &labels)
	}
	var rows [][]string
	for i, p := range points {
		class, at := "pt", labels.dots[i]
		row := []string{p.Name, Number(p.X), Number(p.Y)}
		switch {
		case p.Bound:
			class = "bound"
		case front[p.Name]:
			class = "best"
		}
		if s.Front {
			on := "no"
			switch {
			case p.Bound:
				on = "bound"
			case front[p.Name]:
				on = "yes"
			}
			row = append(row, on)
		}
		rows = append(rows, row)
		c.circle(class, at.x, at.y, 4, fmt.Sprintf("%s: %s %s, %s %s", p.Name, s.X.brief(), Number(p.X), s.Y.brief(), Number(p.Y)))
	}
	// The points of the front have their names first: they are those that people look
	// for.
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(map[bool]int{true: 0, false: 1}[front[points[a].Name]], map[bool]int{true: 0, false: 1}[front[points[b].Name]])
	})
	for _, i := range order {
		labels.place(c, labels.dots[i], schemas.Shorten(points[i].Name, 24))
	}
	return c, rows
}

// front draws the Pareto front of points in ascending order of X, and returns its names.
func (s Scatter) front(c *canvas, x, y *scale, points []Point) map[string]bool {
	names := map[string]bool{}
	var line []point
	best := math.Inf(-1)
	for i := len(points) - 1; i >= 0; i-- {
		if points[i].Bound {
			continue
		}
		v := points[i].Y
		if s.Lower {
			v = -v
		}
		if v > best {
			best = v
			names[points[i].Name] = true
			line = append(line, point{x.at(points[i].X), y.at(points[i].Y)})
		}
	}
	if len(line) > 1 {
		c.path("front", line)
	}
	return names
}

// isolines draws the lines on which F1 is 0.1, 0.2 … 0.9, and names those that have room
// for their name.
func (c *canvas) isolines(f frame, x, y *scale, names *placing) {
	for k := 1; k <= 9; k++ {
		f1 := float64(k) / 10
		var line []point
		for step := 0; step <= 60; step++ {
			r := x.from + (x.to-x.from)*float64(step)/60
			if 2*r-f1 <= 0 {
				continue
			}
			p := f1 * r / (2*r - f1)
			if p < y.from || p > y.to {
				continue
			}
			line = append(line, point{x.at(r), y.at(p)})
		}
		if len(line) < 2 {
			continue
		}
		c.path("iso", line)
		name, end := fmt.Sprintf("F1 %.1f", f1), line[len(line)-1]
		box := [4]float64{end.x - 2 - textWidth(name), end.y - 3 - letterHeight, end.x - 2, end.y - 3}
		if names.free(box) {
			names.taken = append(names.taken, box)
			c.text("t-e t-s t-l", box[2], box[3], name)
		}
	}
}

// placing finds places for the names of points.
type placing struct {
	frame
	dots  []point
	taken [][4]float64 // rectangles of names: left, top, right, bottom
}

// directions are tried in this order, near the point first.
var directions = []point{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {0.8, -0.8}, {-0.8, -0.8}, {0.8, 0.8}, {-0.8, 0.8}}

// place writes a name where it covers no other name and no point. A name that is far
// from its point is joined to it by a line. A name without a place is left out; the
// point's title has it.
func (p *placing) place(c *canvas, at point, name string) {
	w := textWidth(name)
	for _, distance := range []float64{7, 14, 24, 36, 50} {
		for _, d := range directions {
			cx, cy := at.x+d.x*distance, at.y+d.y*distance
			left := cx
			switch {
			case d.x < 0:
				left = cx - w
			case d.x == 0:
				left = cx - w/2
				cy += d.y * 5
			}
			box := [4]float64{left, cy - letterHeight/2, left + w, cy + letterHeight/2}
			if !p.free(box) {
				continue
			}
			p.taken = append(p.taken, box)
			if distance > 14 {
				c.line("lead", at.x+d.x*4, at.y+d.y*4, cx, cy-d.y*5)
			}
			c.text("t-s", left, cy+4, name)
			return
		}
	}
}

func (p *placing) free(box [4]float64) bool {
	if box[0] < p.x0 || box[1] < p.y0 || box[2] > p.x1 || box[3] > p.y1 {
		return false
	}
	for _, t := range p.taken {
		if box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3] {
			return false
		}
	}
	for _, d := range p.dots {
		if box[0] < d.x+4 && d.x-4 < box[2] && box[1] < d.y+4 && d.y-4 < box[3] {
			return false
		}
	}
	return true
}
