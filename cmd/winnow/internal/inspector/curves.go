package inspector

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/report/figure"
)

// AddCurves draws what the extractors measured along the page, for HTML. It asks the
// extractors themselves, so r must be the result that the view was made from, before the
// driver takes another page.
func (v *View) AddCurves(r *driver.Result) error {
	for i := range r.Extractions {
		x := &r.Extractions[i]
		if x.Extractor.Curves == nil || x.Outcome != algorithms.OK && x.Outcome != algorithms.Empty {
			continue
		}
		var curves []algorithms.Curve
		err := panics.Call(func() error {
			var pass algorithms.Pass
			pass.Reset(r.Page, v.URL)
			curves = x.Extractor.Curves(&pass)
			return nil
		})
		if err != nil {
			return fmt.Errorf("the curves of %s: %w", x.Extractor.Name, err)
		}
		for _, c := range curves {
			v.Choices[i].curves = append(v.Choices[i].curves, drawCurve(x.Extractor.Name, &c))
		}
	}
	return nil
}

func drawCurve(extractor string, c *algorithms.Curve) *figure.Figure {
	d := figure.Curve{Title: extractor + ": " + c.Name, X: figure.Axis{Label: c.X}, Y: figure.Axis{Label: c.Y}, Values: c.Values, Threshold: c.Threshold}
	for _, s := range c.Chosen {
		d.Chosen = append(d.Chosen, [2]int{s.Start, s.End})
	}
	return d.Draw()
}
