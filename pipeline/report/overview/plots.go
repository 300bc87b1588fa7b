package overview

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	ink  = color.NRGBA{0x08, 0x40, 0x81, 0xff}
	pale = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// namesMost is the largest number of points in a plot that have names beside them. If
// there are more points, they are numbered.
const namesMost = 14

// plots draws the figures of the package, if it has scores.
func (p *pkg) plots() (err error) {
	if p.scored == 0 {
		return nil
	}
	if p.Speed, err = p.speed(); err == nil {
		p.CI, err = p.intervals()
	}
	return err
}

// speed plots the extractor's own throughput against the headline figure. With the time
// of parsing and shared features included, most points would lie on one line.
func (p *pkg) speed() (template.HTML, error) {
	var points plotter.XYLabels
	for i := range p.Lines {
		l := &p.Lines[i]
		if x, y := l.Row.MBPerS, l.Row.Headline; x > 0 && !math.IsInf(x, 0) && !math.IsNaN(y) {
			label := strconv.Itoa(l.Rank)
			if len(p.Lines) <= namesMost {
				label = l.Extractor
			}
			points.XYs = append(points.XYs, plotter.XY{X: x, Y: y})
			points.Labels = append(points.Labels, label)
		}
	}
	if len(points.XYs) == 0 {
		return "", nil
	}
	pl := newPlot()
	pl.X.Label.Text, pl.Y.Label.Text = "MB of HTML per second, the extractor alone", p.Scorer.Name
	pl.X.Scale, pl.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	dots, err := plotter.NewScatter(points.XYs)
	if err != nil {
		return "", fmt.Errorf("overview: %w", err)
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	labels, err := plotter.NewLabels(points)
	if err != nil {
		return "", fmt.Errorf("overview: %w", err)
	}
	labels.Offset = vg.Point{X: vg.Points(5)}
	for i := range labels.TextStyle {
		sans(&labels.TextStyle[i], 9)
		labels.TextStyle[i].YAlign = draw.YCenter
	}
	pl.Add(grid(), dots, labels)
	widen(&pl.X, 1.3)
	pl.Y.Min, pl.Y.Max = pad(pl.Y.Min, pl.Y.Max)
	return svg(pl, 17*vg.Centimeter, 11*vg.Centimeter)
}

// widen leaves room at both ends of a logarithmic axis. It covers at least a whole
// decade, so that the axis has tick marks.
func widen(a *plot.Axis, by float64) {
	a.Min, a.Max = math.Pow(10, math.Floor(math.Log10(a.Min/by))), math.Pow(10, math.Ceil(math.Log10(a.Max*by)))
}

// pad leaves room at both ends of an axis.
func pad(low, high float64) (float64, float64) {
	room := max((high-low)*0.06, 0.01)
	return low - room, high + room
}

// withError holds means with the intervals around them.
type withError struct {
	plotter.XYs
	plotter.XErrors
}

// intervals plots the means of the pages' figures with their 95 % intervals, the best
// extractor on top.
func (p *pkg) intervals() (template.HTML, error) {
	var data withError
	var names []string
	for i := len(p.Lines) - 1; i >= 0; i-- {
		r := &p.Lines[i].Row
		mean := r.MeanF1
		if !p.F1() {
			mean = r.Headline
		}
		if math.IsNaN(mean) || math.IsNaN(r.CILow) {
			continue
		}
		data.XYs = append(data.XYs, plotter.XY{X: mean, Y: float64(len(names))})
		// The library expects the distances below and above the mean, with any sign.
		data.XErrors = append(data.XErrors, struct{ Low, High float64 }{mean - r.CILow, r.CIHigh - mean})
		names = append(names, p.Lines[i].Extractor)
	}
	if len(names) == 0 {
		return "", nil
	}
	pl := newPlot()
	pl.X.Label.Text = p.Scorer.Name
	bars, err := plotter.NewXErrorBars(data)
	if err != nil {
		return "", fmt.Errorf("overview: %w", err)
	}
	bars.LineStyle.Color = ink
	dots, err := plotter.NewScatter(data.XYs)
	if err != nil {
		return "", fmt.Errorf("overview: %w", err)
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
	pl.Add(grid(), bars, dots)
	pl.NominalY(names...)
	pl.Y.Min, pl.Y.Max = -0.6, float64(len(names))-0.4
	return svg(pl, 17*vg.Centimeter, vg.Length(len(names))*0.48*vg.Centimeter+2*vg.Centimeter)
}

// newPlot returns a plot in the font of the page. It does not change the library's
// global defaults.
func newPlot() *plot.Plot {
	pl := plot.New()
	for _, a := range []*plot.Axis{&pl.X, &pl.Y} {
		sans(&a.Label.TextStyle, 10)
		sans(&a.Tick.Label, 9)
		a.LineStyle.Color, a.Tick.LineStyle.Color = pale, pale
	}
	return pl
}

func sans(s *text.Style, points float64) {
	s.Font.Variant, s.Font.Size = "Sans", vg.Points(points)
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = pale, pale
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.4), vg.Points(0.4)
	return g
}

// svg returns a plot as an SVG element of the page. The library escapes the texts that
// it writes. These texts are names of extractors only.
func svg(pl *plot.Plot, w, h vg.Length) (_ template.HTML, err error) {
	defer func() {
		if v := recover(); v != nil { // the library panics for ranges that it cannot draw
			err = fmt.Errorf("overview: plot: %v", v)
		}
	}()
	c := vgsvg.New(w, h)
	pl.Draw(draw.New(c))
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return "", fmt.Errorf("overview: plot: %w", err)
	}
	_, body, found := bytes.Cut(out.Bytes(), []byte("<svg "))
	if !found {
		return "", fmt.Errorf("overview: plot: no picture")
	}
	return template.HTML(`<svg aria-hidden="true" focusable="false" ` + string(body)), nil
}
