package rtdmtd

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// Budget is the note on a template or a page for which a mapping would have taken more
// steps than allowed.
const Budget = "budget"

// Params are the settings of the extractor.
type Params struct {
	Label  string // what makes two nodes equal: LabelFull, LabelIDC or LabelTag
	Remove string // how the template is found on a page: RemoveMap or RemoveHash
	Steps  int    // most steps of one mapping
}

// Values of Params.Label and Params.Remove.
const (
	LabelFull = "full"
	LabelIDC  = "idc"
	LabelTag  = "tag"

	RemoveMap  = "map"
	RemoveHash = "hash"
)

// Default has the values of the package's doc.
var Default = Params{Label: LabelFull, Remove: RemoveMap, Steps: 20_000_000}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("label", &p.Label, "nodes are equal by tag and attributes, by tag, id and classes, or by tag", LabelFull, LabelIDC, LabelTag),
		setting.Choice("remove", &p.Remove, "the template is mapped to the page, or its subtrees are looked up", RemoveMap, RemoveHash),
		setting.Int("steps", &p.Steps, 0, 1_000_000_000, "steps that a mapping may take before subtrees are looked up instead"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "rtdm-td",
			Family: "rtdm-td",
			Doc:    "removes the nodes that the cheapest top-down mapping finds on all sample pages",
			Cite: algorithms.Cite{
				Authors: "Vieira, da Silva, Pinto, de Moura, Cavalcanti, Freire",
				Title:   "A fast and robust method for web page template detection and removal",
				Venue:   "CIKM",
				Year:    2006,
				URL:     "https://doi.org/10.1145/1183614.1183654",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"Elements are equal if tag and attributes are, and texts if their characters are; the paper leaves equality open. The one open program compares as strictly, and the published figures (recall 99, precision 52) are those of a strict matcher. label=idc and label=tag are less strict; with the latter all texts are alike.",
				"The first row and column of the table of costs are cumulative, as the authors' listing must mean; in print they are 0.",
				"The sample is folded in the order of ranks; the paper takes random pages.",
				"The template is mapped to the page to remove it; the cheaper removal that the abstract mentions is remove=hash.",
				"A mapping of more than 20 million steps is not computed; equal subtrees are looked up instead.",
			},
			Cost: algorithms.Superlinear,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:  1,
			MinPages: 2,
			As:       fmt.Sprintf("rtdm-td:label=%s:steps=%d", p.Label, p.Steps),
			Sketch:   p.sketch,
			Finish:   p.finish,
			Open:     open,
		},
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// labels returns the labels by which nodes are compared.
func (p Params) labels(pass *algorithms.Pass) *canon.Labels {
	switch p.Label {
	case LabelIDC:
		return canon.IDC.Of(pass)
	case LabelTag:
		return canon.Tags.Of(pass)
	}
	return canon.Full.Of(pass)
}

type scratch struct {
	mapper mapper
	tree   labeltree.Tree
	keep   []bool // leaves
}

// run drops the content leaves that are paired with the template at no cost.
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
	learned := pass.Template.Value.(*template)
	if t.Len() > 0 && learned.Len() > 0 {
		labels := p.labels(pass)
		s.tree = labeltree.Tree{Label: labels.Label, End: t.End}
		hash := p.Remove == RemoveHash
		if !hash && !s.mapper.run(learned.side, side{&s.tree, labels.Sub}, p.Steps) {
			pass.Notes = append(pass.Notes, Budget)
			hash = true
		}
		if hash {
			dropKnown(s.keep, t, labels.Sub, learned.keys)
		} else {
			for i, l := range t.Leaves {
				s.keep[i] = !s.mapper.inB[l.Node]
			}
		}
	}
	if !slices.Contains(s.keep, false) {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	t.Select(pass, s.keep)
	return nil
}

// dropKnown drops the subtrees whose keys are known.
func dropKnown(keep []bool, t *canon.Tree, sub []uint64, keys map[uint64]bool) {
	for n := canon.Node(0); int(n) < t.Len(); {
		if keys[canon.Join(t.Path[n], sub[n])] {
			clear(keep[t.First[n]:t.First[t.End[n]]])
			n = t.End[n]
		} else {
			n++
		}
	}
}
