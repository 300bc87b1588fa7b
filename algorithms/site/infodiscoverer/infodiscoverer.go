package infodiscoverer

import (
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/block"
)

// Params are the settings of the extractor.
type Params struct {
	Delims string // Auto, Table or Layout
	Stop   string // None or English
}

// The values of Params.Delims, which say at which elements blocks are cut.
const (
	Auto   = "auto"   // decided for the site
	Table  = "table"  // TABLE alone, as published
	Layout = "layout" // TABLE and what took its place
)

// The values of Params.Stop, which determine which words are not terms.
const (
	None    = "none"
	English = "en"
)

// Default has the values of the package's doc.
var Default = Params{Delims: Auto, Stop: None}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("delims", &p.Delims, "the elements that blocks are cut at: tables, those of layout, or as suits the site", Auto, Table, Layout),
		setting.Choice("stop", &p.Stop, "the language whose function words are no terms", None, English),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	m := method{Params: p}
	if p.Stop == English {
		m.stop = make(map[uint64]bool)
		for word := range stopwords.Load(English).All() {
			m.stop[xxhash.Sum64String(word)] = true
		}
	}
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "info-discoverer",
			Family: "info-discoverer",
			Doc:    "selects the blocks whose words are spread unevenly over the pages of the site",
			Cite: algorithms.Cite{
				Authors: "Lin, Ho",
				Title:   "Discovering informative content blocks from web documents",
				Venue:   "KDD",
				Year:    2002,
				URL:     "https://doi.org/10.1145/775047.775134",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The formulas and the search for the threshold are rebuilt from the abstract and a summary; the entropy of a block is the mean over its distinct terms, not over their occurrences.",
				"Terms are words that are not stemmed; only single ASCII letters are left out, and with stop=en English function words.",
				"On sites without layout tables, pages are divided at the elements that replaced them.",
				"Entropies are rounded to multiples of 1/255 and compared as whole numbers, and logarithms are computed by one series, so that the result is the same on all machines.",
				"The page itself is not left out of the sample: a term that occurs on no other page has entropy 0, whether or not the page was sampled.",
				"A block without terms is dropped.",
			},
			Cost: algorithms.NLogN,
		},
		Run: m.run,
		Learn: &algorithms.Learner{
			Version:  1,
			MinPages: 5,
			As:       fmt.Sprintf("info-discoverer:delims=%s:stop=%s", p.Delims, p.Stop),
			Sketch:   m.sketch,
			Finish:   m.finish,
			Open:     open,
		},
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// method is Params with what is made of them.
type method struct {
	Params
	stop map[uint64]bool // hashes of words that are not terms; nil means none
}

// letters holds the hashes of the single ASCII letters.
var letters = func() map[uint64]bool {
	m := make(map[uint64]bool, 26)
	for c := 'a'; c <= 'z'; c++ {
		m[xxhash.Sum64String(string(c))] = true
	}
	return m
}()

// appendTerms appends the terms of a block's own leaves, with repetitions.
func (m *method) appendTerms(dst []uint32, blocks *block.Blocks, words *canon.Words, b int) []uint32 {
	for _, leaf := range blocks.Leaves(b) {
		for i := words.At[leaf]; i < words.At[leaf+1]; i++ {
			hash := words.Hash[i]
			if words.Length[i] == 1 && letters[hash] || m.stop[hash] {
				continue
			}
			dst = append(dst, uint32(hash>>32))
		}
	}
	return dst
}

// Memory that an unusually large page needed is released at the next one.
const keepTerms = 1 << 18

type scratch struct {
	terms       []uint32
	keep        []bool
	informative []bool
}

func (m method) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil {
		return err
	}
	learned := pass.Template.Value.(*template)
	blocks, words := cuts[learned.cut].Of(pass), canon.WordsOf.Of(pass)
	s := algorithms.Scratch[scratch](pass)
	if cap(s.terms) > keepTerms {
		s.terms = nil
	}
	s.informative = slices.Grow(s.informative[:0], blocks.Len())[:blocks.Len()]
	redundant := 0
	for b := range blocks.Len() {
		s.terms = m.appendTerms(s.terms[:0], blocks, words, b)
		slices.Sort(s.terms)
		s.terms = slices.Compact(s.terms)
		sum := 0
		for _, term := range s.terms {
			sum += int(learned.entropy(term))
		}
		s.informative[b] = len(s.terms) > 0 && 10*sum <= learned.tau*unit*len(s.terms)
		if !s.informative[b] && sum > 0 {
			redundant++
		}
	}
	if redundant == 0 && len(t.Leaves) > 0 {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	for leaf, b := range blocks.Of {
		s.keep[leaf] = s.informative[b]
	}
	t.Select(pass, s.keep)
	return nil
}
