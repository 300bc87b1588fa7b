package contentextractor

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

// Params are the settings of the extractor.
type Params struct {
	HTML5   bool   // blocks are cut at the block elements of HTML5, too
	Eps     int    // percent of the cosine that similar blocks exceed
	Phi     int    // percent of the other pages that make a block template
	Weights string // Counts or Binary
	Order   string // OrderPage or OrderPaper: of the text
}

// What a feature of a block weighs.
const (
	Counts = "counts" // as often as it occurs
	Binary = "binary" // 1
)

// Default and DefaultHTML5 have the values of the package's doc.
var (
	Default      = Params{Eps: 90, Phi: 10, Weights: Counts, Order: OrderPage}
	DefaultHTML5 = Params{HTML5: true, Eps: 90, Phi: 10, Weights: Counts, Order: OrderPage}
)

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("eps", &p.Eps, 0, 99, "percent of the cosine that two similar blocks exceed"),
		setting.Int("phi", &p.Phi, 1, 100, "percent of the site's other pages that make a block template"),
		setting.Choice("weights", &p.Weights, "what a word of a block weighs: as often as it occurs, or 1", Counts, Binary),
		setting.Choice("order", &p.Order, "the text is in the order of the page, or in that in which the page is cut into blocks", OrderPage, OrderPaper),
	}
}

var (
	// Extractor is the extractor as published.
	Extractor = New(Default)
	// HTML5Extractor cuts pages at the block elements of HTML5, too.
	HTML5Extractor = New(DefaultHTML5)
)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "content-extractor",
			Family: "content-extractor",
			Doc:    "selects the blocks for which few other pages of the site have a similar one",
			Cite: algorithms.Cite{
				Authors: "Debnath, Mitra, Giles",
				Title:   "Automatic extraction of informative blocks from webpages",
				Venue:   "SAC",
				Year:    2005,
				URL:     "https://pennstate.pure.elsevier.com/en/publications/automatic-extraction-of-informative-blocks-from-webpages",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The function of the document frequency and its threshold are choices of this package: the paper only requires that the function falls with the frequency.",
				"Words are counted, not weighed, stemmed or filtered, and counts end at 255.",
				"Blocks are returned in the order of the page; order=paper returns them in the order in which the page was divided, for measures that depend on the order of words.",
				"A block without features (only media that are no images) is dropped, and so is one without words and media.",
				"A page is not compared with blocks of the sample that have no similar block on another page, so a page outside of the sample keeps slightly more blocks than one inside.",
			},
			Cost: algorithms.NLogN,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:     1,
			MinPages:    2,
			LeaveOneOut: true,
			As:          fmt.Sprintf("content-extractor:html5=%v:eps=%d:weights=%s", p.HTML5, p.Eps, p.Weights),
			Sketch:      p.sketch,
			Finish:      p.finish,
			Open:        p.open,
		},
	}
	if p.HTML5 {
		e.Name += "-h5"
		e.Doc += ", with the block elements of HTML5"
		e.Departures = append(e.Departures, "Pages are divided at the block elements of HTML5 as well.")
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// read returns the blocks and vectors of the page.
func (p Params) read(pass *algorithms.Pass) (*block.Blocks, *vector.Page) {
	switch {
	case p.HTML5 && p.Weights == Binary:
		return block.HTML5.Of(pass), vector.HTML5Binary.Of(pass)
	case p.HTML5:
		return block.HTML5.Of(pass), vector.HTML5.Of(pass)
	case p.Weights == Binary:
		return block.Classic.Of(pass), vector.ClassicBinary.Of(pass)
	}
	return block.Classic.Of(pass), vector.Classic.Of(pass)
}

// pageWork bounds the cost of comparing one page, see vector.Search.Left.
const pageWork = 1 << 22

type scratch struct {
	search  vector.Search
	keep    []bool
	content []bool // by vector
	arranged
}

func (p Params) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil {
		return err
	}
	blocks, vectors := p.read(pass)
	learned := pass.Template.Value.(*template)
	others := mask.Without(learned.pages, pass.Template.Page)
	least := mask.Threshold(p.Phi, others.N)
	s := algorithms.Scratch[scratch](pass)
	s.search.Left = pageWork
	s.content = s.content[:0]
	dropped := 0
	for i := range vectors.Len() {
		pages, ok := learned.index.Pages(&s.search, vectors.View(i), learned.masks,
			func(pages uint64) bool { return others.Count(pages) >= least })
		if !ok {
			return algorithms.ErrPageTooLarge
		}
		content := others.Count(pages) < least
		s.content = append(s.content, content)
		if !content {
			dropped++
		}
	}
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	for leaf, b := range blocks.Of {
		v := vectors.Block[b]
		s.keep[leaf] = v >= 0 && s.content[v]
	}
	if dropped == 0 && len(t.Leaves) > 0 {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	t.Select(pass, s.keep)
	if p.Order == OrderPaper {
		p.arrange(pass, t, blocks, s)
	}
	return nil
}
