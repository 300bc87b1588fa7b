package temex

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/menupages"
)

// Params are the settings of the extractor.
type Params = menupages.Params

// Default has the values of the reconstruction.
var Default = menupages.Default

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "temex",
			Family: "temex",
			Doc:    "removes the common part of pages of the site that link to each other",
			Cite: algorithms.Cite{
				Authors: "Alarte, Insa, Silva, Tamarit",
				Title:   "Site-level web template extraction based on DOM analysis",
				Venue:   "Perspectives of System Informatics (PSI), LNCS 9609",
				Year:    2015,
				URL:     "https://doi.org/10.1007/978-3-319-41579-6_4",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"Nodes are equal if their tags, ids and classes are equal (long runs of digits aside), and texts if they are the same. The authors use a score whose weights are not known; eq=score is a guess at it, which on 69 pages of four news portals takes the word F1 from 0.779 to 0.801, and that of conex from 0.872 to 0.889.",
				"The pairing of equal children and the number of chosen pages, four, are reconstructions.",
				"Pages are chosen once for a site, among the captured ones (cs=page chooses them for each page), and only their common part is stored (fold=exact stores them whole).",
				"Where no captured pages link to each other the first pages of the sample are taken, with a note.",
			},
			Cost: algorithms.Linear,
		},
		Run:   func(pass *algorithms.Pass) error { return run(pass, p) },
		Learn: menupages.Learner(p),
	}
	return setting.Tune(e, p, (*Params).Settings, New)
}

// run keeps the leaves that are not part of the template.
func run(p *algorithms.Pass, params Params) error {
	free := algorithms.Scratch[menupages.Free](p)
	if err := free.Find(p, params); err != nil {
		return err
	}
	free.Tree.Select(p, free.Leaf)
	return nil
}
