package cetr

import (
	"math"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/lines"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Columns int     // columns of lines that are broken again
	Trigger int     // average length of lines above which they are
	S       float64 // standard deviation of the smoothing kernel, in lines
	K       int     // clusters, the one at the origin included
	Rounds  int     // most rounds of k-means
	Alpha   int     // lines that the change of ratio looks ahead
	Lambda  float64 // multiple of the standard deviation in cetr-tm
}

// Default has the published values.
var Default = Params{
	Columns: lines.DefaultWrap.Columns, Trigger: lines.DefaultWrap.Trigger,
	S: 2, K: 3, Rounds: 50, Alpha: 3, Lambda: 1,
}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("columns", &p.Columns, 1, 1<<20, "length of lines that are made anew"),
		setting.Int("trigger", &p.Trigger, 0, 1<<30, "average length of source lines above which lines are made anew"),
		setting.Float("s", &p.S, 0.1, 100, "standard deviation of the smoothing kernel in lines; its radius is the next whole number"),
		setting.Int("k", &p.K, 2, maxK, "clusters, with the one at the origin (cetr, cetr-km)"),
		setting.Int("rounds", &p.Rounds, 0, 10_000, "times that clusters are made anew, at most (cetr, cetr-km)"),
		setting.Int("alpha", &p.Alpha, 1, 1000, "lines that the change of the ratio looks ahead (cetr)"),
		setting.Float("lambda", &p.Lambda, 0, 1000, "standard deviations that a content line exceeds (cetr-tm)"),
	}
}

// Variant is a way to select content lines by their ratios.
type Variant struct {
	name, doc string
	choose    func(*method, *scratch)
}

// The variants of the paper.
var (
	TwoDimensional = Variant{"cetr", "clustered together with their change", (*method).byRatioAndChange}
	KMeans         = Variant{"cetr-km", "clustered", (*method).byRatio}
	Threshold      = Variant{"cetr-tm", "compared with their standard deviation", (*method).byDeviation}
)

// The published extractors.
var (
	CETR   = New(TwoDimensional, Default)
	CETRKM = New(KMeans, Default)
	CETRTM = New(Threshold, Default)
)

// New returns a variant with the given settings.
func New(v Variant, p Params) *algorithms.Extractor {
	m := &method{Params: p, kernel: kernel(p.S), choose: v.choose}
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   v.name,
			Family: "cetr",
			Doc:    "selects the source lines with much text per tag, by smoothed ratios that are " + v.doc,
			Cite: algorithms.Cite{
				Authors: "Weninger, Hsu, Han",
				Title:   "CETR: content extraction via tag ratios",
				Venue:   "WWW",
				Year:    2010,
				URL:     "https://doi.org/10.1145/1772690.1772789",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The smoothing kernel has a standard deviation of 2 lines, as in two re-implementations; a third has 1, and the difference is less than a point.",
				"Clusters are seeded farthest-first from the origin instead of at random, so that results repeat. Ties go to the earlier line and to the lower cluster, there are at most 50 rounds, and a cluster that loses all its lines keeps its centroid.",
				"The axes of the clustering are not scaled.",
				"The source is divided into lines again if their average length is above 260 characters; the paper gives the length of the new lines only.",
			},
			Cost: algorithms.Linear,
		},
		Run:    m.run,
		Curves: m.curves,
	}
	return setting.Tune(e, p, (*Params).settings, func(p Params) *algorithms.Extractor { return New(v, p) })
}

type method struct {
	Params
	kernel []float64
	choose func(*method, *scratch)
}

// scratch has one entry a line.
type scratch struct {
	view    lines.View // for a wrap that is not the default
	raw     []float64
	ratio   []float64 // T'
	change  []float64 // D'
	cluster []int8
	content []bool
}

func (m *method) run(p *algorithms.Pass) error {
	s := algorithms.Scratch[scratch](p)
	view := m.lines(p, s)
	if view.Len() == 0 {
		return nil
	}
	m.measure(view, s)
	tokens := p.Page.Tokens()
	for i, content := range s.content {
		if content {
			p.Out.AddTokens(p.Body, tokens, int(view.From[i]), int(view.To[i]))
		}
	}
	p.Out.SortSource(p.Body)
	return nil
}

// measure computes the ratios of the lines and which of them are content.
func (m *method) measure(view *lines.View, s *scratch) {
	s.resize(view.Len())
	for i, tags := range view.Tags {
		s.raw[i] = float64(view.Chars[i]) / float64(max(1, tags))
	}
	smooth(s.ratio, s.raw, m.kernel)
	m.choose(m, s)
}

// curves returns the smoothed tag ratios of the lines.
func (m *method) curves(p *algorithms.Pass) []algorithms.Curve {
	s := algorithms.Scratch[scratch](p)
	view := m.lines(p, s)
	if view.Len() == 0 {
		return nil
	}
	m.measure(view, s)
	c := algorithms.Curve{Name: "smoothed tag ratios", X: "lines of the source", Y: "characters per tag", Values: slices.Clone(s.ratio), Threshold: math.NaN()}
	for i, content := range s.content {
		if content {
			c.Choose(i, i+1)
		}
	}
	return []algorithms.Curve{c}
}

func (m *method) lines(p *algorithms.Pass, s *scratch) *lines.View {
	wrap := lines.Wrap{Columns: m.Columns, Trigger: m.Trigger}
	if wrap == lines.DefaultWrap {
		return lines.Default.Of(p)
	}
	s.view.Split(p, wrap)
	return &s.view
}

func (s *scratch) resize(n int) {
	if cap(s.raw) < n {
		size := n + n/4
		s.raw, s.ratio, s.change = make([]float64, size), make([]float64, size), make([]float64, size)
		s.cluster, s.content = make([]int8, size), make([]bool, size)
	}
	s.raw, s.ratio, s.change = s.raw[:n], s.ratio[:n], s.change[:n]
	s.cluster, s.content = s.cluster[:n], s.content[:n]
}

// byDeviation is step 4: it compares the ratios with their standard deviation.
func (m *method) byDeviation(s *scratch) {
	limit := float64(m.Lambda * deviation(s.ratio))
	for i, t := range s.ratio {
		s.content[i] = t > limit
	}
}

// deviation is the population standard deviation of v.
func deviation(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	mean, squares := sum/float64(len(v)), 0.0
	for _, x := range v {
		d := x - mean
		squares += float64(d * d)
	}
	return math.Sqrt(squares / float64(len(v)))
}

// byRatio is step 5: it clusters the ratios.
func (m *method) byRatio(s *scratch) {
	clear(s.change)
	m.cluster(s)
}

// byRatioAndChange is step 6: it clusters the points of ratio and change.
func (m *method) byRatioAndChange(s *scratch) {
	n := len(s.ratio)
	for i := range s.raw {
		ahead := s.ratio[i+1 : min(n, i+1+m.Alpha)]
		s.raw[i] = 0
		if len(ahead) > 0 {
			sum := 0.0
			for _, t := range ahead {
				sum += t
			}
			s.raw[i] = math.Abs(sum/float64(len(ahead)) - s.ratio[i])
		}
	}
	smooth(s.change, s.raw, m.kernel)
	m.cluster(s)
}

// cluster marks the lines that are not in the cluster at the origin.
func (m *method) cluster(s *scratch) {
	kmeans(s.cluster, s.ratio, s.change, m.K, m.Rounds)
	for i, c := range s.cluster {
		s.content[i] = c != 0
	}
}
