package blockfrequency

import (
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/block"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// Params are the settings of the extractor.
type Params struct {
	Phi int // percent of the other pages that make a block template
}

// Default has the values of the package's doc.
var Default = Params{Phi: 10}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("phi", &p.Phi, 1, 100, "percent of the site's other pages that make a block template"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "block-frequency",
			Family: "block-frequency",
			Doc:    "selects the blocks that few other pages of the site have with the same words and links",
			Cite: algorithms.Cite{
				Authors: "Kolcz, Yih",
				Title:   "Site-independent template-block detection",
				Venue:   "PKDD",
				Year:    2007,
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"Blocks are elements, not visually separated regions: pages are not rendered.",
				"Media count with their addresses, because otherwise all blocks of images alone would be equal; a block without words and media is dropped.",
				"The frequent blocks of a site are removed; the classifier that learns from them is left out.",
				"The threshold is a choice of this package.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:     1,
			MinPages:    5,
			LeaveOneOut: true,
			As:          fmt.Sprintf("block-frequency:phi=%d", p.Phi),
			Sketch:      sketch,
			Finish:      func(s *algorithms.Sample) (algorithms.Learned, error) { return wrap(mask.Learn(s, p.Phi)) },
			Open:        func(body []byte) (any, error) { return wrap(mask.Open(body)) },
		},
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// wrap puts the name of the extractor in front of an error.
func wrap[T any](v T, err error) (T, error) {
	if err != nil {
		err = fmt.Errorf("block-frequency: %w", err)
	}
	return v, err
}

type scratch struct {
	keys    []uint64 // by block
	sorted  []uint64
	keep    []bool
	address []byte
}

// The kinds of parts of a block, as they enter its key.
const (
	aText uint64 = iota + 1
	aLink
	aMedium
)

// fill finds the keys of the page's blocks.
func (s *scratch) fill(pass *algorithms.Pass, t *canon.Tree, blocks *block.Blocks) {
	s.keys = slices.Grow(s.keys[:0], blocks.Len())[:blocks.Len()]
	clear(s.keys)
	leaf := 0
	for n, tag := range t.Tag {
		kind, part := uint64(0), uint64(0)
		switch {
		case tag == html.TagText:
			kind, part = aText, xxhash.Sum64(t.Text(leaf))
		case canon.IsMedia(tag):
			kind, part = aMedium, canon.Join(t.TagHash[n], s.target(pass, t.Row[n], "src"))
		case tag == html.TagA && pass.Body.Flags[t.Row[n]]&page.HasHref != 0:
			kind, part = aLink, s.target(pass, t.Row[n], "href")
		}
		if kind != aLink && kind != 0 {
			leaf++
		}
		if kind != 0 {
			b := blocks.Around(canon.Node(n))
			s.keys[b] = canon.Join(s.keys[b], canon.Join(kind, part))
		}
	}
}

// target returns the hash of the address in an attribute.
func (s *scratch) target(pass *algorithms.Pass, row page.Row, attribute string) uint64 {
	value, _ := pass.Page.Attr(pass.Body.Node[row], attribute)
	s.address, _ = address.Of.Of(pass).Append(s.address[:0], value)
	return xxhash.Sum64(s.address)
}

func sketch(pass *algorithms.Pass) ([]byte, error) {
	t, err := canon.Of(pass)
	if err != nil {
		return nil, err
	}
	blocks := block.HTML5.Of(pass)
	s := algorithms.Scratch[scratch](pass)
	s.fill(pass, t, blocks)
	s.sorted = s.sorted[:0]
	for b, key := range s.keys {
		if !blocks.Discarded(b) {
			s.sorted = append(s.sorted, key)
		}
	}
	return mask.Sketch(s.sorted)
}

func (p Params) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil {
		return err
	}
	blocks := block.HTML5.Of(pass)
	table := pass.Template.Value.(*mask.Table)
	others := mask.Without(table.Pages, pass.Template.Page)
	least := mask.Threshold(p.Phi, others.N)
	s := algorithms.Scratch[scratch](pass)
	s.fill(pass, t, blocks)
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	dropped := 0
	for b, key := range s.keys {
		keep := !blocks.Discarded(b)
		if keep && others.Count(table.Of(key)) >= least {
			keep = false
			dropped++
		}
		for _, leaf := range blocks.Leaves(b) {
			s.keep[leaf] = keep
		}
	}
	if dropped == 0 && len(t.Leaves) > 0 {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	t.Select(pass, s.keep)
	return nil
}
