package rbmtd

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	Sigma int // percent of paths in common from which on two pages are of one cluster
	Rho   int // percent of a cluster's pages that a subtree of the template is on
}

// Default has the values of the reconstruction.
var Default = Params{Sigma: 80, Rho: 100}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("sigma", &p.Sigma, 1, 100, "percent of tag paths in common that make two pages one cluster"),
		setting.Int("rho", &p.Rho, 1, 100, "percent of a cluster's pages that a subtree must be on to be template"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "rbm-td",
			Family: "rbm-td",
			Doc:    "removes the subtrees that all pages of the cluster have at the same path",
			Cite: algorithms.Cite{
				Authors: "Vieira, Carvalho, Berlt, de Moura, da Silva, Freire",
				Title:   "On finding templates on web collections",
				Venue:   "World Wide Web 12(2)",
				Year:    2009,
				URL:     "https://doi.org/10.1007/s11280-009-0059-3",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The condition that restricts the mapping is rebuilt: identical subtrees at equal tag paths are paired. A text is a subtree, so a text at one path on all pages is template.",
				"The similarity, the threshold and the order of clustering are reconstructions.",
				"Every subtree of the template is stored, not only the largest ones, so that the unchanged parts of a changed subtree are still found.",
				"Pages with more than 4096 distinct paths are compared by the 4096 smallest hashes of both together, which are as good as a random sample.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
	}
	e.Learn = &algorithms.Learner{
		Version:     1,
		MinPages:    2,
		LeaveOneOut: true,
		Sketch:      sketchPage,
		Finish:      p.finish,
		Open:        open,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

type scratch struct {
	paths []uint64
	keep  []bool // for each leaf, whether it is kept
}

// run drops the page's subtrees that the template of its cluster has.
func (p Params) run(pass *algorithms.Pass) error {
	t, err := canon.Of(pass)
	if err != nil {
		return err
	}
	s := algorithms.Scratch[scratch](pass)
	s.keep = slices.Grow(s.keep[:0], len(t.Leaves))[:len(t.Leaves)]
	for i := range s.keep {
		s.keep[i] = true
	}
	dropped := false
	of := pass.Template.Value.(*template)
	if i := p.nearest(s, t, of); i >= 0 {
		c := &of.clusters[i]
		pass.Template.Cluster = i + 1
		sub := canon.Full.Of(pass).Sub
		for n := canon.Node(0); int(n) < t.Len(); {
			first, end := t.First[n], t.First[t.End[n]]
			if first < end && p.template(c.keys.Of(canon.Join(t.Path[n], sub[n])), c.members, pass.Template.Page) {
				clear(s.keep[first:end])
				dropped = true
				n = t.End[n]
				continue
			}
			n++
		}
	}
	if !dropped {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	t.Select(pass, s.keep)
	return nil
}

// nearest returns the index of the cluster whose leader the page is most similar to,
// the first of several, or -1 if none is similar enough.
func (p Params) nearest(s *scratch, t *canon.Tree, of *template) int {
	s.paths = distinctPaths(s.paths[:0], t)
	best, bestCommon, bestAll := -1, 0, 1
	for i := range of.clusters {
		c := &of.clusters[i]
		common, all := similarity(c.paths, s.paths)
		if similar(common, all, p.Sigma) && common*bestAll > bestCommon*all {
			best, bestCommon, bestAll = i, common, all
		}
	}
	return best
}
