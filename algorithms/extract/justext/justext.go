package justext

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the constants of the extractor.
type Params struct {
	LengthLow       int     // characters: shorter paragraphs are short (or bad, with links)
	LengthHigh      int     // characters: longer ones are good if the stop words say so
	StopLow         float64 // share of function words of a near-good paragraph
	StopHigh        float64 // share of function words of a good one
	MaxLinkDensity  float64 // share of linked characters above which a paragraph is bad
	MaxHeadDistance int     // characters between a heading and the good paragraph that saves it
	Headings        bool    // whether headings are judged by what follows
	Language        string  // "page", "all" or one language's code
}

// Default has the constants of the author's program.
var Default = Params{LengthLow: 70, LengthHigh: 200, StopLow: 0.30, StopHigh: 0.32, MaxLinkDensity: 0.2,
	MaxHeadDistance: 200, Headings: true, Language: "page"}

// Extractor is jusText with its own constants, Bench and Traf with those of
// two published comparisons.
var (
	Extractor = New("justext", "classifies paragraphs by length, stop words and links, then by their neighbours", Default)
	Bench     = New("justext-bench", "runs jusText with the constants of two published benchmarks", Params{LengthLow: 50, LengthHigh: 200,
		StopLow: 0.1, StopHigh: 0.2, MaxLinkDensity: 0.2, MaxHeadDistance: 200, Language: "en"})
	Traf = New("justext-traf", "runs jusText with the constants of Trafilatura's comparison", Params{LengthLow: 50, LengthHigh: 150,
		StopLow: 0.1, StopHigh: 0.2, MaxLinkDensity: 0.3, MaxHeadDistance: 150, Language: "all"})
)

// New returns an extractor with the given name and constants.
func New(name, doc string, params Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name: name, Family: "justext", Doc: doc,
			Cite: algorithms.Cite{Authors: "Pomikálek", Title: "Removing boilerplate and duplicate content from web corpora",
				Venue: "PhD thesis, Masaryk University", Year: 2011, URL: "https://is.muni.cz/th/45523/fi_d/"},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The stop lists are Winnow's own: the English list is made by the author's recipe from other texts, and those of other languages are shorter.",
				"justext takes the list of the language that the page declares, else the one with most hits; without any, both thresholds of stop words are 0, as in the program without a list. The other two have one list whatever the page's language, as in the benchmarks' program.",
				"Hidden text and text in svg and math is ignored.",
			},
			Cost: algorithms.Linear,
		},
		Run: func(p *algorithms.Pass) error { return run(p, &params) },
	}
	return setting.Tune(e, params, (*Params).settings, func(q Params) *algorithms.Extractor { return New(name, doc, q) })
}

func (p *Params) settings() []setting.Setting {
	const most = 1 << 20
	return []setting.Setting{
		setting.Int("length_low", &p.LengthLow, 0, most, "characters below which a paragraph is short"),
		setting.Int("length_high", &p.LengthHigh, 0, most, "characters above which a paragraph can be good by itself"),
		setting.Float("stop_low", &p.StopLow, 0, 1, "share of function words of a near-good paragraph"),
		setting.Float("stop_high", &p.StopHigh, 0, 1, "share of function words of a good paragraph"),
		setting.Float("max_link", &p.MaxLinkDensity, 0, 1, "share of linked characters above which a paragraph is bad"),
		setting.Int("max_head", &p.MaxHeadDistance, 0, 10_000, "characters between a heading and the good paragraph that saves it"),
		setting.Bool("headings", &p.Headings, "headings are judged by what follows"),
		setting.Choice("language", &p.Language, "stop list: of the page's language, all in one, or of one language",
			append([]string{"page", "all"}, stopwords.Languages()...)...),
	}
}

func run(p *algorithms.Pass, params *Params) error {
	w := algorithms.Scratch[working](p)
	w.cut(p)
	limits := *params
	if !w.countStopWords(p, params) {
		limits.StopLow, limits.StopHigh = 0, 0
	}
	w.classifyContextFree(&limits)
	w.classifyInContext(&limits)
	for i := range w.paragraphs {
		if g := &w.paragraphs[i]; g.class == good {
			for _, row := range w.rows[g.rowsStart:g.rowsEnd] {
				p.Out.AddSpan(p.Body, page.Span{Start: p.Body.TextStart[row], End: p.Body.TextEnd[row]})
			}
		}
	}
	return nil
}
