package cetd

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Smoothing are the settings of cectd-s.
type Smoothing struct {
	S float64 // standard deviation of the kernel, in elements
}

// DefaultSmoothing has the value of the reconstruction: 1 gives the published
// recall and precision on CleanEval within a point, 2 loses two points.
var DefaultSmoothing = Smoothing{S: 1}

func (p *Smoothing) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("s", &p.S, 0.1, 100, "standard deviation of the smoothing kernel in elements; its radius is the next whole number"),
	}
}

// NewSmoothing returns cectd-s with the given settings.
func NewSmoothing(p Smoothing) *algorithms.Extractor {
	kernel := p.kernel()
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:     "cectd-s",
			Family:   "cetd",
			Doc:      "selects the texts whose parents have a high smoothed text density: characters per tag, reduced by links",
			Cite:     sun,
			Fidelity: algorithms.Reconstructed,
			Departures: append(departures[:1:1],
				"Densities are smoothed over the elements in document order, with a standard deviation of 1.",
				"The threshold is the density of body before smoothing, so nothing is found where all text is in body itself, beside elements without any."),
			Cost: algorithms.Linear,
		},
		Run: func(p *algorithms.Pass) error { return runSmooth(p, kernel) },
	}
	return setting.Tune(e, p, (*Smoothing).settings, NewSmoothing)
}

// kernel has the weights at distances 0, 1, … ⌈s⌉.
func (p Smoothing) kernel() []float64 {
	k := make([]float64, 1+int(math.Ceil(p.S)))
	for j := range k {
		k[j] = math.Exp(-float64(j*j) / float64(2*float64(p.S*p.S)))
	}
	return k
}

func runSmooth(p *algorithms.Pass, kernel []float64) error {
	b := p.Body
	if b.Len() == 0 || b.Sum(b.Chars, 0) == 0 {
		return nil
	}
	s := algorithms.Scratch[scratch](p)
	s.resize(b.Len())
	s.compositeDensity(b)

	s.smooth = s.smooth[:0]
	for i, t := range b.Tag {
		if t != html.TagText && b.Flags[i]&page.Hidden == 0 {
			s.smooth = append(s.smooth, s.density[i])
		}
	}
	theta := s.density[0]
	for i, t := range b.Tag {
		// E[n] elements precede the element n.
		if t == html.TagText && b.Flags[i]&page.Hidden == 0 && smoothed(s.smooth, int(b.Elements[b.Parent[i]]), kernel) >= theta {
			p.Out.AddRow(b, page.Row(i))
		}
	}
	return nil
}

// smoothed is the mean of v around i with the weights of kernel; weights beyond
// the ends of v do not count.
func smoothed(v []float64, i int, kernel []float64) float64 {
	from, to := max(0, i-len(kernel)+1), min(len(v), i+len(kernel))
	sum, weights := 0.0, 0.0
	for j := from; j < to; j++ {
		w := kernel[max(i-j, j-i)]
		sum += float64(w * v[j])
		weights += w
	}
	return sum / weights
}
