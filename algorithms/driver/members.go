package driver

import (
	"fmt"
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// plan lists what runs on a page, in the order of execution: the order of the
// configuration, except that members come before the ensembles that read their answers.
type plan struct {
	order   []*algorithms.Extractor
	listed  []bool  // whether it was chosen; an unlisted one runs only as a member and has no row
	members [][]int // indices in order of the members
	below   [][]int // the members, their members and so on, each once
	readers [][]int // the ensembles that it is a member of
	rows    []int   // index in order of each chosen extractor, as the configuration lists them
	finds   []find  // searches for facts
	values  int     // number of values of all finds
}

func newPlan(chosen []*algorithms.Extractor) (*plan, error) {
	p := &plan{order: algorithms.WithMembers(chosen)}
	at := make(map[string]int, len(p.order))
	for i, e := range p.order {
		var members, below []int
		for _, m := range e.Members {
			k, known := at[m.Name]
			if !known {
				return nil, fmt.Errorf("driver: extractor %s reads its own answer through its member %s", e.Name, m.Name)
			}
			members = append(members, k)
			below = append(append(below, k), p.below[k]...)
		}
		slices.Sort(below)
		p.members, p.below = append(p.members, members), append(p.below, slices.Compact(below))
		at[e.Name] = i
	}
	p.readers = make([][]int, len(p.order))
	for i, members := range p.members {
		for _, k := range members {
			p.readers[k] = append(p.readers[k], i)
		}
	}
	p.listed = make([]bool, len(p.order))
	for _, e := range chosen {
		p.listed[at[e.Name]] = true
		p.rows = append(p.rows, at[e.Name])
	}
	return p, nil
}

// extractionsInto returns the extractions of the chosen extractors, in the order of
// the configuration. They share memory with the extractions of the workspace. The time of
// an ensemble includes that of its members, so that it does not depend on what else was
// chosen.
func (h *workspace) extractionsInto(dst []Extraction) []Extraction {
	dst = dst[:0]
	for _, i := range h.plan.rows {
		x := h.extractions[i]
		if x.Outcome != algorithms.Skipped {
			for _, k := range h.plan.below[i] {
				if h.reads(i, k) {
					x.ExtractNS += h.extractions[k].ExtractNS
				}
			}
		}
		dst = append(dst, x)
	}
	return dst
}

// needed reports whether the i-th extractor runs on the page: it was chosen, or an ensemble
// reads its answer.
func (h *workspace) needed(i int) bool {
	return h.plan.listed[i] || slices.ContainsFunc(h.plan.readers[i], func(ensemble int) bool { return h.reads(ensemble, i) })
}

// reads reports whether the ensemble needs the answer of the extractor k, which is below it.
func (h *workspace) reads(ensemble, k int) bool {
	members := h.plan.members[ensemble]
	needs, at := h.plan.order[ensemble].Needs, slices.Index(members, k)
	if needs == nil || at < 0 {
		return true
	}
	before := make([]algorithms.Answer, at)
	for j := range before {
		before[j] = h.extractions[members[j]].answer()
	}
	return needs(before)
}

// offer puts into the pass what the i-th extractor may read besides the page. If the
// extractor must be skipped, offer returns the reason.
func (h *workspace) offer(i int, in Input) algorithms.Reason {
	h.pass.Answers, h.pass.Gold = h.pass.Answers[:0], nil
	if members := h.plan.members[i]; len(members) > 0 {
		answered := false
		for _, k := range members {
			a := h.extractions[k].answer()
			answered = answered || a.OK
			h.pass.Answers = append(h.pass.Answers, a)
		}
		if !answered {
			return algorithms.ReasonNoMembers
		}
	}
	if h.plan.order[i].Oracle {
		if in.Gold == nil || in.Gold.SnippetsOnly || !h.place(in.Gold.Text) {
			return algorithms.ReasonNoGold
		}
		h.pass.Gold = &h.placed
	}
	return algorithms.NoReason
}

// answer returns the part of x that an ensemble with this member may read.
func (x *Extraction) answer() algorithms.Answer {
	a := algorithms.Answer{Extractor: x.Extractor, OK: x.Outcome == algorithms.OK || x.Outcome == algorithms.Empty, Confidence: x.Confidence}
	if a.OK {
		a.Text = x.Text
		if x.HasSelection {
			a.Selection, a.Aligned = &x.Selection, x.Aligned
		}
	}
	return a
}

// place finds the location of the gold text on the page. It returns false if there is
// no function that aligns texts, or if that function panics.
func (h *workspace) place(text string) (ok bool) {
	if h.config.Align == nil {
		return false
	}
	defer func() {
		if v := recover(); v != nil {
			h.placed, ok = page.Selection{}, false
		}
	}()
	h.config.Align(&h.placed, h.pass.Body, text)
	return h.placed.Validate(h.pass.Body) == nil
}
