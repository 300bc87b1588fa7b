package menex

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Links     int     // a menu has at least this many
	Gate      float64 // and at least this share of its characters in links
	Threshold float64 // smallest score of a menu

	Amplitude, Link, Text, List, Nav, Position float64 // weights
}

// Default has the values of the reconstruction.
var Default = Params{
	Links: 2, Gate: 0.75, Threshold: 0.5,
	Amplitude: 0.2, Link: 0.3, Text: 0.2, List: 0.1, Nav: 0.1, Position: 0.1,
}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("links", &p.Links, 1, 1<<20, "smallest number of links of a menu"),
		setting.Float("gate", &p.Gate, 0, 1, "smallest share of link characters of a menu"),
		setting.Float("threshold", &p.Threshold, 0, 100, "smallest score of a menu"),
		setting.Float("amplitude", &p.Amplitude, 0, 100, "weight of many element children"),
		setting.Float("link", &p.Link, 0, 100, "weight of links per leaf"),
		setting.Float("text", &p.Text, 0, 100, "weight of having little of the page's text"),
		setting.Float("list", &p.List, 0, 100, "weight of holding a list"),
		setting.Float("nav", &p.Nav, 0, 100, "weight of being a nav element"),
		setting.Float("position", &p.Position, 0, 100, "weight of standing early in the page"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "menex",
			Family: "menex",
			Doc:    "removes the menus of the page, which are found by a weighted sum of properties",
			Cite: algorithms.Cite{
				Authors: "Alarte, Insa, Silva",
				Title:   "Webpage menu detection based on DOM",
				Venue:   "SOFSEM",
				Year:    2017,
				URL:     "https://doi.org/10.1007/978-3-319-51963-0_32",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The weights, the threshold of 0.5 and the minimum share of links of 0.75 are not the authors'; this share lets most menus go at a cost of a few points of recall.",
				"Every node above the threshold is a menu; the source finds the one main menu of a page.",
				"Hidden elements are no links, lists or leaves, but count as children in amp and as rows in pos.",
				"The extractor returns what remains of the page without its menus.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	rows := page.Row(b.Len())
	kept := page.Row(0) // rows before it are settled
	tag, end, anchors := b.Tag, b.End, b.Anchors
	least := int32(p.Links)
	for i := page.Row(1); i < rows; {
		if anchors[end[i]]-anchors[i] < least || tag[i] == html.TagA || !p.menu(b, i) {
			i++
			continue
		}
		pass.Out.AddRows(b, page.Rows{Start: kept, End: i})
		kept, i = end[i], end[i]
	}
	pass.Out.AddRows(b, page.Rows{Start: kept, End: rows})
	return nil
}

// menu reports whether n, which has enough links, is a menu.
func (p Params) menu(b *page.Body, n page.Row) bool {
	chars := b.Sum(b.Chars, n)
	if chars == 0 || float64(b.Sum(b.AnchorChars, n)) < float64(p.Gate*float64(chars)) {
		return false
	}
	return p.score(b, n) >= p.Threshold
}

// score is the weighted sum of the properties of n, which has links and text.
func (p Params) score(b *page.Body, n page.Row) float64 {
	amplitude, list, nav := 0.0, 0.0, 0.0
	if k := b.EKids[n]; k > 0 {
		amplitude = 1 - 1/float64(k)
	}
	if b.Sum(b.Lists, n) > 0 {
		list = 1
	}
	if b.Tag[n] == html.TagNav {
		nav = 1
	}
	link := min(1, float64(b.Sum(b.Anchors, n))/float64(b.Sum(b.Leaves, n)))
	text := 1 - float64(b.Sum(b.Chars, n))/float64(b.Sum(b.Chars, 0))
	position := 1 - float64(n)/float64(b.Len())

	sum := float64(p.Amplitude * amplitude)
	sum += float64(p.Link * link)
	sum += float64(p.Text * text)
	sum += float64(p.List * list)
	sum += float64(p.Nav * nav)
	sum += float64(p.Position * position)
	return sum
}
