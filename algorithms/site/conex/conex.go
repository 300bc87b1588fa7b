package conex

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/menupages"
)

// Params are the settings of the extractor.
type Params struct {
	Template menupages.Params // what is learned
	Climb    int              // how far above the best block its companions may be found
	MinWords int              // words outside links that the best block must have
}

// Default has the values of the reconstruction.
var Default = Params{Template: menupages.Default}

func (p *Params) settings() []setting.Setting {
	return append(p.Template.Settings(),
		setting.Int("climb", &p.Climb, 0, canon.MaxDepth, "ancestors above the best block's parent below which blocks are taken too"),
		setting.Int("min_words", &p.MinWords, 0, 1<<20, "words outside links that the best block must have"))
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "conex",
			Family: "conex",
			Doc:    "selects the best block, with its siblings, of what remains when the template of temex is removed",
			Cite: algorithms.Cite{
				Authors: "Alarte, Insa, Silva, Tamarit",
				Title:   "Main content extraction from heterogeneous webpages",
				Venue:   "WISE, LNCS 11233",
				Year:    2018,
				URL:     "https://doi.org/10.1007/978-3-030-02922-7_27",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The choice of the main content among the blocks outside the template (steps 2 to 4) is rebuilt from the abstract; siblings are taken because a later method of the same authors does so (Alarte and Silva 2021, Algorithm 4).",
				"The setting climb is an addition; 0 is the published rule.",
				"The template is that of temex, with its departures.",
			},
			Cost: algorithms.Linear,
		},
		Run:   p.run,
		Learn: menupages.Learner(p.Template),
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

type scratch struct {
	free   menupages.Free
	before []count // over the leaves in front of each leaf
	blocks []canon.Node
	keep   []bool
}

// count is about a range of leaves: how many of them are free, how many of these are
// media, and how many words outside links the free ones have.
type count struct{ free, media, words int32 }

func (p Params) run(pass *algorithms.Pass) error {
	s := algorithms.Scratch[scratch](pass)
	if err := s.free.Find(pass, p.Template); err != nil {
		return err
	}
	s.count(pass)
	s.pure()
	best, ok := s.best(p.MinWords)
	if !ok {
		return nil
	}
	t := s.free.Tree
	parent := t.Parent[best]
	above := parent
	for range p.Climb {
		above = max(0, t.Parent[max(0, above)])
	}
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	clear(s.keep)
	for _, b := range s.blocks {
		if t.Parent[b] == parent || p.Climb > 0 && above <= b && b < t.End[above] {
			for i := t.First[b]; i < t.First[t.End[b]]; i++ {
				s.keep[i] = true
			}
		}
	}
	t.Select(pass, s.keep)
	return nil
}

// count fills the prefix sums over the leaves.
func (s *scratch) count(pass *algorithms.Pass) {
	words := canon.WordsOf.Of(pass)
	var sum count
	s.before = append(s.before[:0], sum)
	for i, l := range s.free.Tree.Leaves {
		if s.free.Leaf[i] {
			sum.free++
			if l.Media {
				sum.media++
			} else if !l.InLink {
				sum.words += int32(len(words.Of(i)))
			}
		}
		s.before = append(s.before, sum)
	}
}

// in returns the count over the leaves of n, and how many leaves there are.
func (s *scratch) in(n canon.Node) (c count, leaves int32) {
	t := s.free.Tree
	first, end := t.First[n], t.First[t.End[n]]
	a, b := s.before[first], s.before[end]
	return count{b.free - a.free, b.media - a.media, b.words - a.words}, end - first
}

// pure fills blocks with Q, the largest pure elements and free texts.
func (s *scratch) pure() {
	s.blocks = s.blocks[:0]
	t := s.free.Tree
	for n := canon.Node(0); int(n) < t.Len(); {
		if c, leaves := s.in(n); leaves > 0 && c.free == leaves {
			s.blocks = append(s.blocks, n)
			n = t.End[n]
		} else {
			n++
		}
	}
}

// best returns b0, the best block.
func (s *scratch) best(minWords int) (best canon.Node, ok bool) {
	var most count
	for _, n := range s.blocks {
		c, _ := s.in(n)
		if c.words > most.words || most.words == 0 && c.words == 0 && c.media > most.media {
			best, most, ok = n, c, true
		}
	}
	return best, ok && int(most.words) >= minWords
}
