package figure

import (
	"fmt"
	"math"

	"github.com/winnow/winnow/schemas"
)

// Cell is a mean and its standard deviation.
type Cell struct{ Mean, SD float64 }

// Panels draws small multiples: a panel for each column, a line for each name, and in it
// the mean with one standard deviation to both sides.
type Panels struct {
	Title, Name string
	X           Axis
	Columns     []string
	Names       []string
	Of          [][]Cell // by column, by name; a mean of NaN draws nothing
}

// Sizes of a panel. A row has as many panels as fit.
const (
	panelWidth  = 150.0
	panelGap    = 30.0 // the labels at the ends of two neighbouring axes do not touch
	panelAcross = 1000.0
)

// Draw returns the figure.
func (p Panels) Draw() *Figure {
	return drawBoth(p.Title, []string{"package", p.Name, "mean", "standard deviation"}, p.draw)
}

// draw draws as many panels beside each other as fit; on a phone they are below each other.
func (p Panels) draw(narrow bool) (*canvas, [][]string) {
	left, panelWidth := nameColumn(p.Names, narrow), panelWidth
	across := max(1, min(len(p.Columns), int((panelAcross-left)/(panelWidth+panelGap))))
	if narrow {
		across, panelWidth = 1, narrowWidth-left-panelGap-6
	}
	down := (len(p.Columns) + across - 1) / across
	const line = 14.0
	height := line*float64(len(p.Names)) + 56
	c := &canvas{w: left + float64(across)*(panelWidth+panelGap) + 6, h: height*float64(down) + 6, narrow: narrow}
	var values []float64
	for _, column := range p.Of {
		for _, cell := range column {
			values = append(values, cell.Mean)
		}
	}
	var rows [][]string
	for k, name := range p.Columns {
		x0, y0 := left+float64(k%across)*(panelWidth+panelGap), float64(k/across)*height
		f := frame{x0, y0 + 20, x0 + panelWidth, y0 + height - 36}
		x := p.X.scaleOf(values, f.x0, f.x1)
		c.text("t-h", f.x0, y0+14, schemas.Shorten(name, 22))
		c.below(f, x, p.X.Label)
		for i := range p.Names {
			y := f.y0 + line*(float64(i)+0.5)
			if k%across == 0 {
				c.text("t-e t-s", f.x0-8, y+4, schemas.Shorten(p.Names[i], lettersOf(narrow)))
			}
			cell := p.Of[k][i]
			if !usable(cell.Mean) {
				continue
			}
			if usable(cell.SD) {
				c.line("ci", x.at(max(cell.Mean-cell.SD, x.from)), y, x.at(min(cell.Mean+cell.SD, x.to)), y)
			}
			c.circle("best", x.at(math.Min(math.Max(cell.Mean, x.from), x.to)), y, 2.6, fmt.Sprintf("%s, %s: %s ± %s", p.Names[i], name, Number(cell.Mean), Number(cell.SD)))
			rows = append(rows, []string{name, p.Names[i], Number(cell.Mean), Number(cell.SD)})
		}
	}
	return c, rows
}
