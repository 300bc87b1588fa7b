package iwptd

import (
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// Params are the settings of the extractor.
type Params struct {
	Phi   int    // percent of the other pages that make a segment template
	Theta int    // percent of its words that make a block template
	Mode  string // Batch or Stream: the pages that a page is judged by
}

// The values of Params.Mode, which say with which pages a page is compared.
const (
	Batch  = "batch"  // the sample, without the page itself
	Stream = "stream" // those of the sample before it
)

// Default has the values of the package's doc.
var Default = Params{Phi: 10, Theta: 50, Mode: Batch}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("phi", &p.Phi, 1, 100, "percent of the site's other pages that make a text segment template"),
		setting.Int("theta", &p.Theta, 1, 100, "percent of words in such segments that make a block template"),
		setting.Choice("mode", &p.Mode, "a page is judged by all pages of the sample, or by those before it, as published", Batch, Stream),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "iwptd",
			Family: "iwptd",
			Doc:    "selects the blocks whose texts do not occur at the same position of other pages of the site",
			Cite: algorithms.Cite{
				Authors: "Wang, Fang, Cheng, Guo, Xu",
				Title:   "Incremental web page template detection",
				Venue:   "WWW (posters)",
				Year:    2008,
				URL:     "https://archives.iw3c2.org/www2008/papers/pp286.html",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The rule for blocks, their score and both thresholds are choices of this package.",
				"Pages are compared with the final table of the sample, so that results do not depend on the order in which pages arrive; mode=stream compares each with the table of the pages before it, in the order of ranks.",
				"The table is reduced to its bound at the end, not while it grows; the bound is that of a template, some 16,000 segments, and not 65,536.",
				"A block without words, only with media, has no score and is content; one with neither is dropped.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:     1,
			MinPages:    5,
			LeaveOneOut: true,
			As:          fmt.Sprintf("iwptd:phi=%d", p.Phi),
			Sketch:      sketch,
			Finish:      p.finish,
			Open:        open,
		},
	}
	if p.Mode == Stream {
		e.Learn.As += ":mode=stream"
		e.Learn.Pages = algorithms.MaxSample
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// scratch is the working memory of one run.
type scratch struct {
	keys []uint64
	keep []bool
}

// key returns the key of a text leaf, which combines its path and its text.
func key(t *canon.Tree, leaf int) uint64 {
	return canon.Join(t.Path[t.Leaves[leaf].Node], xxhash.Sum64(t.Text(leaf)))
}

// sketch encodes the sorted keys of the page's segments. Those without words weigh
// nothing and are left out.
func sketch(p *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(p)
	if err != nil {
		return nil, err
	}
	s := algorithms.Scratch[scratch](p)
	s.keys = s.keys[:0]
	words := canon.WordsOf.Of(p)
	for i, l := range t.Leaves {
		if !l.Media && len(words.Of(i)) > 0 {
			s.keys = append(s.keys, key(t, i))
		}
	}
	return mask.Sketch(s.keys)
}

// finish makes the table of segments.
func (p Params) finish(s *algorithms.Sample) (algorithms.Learned, error) {
	if p.Mode == Stream {
		return wrap(mask.LearnStream(s, p.Phi))
	}
	return wrap(mask.Learn(s, p.Phi))
}

func open(body []byte) (any, error) { return wrap(mask.Open(body)) }

// wrap puts the name of the extractor in front of an error.
func wrap[T any](v T, err error) (T, error) {
	if err != nil {
		err = fmt.Errorf("iwptd: %w", err)
	}
	return v, err
}

// others returns the pages that count for the current page, and how many of them must
// have a segment.
func (p Params) others(pass *algorithms.Pass, pages int) (others mask.Others, least int) {
	if p.Mode != Stream {
		others = mask.Without(pages, pass.Template.Page)
		return others, mask.Threshold(p.Phi, others.N)
	}
	before := pass.Template.Page
	if before < 0 {
		before, _ = slices.BinarySearch(pass.Template.Ranks, website.RankOf(pass.URL))
	}
	before = min(before, pages)
	others, least = mask.Before(before), mask.Threshold(p.Phi, before)
	if before == shrunkAt {
		least = max(least, 2)
	}
	return others, least
}

// shrunkAt is the number of pages after which a stream's table drops the segments that
// occurred once.
const shrunkAt = 64

func (p Params) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil {
		return err
	}
	blocks, words := block.HTML5.Of(pass), canon.WordsOf.Of(pass)
	table := pass.Template.Value.(*mask.Table)
	others, least := p.others(pass, table.Pages)
	s := algorithms.Scratch[scratch](pass)
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	dropped := 0
	for b := range blocks.Len() {
		known := 0
		for _, leaf := range blocks.Leaves(b) {
			if n := len(words.Of(int(leaf))); n > 0 && others.Count(table.Of(key(t, int(leaf)))) >= least {
				known += n
			}
		}
		keep := !blocks.Discarded(b) && (known == 0 || 100*known < p.Theta*int(blocks.Words[b]))
		for _, leaf := range blocks.Leaves(b) {
			s.keep[leaf] = keep
		}
		if known > 0 && !keep {
			dropped++
		}
	}
	if dropped == 0 && len(t.Leaves) > 0 {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	t.Select(pass, s.keep)
	return nil
}
