package figure

import (
	"fmt"
	"slices"
	"strings"
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

// Draw returns the figure. The axis is on top, the names of the lower half are on the
// left, those of the upper half on the right.
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
	// Bars of groups that lie apart share a line.
	type bar struct {
		from, to float64
		line     int
		letter   rune
		n        int
	}
	var bars []bar
	lines := 0
	for _, l := range letters {
		b := bar{letter: l}
		for _, r := range of {
			if strings.ContainsRune(r.Groups, l) {
				if b.n == 0 {
					b.from = r.Mean
				}
				b.to = r.Mean
				b.n++
			}
		}
		if b.n < 2 {
			continue
		}
		for slices.ContainsFunc(bars, func(o bar) bool { return o.line == b.line && b.from <= o.to && o.from <= b.to }) {
			b.line++
		}
		lines = max(lines, b.line+1)
		bars = append(bars, b)
	}
	const barGap = 9.0
	half := (len(of) + 1) / 2
	top := 44.0
	base := top + 12 + barGap*float64(lines)
	c := &canvas{w: 720, h: base + rowHeight*float64(half) + 12}
	f := frame{170, top, 550, top}
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
		c.text(class, at, y+4, short(r.Name, 22)+" "+fmt.Sprintf("%.3f", r.Mean))
	}
	return c.figure(d.Title, []string{d.Name, "mean", "groups"}, rows)
}
