package fastcontentextractor

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/vector"
)

// Params are the settings of the extractor.
type Params struct {
	Cut     string // Classic or HTML5: what blocks are cut at
	Eps     int    // percent of the cosine that similar blocks exceed
	Phi     int    // percent of the other pages that make a block template
	Support int    // pages on which a path is content before it is in P
	Compare string // Atomic or Whole: what is compared with non-content blocks
}

// The values of Params.Cut, which say at which elements blocks are cut.
const (
	Classic = "classic" // TABLE TR UL P SPAN DIV
	HTML5   = "html5"   // these and the block elements of HTML5
)

// The values of Params.Compare, which say what is compared with non-content blocks.
const (
	Atomic = "atomic" // every atomic block, with those of its path
	Whole  = "block"  // an extracted block, with all
)

// Default has the values of the paper, and those of the package's doc where it
// has none.
var Default = Params{Cut: Classic, Eps: 90, Phi: 10, Support: 1, Compare: Atomic}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("bt", &p.Cut, "the elements that blocks are cut at: of the paper, or those of HTML5, too", Classic, HTML5),
		setting.Int("eps", &p.Eps, 0, 99, "percent of the cosine that two similar blocks exceed"),
		setting.Int("phi", &p.Phi, 1, 100, "percent of the site's other pages that make a block template"),
		setting.Int("support", &p.Support, 1, algorithms.MaxSample, "pages on which a path is content before it is taken from others"),
		setting.Choice("compare", &p.Compare, "what is compared with template blocks: each atomic block with those at its path, or each extracted block with all", Atomic, Whole),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "fast-content-extractor",
			Family: "fast-content-extractor",
			Doc:    "selects the blocks at the paths of the site's content blocks, except for those similar to its template",
			Cite: algorithms.Cite{
				Authors: "Nguyen, Nguyen, Pham, Bui",
				Title:   "A fast template-based approach to automatically identify primary text content of a web page",
				Venue:   "KSE",
				Year:    2009,
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The sub-blocks of the extraction rules are all blocks inside a block, or one rule would contradict the next; the rules apply at every depth.",
				"Of nested blocks at content paths the outermost is extracted, so no text comes twice; blocks at content paths inside a block that is not are extracted on their own.",
				"Atomic blocks are compared with the template blocks at their own path; the paper compares whole extracted blocks with all template blocks (compare=block), and a large block is hardly ever that similar to an atomic one.",
				"A path that is seen as content and as template is a content path.",
				"Text outside of all blocks is a block of its own, and the page as a whole is never extracted.",
				"The function of the document frequency and its threshold are those of content-extractor.",
			},
			Cost: algorithms.NLogN,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:  1,
			MinPages: 5,
			As:       fmt.Sprintf("fast-content-extractor:bt=%s:eps=%d:phi=%d:support=%d", p.Cut, p.Eps, p.Phi, p.Support),
			Sketch:   p.sketch,
			Finish:   p.finish,
			Open:     p.open,
		},
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// read returns the blocks of the page, and their vectors.
func (p Params) read(pass *algorithms.Pass) (*block.Blocks, *vector.Page) {
	if p.Cut == HTML5 {
		return block.HTML5.Of(pass), vector.HTML5.Of(pass)
	}
	return block.Classic.Of(pass), vector.Classic.Of(pass)
}

// path returns the path of a block. The page's own leaves have a path of their own.
func path(blocks *block.Blocks, b int) uint64 {
	if b == 0 {
		return canon.Join(blocks.Path[0], ownLeaves)
	}
	return blocks.Path[b]
}

// ownLeaves represents #own in a path. The name of an element hashes to it only by
// accident.
const ownLeaves = 0
