package dsc

import (
	"math"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Window int     // tokens
	Factor float64 // share of the mean slope below which a window is low
	Run    int     // windows in a row that open or close an area
	Fit    int     // halves of windows that a small page has room for
}

// Default has the published values, and the window length of this package.
var Default = Params{Window: 50, Factor: 0.5, Run: 3, Fit: 8}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("l", &p.Window, 2, 1<<20, "length of a window in tokens; windows overlap by half"),
		setting.Float("factor", &p.Factor, 0, 100, "a window is low below this multiple of the mean slope"),
		setting.Int("run", &p.Run, 1, 1000, "windows in a row that open or close an area"),
		setting.Int("fit", &p.Fit, 1, 1<<20, "strides of half a window that a page has room for: on small pages windows are shorter than l"),
	}
}

// Extractor is the published extractor.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "dsc",
			Family: "dsc",
			Doc:    "selects the stretches of the page in which the document slope curve (tags over tokens) is flat",
			Cite: algorithms.Cite{
				Authors: "Pinto, Branstein, Coleman, Croft, King, Li, Wei",
				Title:   "QuASM: a system for question answering using semi-structured data",
				Venue:   "JCDL",
				Year:    2002,
				URL:     "https://doi.org/10.1145/544220.544228",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The window length is not in the source; 50 tokens reproduce the published recall on CleanEval (63 against 62; 30 tokens give 67, 20 give 72).",
				"A window whose slope is exactly half the mean slope counts as steep.",
				"Windows are shorter on pages of less than 200 tokens (setting fit), so that several fit.",
				"A page without tags is all content.",
			},
			Cost: algorithms.Linear,
		},
		Run:    p.run,
		Curves: p.curves,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// curves returns the document slope curve and the areas that it is cut into.
func (p Params) curves(pass *algorithms.Pass) []algorithms.Curve {
	s := algorithms.Scratch[scratch](pass)
	s.draw(pass.Page.Tokens().Kind)
	p.find(s)
	c := algorithms.Curve{Name: "document slope curve", X: "tokens", Y: "tags so far", Threshold: math.NaN()}
	for _, tags := range s.curve {
		c.Values = append(c.Values, float64(tags))
	}
	for _, a := range s.areas {
		c.Choose(a.start, a.end)
	}
	return []algorithms.Curve{c}
}

type scratch struct {
	curve []int32 // d(0) … d(N)
	areas []area
}

// area is a range of tokens.
type area struct{ start, end int }

func (p Params) run(pass *algorithms.Pass) error {
	tokens := pass.Page.Tokens()
	s := algorithms.Scratch[scratch](pass)
	s.draw(tokens.Kind)
	p.find(s)
	for _, a := range s.areas {
		pass.Out.AddTokens(pass.Body, tokens, a.start, a.end)
	}
	pass.Out.SortSource(pass.Body)
	return nil
}

// draw fills the curve.
func (s *scratch) draw(kinds []page.TokenKind) {
	if cap(s.curve) < len(kinds)+1 {
		s.curve = make([]int32, len(kinds)+1+len(kinds)/4)
	}
	s.curve = s.curve[:len(kinds)+1]
	tags, curve := int32(0), s.curve
	curve[0] = 0
	for k, kind := range kinds {
		if kind != page.TokenWord {
			tags++
		}
		curve[k+1] = tags
	}
}

// find computes the areas from the curve.
func (p Params) find(s *scratch) {
	d := s.curve
	n := len(d) - 1
	s.areas = s.areas[:0]
	if d[n] == 0 {
		s.areas = append(s.areas, area{0, n})
		return
	}
	length := max(2, min(p.Window, 2*(n/p.Fit)))
	half := length / 2
	limit := float64(p.Factor * (float64(d[n]) / float64(n)))

	low, high := 0, 0 // windows in a row
	start, open := 0, false
	for from := 0; ; from += half {
		to := min(from+length, n)
		if slope := float64(d[to]-d[from]) / float64(to-from); slope < limit {
			low, high = low+1, 0
		} else {
			low, high = 0, high+1
		}
		switch {
		case !open && low == p.Run:
			start, open = from-(p.Run-1)*half, true
		case open && high == p.Run:
			// The high windows began Run strides ago, and the last window before them
			// ends here.
			s.areas = append(s.areas, area{start, from - p.Run*half + length})
			open, low = false, 0
		}
		if to == n {
			break
		}
	}
	if open {
		s.areas = append(s.areas, area{start, n})
	}
}
