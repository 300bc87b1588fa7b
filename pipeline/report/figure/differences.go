package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// Ranked is a name with its mean and the letters of its groups.
type Ranked struct {
	Name   string
	Mean   float64
	Groups string
}

// Differences draws means on a line, and a bar over every group of names that do not
// differ, like the critical-difference diagram of Demšar (2006).
type Differences struct {
	Title, Name string
	X           Axis
	Of          []Ranked
}

// groupBar joins the names of a group.
type groupBar struct {
	from, to    float64 // means
	first, last int     // positions in the order of means
	line        int     // bars that overlap are on different lines
	n           int
}

// barGap is the distance of two lines of bars.
const barGap = 9.0

// Draw returns the figure.
func (d Differences) Draw() *Figure {
	of := slices.DeleteFunc(slices.Clone(d.Of), func(r Ranked) bool { return !usable(r.Mean) })
	slices.SortStableFunc(of, func(a, b Ranked) int {
		switch {
		case a.Mean < b.Mean:
			return -1
		case a.Mean > b.Mean:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	var values []float64
	var rows [][]string
	var letters []rune
	for _, r := range of {
		values = append(values, r.Mean)
		rows = append(rows, []string{r.Name, Number(r.Mean), r.Groups})
		for _, l := range r.Groups {
			if !slices.Contains(letters, l) {
				letters = append(letters, l)
			}
		}
	}
	slices.Sort(letters)
	bars, lines := groupBars(of, letters)
	return drawBoth(d.Title, []string{d.Name, "mean", "groups"}, func(narrow bool) (*canvas, [][]string) {
		if narrow {
			return d.below(of, values, bars, lines), nil
		}
		return d.beside(of, values, bars, lines), rows
	})
}

// groupBars returns the bars of groups of two names and more, and their number of lines.
// Groups that lie apart share a line.
func groupBars(of []Ranked, letters []rune) (bars []groupBar, lines int) {
	for _, l := range letters {
		var b groupBar
		for i, r := range of {
			if strings.ContainsRune(r.Groups, l) {
				if b.n == 0 {
					b.from, b.first = r.Mean, i
				}
				b.to, b.last = r.Mean, i
				b.n++
			}
		}
		if b.n < 2 {
			continue
		}
		for slices.ContainsFunc(bars, func(o groupBar) bool { return o.line == b.line && b.from <= o.to && o.from <= b.to }) {
			b.line++
		}
		lines = max(lines, b.line+1)
		bars = append(bars, b)
	}
	return bars, lines
}

// beside draws the axis on top, the names of the lower half on the left and those of the
// upper half on the right.
func (d Differences) beside(of []Ranked, values []float64, bars []groupBar, lines int) *canvas {
	half := (len(of) + 1) / 2
	top := 44.0
	base := top + 12 + barGap*float64(lines)
	c := newCanvas(false, base+rowHeight*float64(half)+12)
	text := func(r Ranked) string { return schemas.Shorten(r.Name, 22) + " " + fmt.Sprintf("%.3f", r.Mean) }
	side := 170.0
	for _, r := range of {
		side = max(side, mostWidth(text(r))+20)
	}
	f := frame{side, top, c.w - side, top}
	x := d.X.scaleOf(values, f.x0, f.x1)
	c.line("ax", f.x0, top, f.x1, top)
	for i, v := range x.ticks {
		c.line("ax", x.at(v), top-5, x.at(v), top)
		c.text("t-m", x.at(v), top-9, x.tickLabels[i])
	}
	c.text("t-m t-l", (f.x0+f.x1)/2, 14, d.X.Label)
	for _, b := range bars {
		y := top + 9 + barGap*float64(b.line)
		c.line("same", x.at(b.from)-2, y, x.at(b.to)+2, y)
	}
	for i, r := range of {
		// The lowest and the highest value have the lowest lines, so that lines do not
		// cross.
		y, end, class, at := base+rowHeight*(float64(i)+0.5), f.x0-14, "t-e", f.x0-18
		if i >= half {
			y, end, class, at = base+rowHeight*(float64(len(of)-1-i)+0.5), f.x1+14, "", f.x1+18
		}
		c.path("lead", []point{{x.at(r.Mean), top}, {x.at(r.Mean), y}, {end, y}})
		c.text(class, at, y+4, text(r))
	}
	return c
}

// below draws the names below each other, the best first, with the bars standing at the
// right: on a phone there is no room for names on both sides of an axis.
func (d Differences) below(of []Ranked, values []float64, bars []groupBar, lines int) *canvas {
	var names []string
	for i := range of {
		names = append(names, of[len(of)-1-i].Name)
	}
	c := newCanvas(true, 48+rowHeight*float64(len(of)))
	gap := min(barGap, 110/float64(max(lines, 1)))
	f := frame{nameColumn(names, true), 6, c.w - 20 - gap*float64(lines), 10 + rowHeight*float64(len(of))}
	x := d.X.scaleOf(values, f.x0, f.x1)
	c.below(f, x, d.X.Label)
	c.names(names, f.x0, f.y0)
	y := func(i int) float64 { return f.y0 + rowHeight*(float64(len(of)-1-i)+0.5) }
	for i, r := range of {
		c.circle("best", x.at(r.Mean), y(i), 3, "")
	}
	for _, b := range bars {
		at := f.x1 + 12 + gap*float64(b.line)
		c.line("same", at, y(b.first)+3, at, y(b.last)-3)
	}
	return c
}
