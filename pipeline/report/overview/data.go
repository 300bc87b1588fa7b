package overview

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// data is the data that the page's script draws.
type data struct {
	Scorers  []scorerData  `json:"scorers"`
	Packages []packageData `json:"packages"`
	Pages    []pageData    `json:"pages"` // those that Worst names
	// Worst lists the worst pages by extractor, package and page type ("" for all of them),
	// with line breaks between these: the index of the page, and its figure.
	Worst map[string][][2]figure `json:"worst"`
}

type scorerData struct {
	Name  string `json:"name"`
	F1    bool   `json:"f1"`
	Lower bool   `json:"lower"`
}

// packageData has a value of every list for each of Names.
type packageData struct {
	Names     []string            `json:"names"`
	Bounds    []bool              `json:"bounds"`
	Speed     []figure            `json:"speed"` // MB/s
	Scorer    string              `json:"scorer"`
	Scores    map[string][]figure `json:"scores"` // by scorer
	Precision []figure            `json:"precision"`
	Recall    []figure            `json:"recall"`
	// Histogram counts pages by their score, in equal steps from 0 to 1.
	Histogram [][]int64  `json:"histogram"`
	Agreement [][]figure `json:"agreement"`
}

type pageData struct {
	Package string `json:"package"`
	Doc     string `json:"doc"`
	URL     string `json:"url"`
	Bytes   int64  `json:"bytes"`
}

// figure is a number of the data with four digits; NaN is null.
type figure float64

func (f figure) MarshalJSON() ([]byte, error) {
	if x := float64(f); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return strconv.AppendFloat(nil, x, 'g', 4, 64), nil
	}
	return json.Marshal(nil)
}

// fillData collects what the script draws.
func (v *view) fillData(matrices map[string]sums) {
	v.Data.Scorers, v.Data.Packages = []scorerData{}, []packageData{}
	for _, m := range v.Scorers {
		v.Data.Scorers = append(v.Data.Scorers, scorerData{m.Name, hasF1(m), m.Lower})
	}
	for i := range v.Packages {
		p := &v.Packages[i]
		d := packageData{Scorer: p.Scorer.Name, Scores: map[string][]figure{}}
		for k := range p.Lines {
			l := &p.Lines[k]
			d.Names, d.Bounds, d.Speed = append(d.Names, l.Extractor), append(d.Bounds, l.Bound), append(d.Speed, figure(l.Row.MBPerS))
			d.Precision, d.Recall = append(d.Precision, figure(l.Row.HeadlinePrecision)), append(d.Recall, figure(l.Row.HeadlineRecall))
			if p.scored > 0 {
				for j, m := range v.Scorers {
					r := &l.All[j]
					d.Scores[m.Name] = append(d.Scores[m.Name], figure(stats.RankedFigure(r.Headline, r.Scored, r.SkippedGold, m.Lower)))
				}
			}
			d.Histogram = append(d.Histogram, v.histograms[histogramKey{p.Name, p.All, l.Extractor}])
			if s := matrices[p.Name]; len(s) > 0 {
				row := make([]figure, len(p.Lines))
				for j := range p.Lines {
					row[j] = figure(math.NaN())
					if mean := s.of(l.Extractor, p.Lines[j].Extractor).Mean(); mean.Known && j != k {
						row[j] = figure(mean.Value)
					}
				}
				d.Agreement = append(d.Agreement, row)
			}
		}
		v.Data.Packages = append(v.Data.Packages, d)
	}
	v.fillWorst()
}

// fillWorst adds the worst pages to the data, each of them once.
func (v *view) fillWorst() {
	v.Data.Worst, v.Data.Pages = map[string][][2]figure{}, []pageData{}
	at := map[[2]string]int{}
	keys := slices.SortedFunc(maps.Keys(v.worst), func(a, b worstKey) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.extractor, b.extractor), strings.Compare(a.pageType, b.pageType))
	})
	for _, k := range keys {
		var list [][2]figure
		for _, p := range v.worst[k].Pages() {
			key := [2]string{p.Package, p.DocID}
			index, known := at[key]
			if !known {
				index = len(v.Data.Pages)
				at[key] = index
				v.Data.Pages = append(v.Data.Pages, pageData{clean(p.Package), clean(p.DocID), clip(p.URL), p.Bytes})
			}
			if v.Scorer.Lower {
				p.Figure = -p.Figure
			}
			list = append(list, [2]figure{figure(index), figure(p.Figure)})
		}
		v.Data.Worst[clean(k.extractor)+"\n"+clean(k.pkg)+"\n"+clean(k.pageType)] = list
	}
}

// hasF1 reports whether a scorer has precision and recall.
func hasF1(m schemas.Method) bool { return m.Mean != string(algorithms.MeanValue) }
