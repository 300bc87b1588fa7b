package fe

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of k-fe.
type Params struct {
	K        int // clusters
	Clusters int // number of clusters, the highest of which are content
	Rounds   int // most rounds of k-means
}

// Default has the values of the reconstruction.
var Default = Params{K: 3, Clusters: 2, Rounds: 100}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("k", &p.K, 1, maxK, "number of clusters"),
		setting.Int("clusters", &p.Clusters, 1, maxK, "number of highest clusters that are content"),
		setting.Int("rounds", &p.Rounds, 0, 10_000, "times that clusters are made anew, at most"),
	}
}

const maxK = 16

var (
	// FE is the FeatureExtractor, which selects one block.
	FE = &algorithms.Extractor{
		Description: algorithms.Description{
			Name:     "fe",
			Family:   "fe",
			Doc:      "selects the block with the most text among those in which text outweighs all other features",
			Cite:     cite,
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"Features are normalised by their maximum over the page.",
				"Text outweighs the other features of a block if its share is strictly larger than the sum of theirs.",
				"Hidden elements are not counted as features, and hidden text not as text.",
			},
			Cost: algorithms.Linear,
		},
		Run: runFE,
	}
	// KFE is the K-FeatureExtractor, which selects clusters of blocks.
	KFE = New(Default)
)

var cite = algorithms.Cite{
	Authors: "Debnath, Mitra, Giles",
	Title:   "Identifying content blocks from web documents",
	Venue:   "ISMIS",
	Year:    2005,
	URL:     "https://doi.org/10.1007/11425274_30",
}

// New returns the K-FeatureExtractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:     "k-fe",
			Family:   "fe",
			Doc:      "selects the blocks in which text outweighs all other features, except for the cluster with the least text",
			Cite:     cite,
			Fidelity: algorithms.Reconstructed,
			Departures: append(slices.Clone(FE.Departures),
				"Blocks are clustered by their character counts, in exact arithmetic, into three clusters, of which two are content. On CleanEval one cluster gives a recall of 38, two 71 and three 80; 69.6 is published. An empty cluster counts as one of the two."),
			Cost: algorithms.NLogN,
		},
		Run: p.run,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// block counts what one atomic block contains.
type block struct {
	chars int32
	count [features]int32
}

type scratch struct {
	blocks []block  // by row; only rows of F have anything in it
	basket []winner // winners, in document order or by descending text
	chosen []bool   // by row
	levels []level
}

type winner struct {
	chars int32
	row   page.Row
}

func runFE(pass *algorithms.Pass) error {
	b := pass.Body
	s := algorithms.Scratch[scratch](pass)
	s.fill(b)
	if len(s.basket) == 0 {
		return nil
	}
	best := s.basket[0]
	for _, w := range s.basket[1:] {
		if w.chars > best.chars {
			best = w
		}
	}
	for i := best.row; i < b.End[best.row]; i++ {
		if b.FBlock[i] == best.row {
			pass.Out.AddRows(b, page.Rows{Start: i, End: i + 1})
		}
	}
	return nil
}

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	s := algorithms.Scratch[scratch](pass)
	s.fill(b)
	if len(s.basket) == 0 {
		return nil
	}
	// Winners are sorted by descending text, and in document order on ties.
	slices.SortFunc(s.basket, func(v, w winner) int {
		if v.chars != w.chars {
			return int(w.chars) - int(v.chars)
		}
		return int(v.row) - int(w.row)
	})
	s.cluster(p)

	if cap(s.chosen) < b.Len() {
		s.chosen = make([]bool, b.Len())
	}
	chosen := s.chosen[:b.Len()]
	clear(chosen)
	at := 0
	for _, l := range s.levels {
		for range l.blocks {
			chosen[s.basket[at].row] = l.content
			at++
		}
	}
	for i, f := range b.FBlock {
		if chosen[f] {
			pass.Out.AddRows(b, page.Rows{Start: page.Row(i), End: page.Row(i + 1)})
		}
	}
	return nil
}

// fill counts features and puts the winners into the basket (steps 1 to 3).
func (s *scratch) fill(b *page.Body) {
	n := b.Len()
	if cap(s.blocks) < n {
		s.blocks = make([]block, n)
	}
	s.blocks, s.basket = s.blocks[:n], s.basket[:0]
	clear(s.blocks)

	blocks, tag, fblock, flags, c := s.blocks, b.Tag[:n], b.FBlock[:n], b.Flags[:n], b.Chars[:n+1]
	for i, t := range tag {
		if t == html.TagText {
			blocks[fblock[i]].chars += c[i+1] - c[i]
		} else if f := featureOf(t); f != none && flags[i]&page.Hidden == 0 {
			blocks[fblock[i]].count[f]++
		}
	}
	var most block
	for i := range blocks {
		if fblock[i] != page.Row(i) { // not a block
			continue
		}
		most.chars = max(most.chars, blocks[i].chars)
		for f, count := range blocks[i].count {
			most.count[f] = max(most.count[f], count)
		}
	}
	for i := range blocks {
		if k := &blocks[i]; k.chars > 0 && k.textWins(&most) {
			s.basket = append(s.basket, winner{k.chars, page.Row(i)})
		}
	}
}

// textWins is the test of step 3; most has the maximum of each feature.
func (k *block) textWins(most *block) bool {
	others := 0.0
	for f, count := range k.count {
		if count > 0 {
			others += float64(count) / float64(most.count[f])
		}
	}
	return float64(k.chars)/float64(most.chars) > others
}
