package figure

import (
	"fmt"

	"github.com/winnow/winnow/schemas"
)

// rowHeight is the height of a line of a figure with one line per name.
const rowHeight = 17.0

// lettersOf returns how many letters of a name are shown at the left of a figure.
func lettersOf(narrow bool) int { return pick(narrow, 28, 22) }

// nameColumn returns the width that names take at the left of a figure.
func nameColumn(names []string, narrow bool) float64 {
	w := 60.0
	for _, n := range names {
		w = max(w, mostWidth(schemas.Shorten(n, lettersOf(narrow)))+14)
	}
	return w
}

// names writes a name beside each line.
func (c *canvas) names(names []string, x, top float64) {
	for i, n := range names {
		c.text("t-e", x-8, top+rowHeight*(float64(i)+0.5)+4, schemas.Shorten(n, lettersOf(c.narrow)))
	}
}

// Spread is the distribution of a figure over pages.
type Spread struct {
	Name           string
	P05, P50, P95  float64
	Mean, Low, Top float64 // and its interval; NaN where unknown
}

// Spreads draws distributions, one line each: a bar from the 5th to the 95th percentile,
// a stroke for the median, a dot for the mean and its interval.
type Spreads struct {
	Title, Name string
	X           Axis
	Of          []Spread
	// Ends are the names of the percentiles in the data; default 5 % and 95 %.
	Ends [2]string
}

// Draw returns the figure. Lines without any value are left out.
func (s Spreads) Draw() *Figure {
	var of []Spread
	var names []string
	var values []float64
	for _, d := range s.Of {
		if usable(d.Mean) || usable(d.P50) {
			of, names = append(of, d), append(names, d.Name)
			values = append(values, d.P05, d.P50, d.P95, d.Mean, d.Low, d.Top)
		}
	}
	if s.Ends == [2]string{} {
		s.Ends = [2]string{"5th percentile", "95th percentile"}
	}
	return drawBoth(s.Title, []string{s.Name, "mean", "interval from", "to", s.Ends[0], "median", s.Ends[1]}, func(narrow bool) (*canvas, [][]string) {
		return s.draw(narrow, of, names, values)
	})
}

func (s Spreads) draw(narrow bool, of []Spread, names []string, values []float64) (*canvas, [][]string) {
	c := newCanvas(narrow, 48+rowHeight*float64(len(of)))
	f := frame{nameColumn(names, narrow), 6, c.w - 20, 10 + rowHeight*float64(len(of))}
	x := s.X.scaleOf(values, f.x0, f.x1)
	c.below(f, x, s.X.Label)
	c.names(names, f.x0, f.y0)
	var rows [][]string
	for i, d := range of {
		y := f.y0 + rowHeight*(float64(i)+0.5)
		drawable := func(v float64) bool { return usable(v) && (!s.X.Log || v > 0) }
		if drawable(d.P05) && drawable(d.P95) {
			c.rect("range", x.at(d.P05), y-4, x.at(d.P95)-x.at(d.P05), 8, fmt.Sprintf("%s: %s to %s", d.Name, Number(d.P05), Number(d.P95)))
		}
		if drawable(d.P50) {
			c.line("mid", x.at(d.P50), y-6, x.at(d.P50), y+6)
		}
		if drawable(d.Low) && drawable(d.Top) {
			c.line("ci", x.at(d.Low), y, x.at(d.Top), y)
		}
		if drawable(d.Mean) {
			c.circle("best", x.at(d.Mean), y, 3, fmt.Sprintf("%s: mean %s", d.Name, Number(d.Mean)))
		}
		rows = append(rows, []string{d.Name, Number(d.Mean), Number(d.Low), Number(d.Top), Number(d.P05), Number(d.P50), Number(d.P95)})
	}
	return c, rows
}

// Stack is a bar of several parts.
type Stack struct {
	Name  string
	Parts map[string]float64
}

// Stacks draws a bar of several parts for each name. The kinds of parts are in the order
// given; those beyond the palette are drawn as one.
type Stacks struct {
	Title, Name string
	X           Axis
	Kinds       []string
	Of          []Stack
}

// palette is the number of colours for kinds.
const palette = 7

// Draw returns the figure.
func (s Stacks) Draw() *Figure {
	var names []string
	var values []float64
	for _, d := range s.Of {
		sum := 0.0
		for _, v := range d.Parts {
			sum += v
		}
		names, values = append(names, d.Name), append(values, sum)
	}
	return drawBoth(s.Title, append([]string{s.Name}, s.Kinds...), func(narrow bool) (*canvas, [][]string) { return s.draw(narrow, names, values) })
}

func (s Stacks) draw(narrow bool, names []string, values []float64) (*canvas, [][]string) {
	legend, across := 0.0, pick(narrow, 4, 2)
	if len(s.Kinds) > 1 {
		legend = 18 * float64((min(len(s.Kinds), palette)+across-1)/across)
	}
	c := newCanvas(narrow, 48+legend+rowHeight*float64(len(s.Of)))
	f := frame{nameColumn(names, narrow), 6 + legend, c.w - 60, 10 + legend + rowHeight*float64(len(s.Of))}
	x := s.X.scaleOf(append(values, 0), f.x0, f.x1)
	if !s.X.Log {
		x.from = 0
	}
	if legend > 0 {
		for k, kind := range s.Kinds[:min(len(s.Kinds), palette)] {
			if k == palette-1 && len(s.Kinds) > palette {
				kind = "other"
			}
			left, top := 10+float64(k%across)*175, 4+18*float64(k/across)
			c.rect(fmt.Sprint("s", k), left, top, 11, 11, "")
			c.text("", left+16, top+10, schemas.Shorten(kind, 24))
		}
	}
	c.below(f, x, s.X.Label)
	c.names(names, f.x0, f.y0)
	var rows [][]string
	for i, d := range s.Of {
		y, at := f.y0+rowHeight*float64(i)+3, 0.0
		row := []string{d.Name}
		for k, kind := range s.Kinds {
			v := d.Parts[kind]
			row = append(row, Number(v))
			if v <= 0 {
				continue
			}
			c.rect(fmt.Sprint("s", min(k, palette-1)), x.at(at), y, x.at(at+v)-x.at(at)-0.5, rowHeight-6, fmt.Sprintf("%s, %s: %s", d.Name, kind, Number(v)))
			at += v
		}
		c.text("t-s", x.at(values[i])+4, y+9, Number(values[i]))
		rows = append(rows, row)
	}
	return c, rows
}
