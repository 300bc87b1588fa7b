package algorithms

// Curve is what an extractor measured along a page, as its publication draws it.
type Curve struct {
	Name   string    // name of the measurement: "document slope curve"
	X, Y   string    // meanings of a position and of a value, with the unit
	Values []float64 // at the positions 0, 1, 2 …
	// Threshold is the value that the extractor compares the curve with, NaN if there is
	// none.
	Threshold float64
	Chosen    []Stretch // stretches that are selected, in ascending order, disjoint
}

// Stretch is a half-open range of the positions of a curve.
type Stretch struct{ Start, End int }

// Choose adds a stretch at the end of those that are chosen. It is joined to the last one
// if they touch.
func (c *Curve) Choose(start, end int) {
	switch k := len(c.Chosen); {
	case start >= end:
	case k > 0 && c.Chosen[k-1].End >= start:
		c.Chosen[k-1].End = max(c.Chosen[k-1].End, end)
	default:
		c.Chosen = append(c.Chosen, Stretch{start, end})
	}
}
