package driver

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// maxFactText bounds the bytes of a text that a fact finds: titles, addresses and
// descriptions come from the page, which may be hostile.
const maxFactText = 4 << 10

// find is one step of finding facts: a fact of the page, or a fact of the text of one
// extraction. It fills a stretch of workspace.values.
type find struct {
	fact       *fact.Fact
	finder     *fact.Finder
	extraction int // index of the extraction whose text is read, onPage for a fact of the page
	at         int // index of its first value
}

const onPage = -1

// finding takes the place of the number of an extractor in a step that finds facts; the
// number of the find takes the place of the number of a scorer.
const finding = -2

// planFacts returns all finds of a page, those of the page itself first, and the number
// of their values.
func planFacts(facts []*fact.Fact, p *plan) (finds []find, values int) {
	add := func(f *fact.Fact, finder *fact.Finder, extraction int) {
		if finder != nil {
			finds = append(finds, find{f, finder, extraction, values})
			values += len(finder.Columns)
		}
	}
	for _, f := range facts {
		add(f, f.Page, onPage)
	}
	for i := range p.order {
		if p.listed[i] {
			for _, f := range facts {
				add(f, f.Text, i)
			}
		}
	}
	return finds, values
}

// findAll finds the facts of the page and of the texts, after all extractors and before
// the scorers. A fact that fails leaves nulls and a reason. The error is ctx's.
func (h *workspace) findAll(ctx context.Context, in Input) error {
	if len(h.plan.finds) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(h.values)
	clear(h.unfound)
	clear(h.details)
	h.links.Reset()
	h.main = h.mainContent()
	features, began := h.featureNS, h.now()
	for k := range h.plan.finds {
		if !h.enter(step{finding, k}) {
			h.unfind(k, algorithms.ReasonTimeout, noAnswer)
			continue
		}
		h.findOne(k, in)
		if h.large {
			h.pass.DropScratch()
		}
	}
	// What facts compute of the page is not shared work of the extractors.
	h.factNS, h.featureNS = h.now()-began, features
	return nil
}

func (h *workspace) findOne(k int, in Input) {
	f := &h.plan.finds[k]
	s := fact.Subject{Pass: &h.pass, Headers: in.Headers, Index: in.Index, Site: in.Site, Out: h.valuesOf(k), Links: &h.links}
	if f.extraction == onPage {
		if h.main != onPage {
			s.Main = &h.extractions[h.main].Selection
		}
	} else {
		x := &h.extractions[f.extraction]
		if x.Outcome != algorithms.OK && x.Outcome != algorithms.Empty {
			return // there is no text
		}
		if same := h.sameText(k); same >= 0 {
			copy(s.Out, h.valuesOf(same))
			h.unfound[k] = h.unfound[same]
			return
		}
		s.Text = x.Text
	}
	defer func() {
		if v := recover(); v != nil {
			h.unfind(k, algorithms.ReasonPanic, fmt.Sprintf("%v\n%s", v, debug.Stack()))
			// Features that the fact was computing may be incomplete.
			src, url := h.pass.Page, h.pass.URL
			h.newPass()
			h.pass.Reset(src, url)
		}
	}()
	if err := f.finder.Find(&s); err != nil {
		h.unfind(k, algorithms.ReasonError, err.Error())
		return
	}
	for i, c := range f.finder.Columns {
		if c.Kind == fact.KindText {
			s.Out[i].SetText(clean(s.Out[i].Text))
		}
	}
}

// clean makes a text from a page valid for a table: UTF-8 of bounded length.
func clean(s string) string {
	if len(s) > maxFactText {
		n := maxFactText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func (h *workspace) unfind(k int, reason algorithms.Reason, detail string) {
	clear(h.valuesOf(k))
	h.unfound[k], h.details[k] = reason, detail
	if h.plan.finds[k].finder.Links {
		h.links.Reset()
	}
}

// mainContent returns the index of the extraction that is Subject.Main, onPage if there
// is none: the first one of the configuration that has a selection of its own.
func (h *workspace) mainContent() int {
	for _, i := range h.plan.rows {
		if x := &h.extractions[i]; x.Outcome == algorithms.OK && x.HasSelection && !x.Aligned {
			return i
		}
	}
	return onPage
}

// valuesOf returns the values of find k.
func (h *workspace) valuesOf(k int) []fact.Value {
	f := &h.plan.finds[k]
	return h.values[f.at : f.at+len(f.finder.Columns)]
}

// sameText returns an earlier find of the same fact in the same text, or -1. Many
// extractors agree on small pages.
func (h *workspace) sameText(k int) int {
	f := &h.plan.finds[k]
	x := &h.extractions[f.extraction]
	for j := range h.plan.finds[:k] {
		g := &h.plan.finds[j]
		if g.fact != f.fact || g.extraction == onPage {
			continue
		}
		if y := &h.extractions[g.extraction]; y.Outcome == x.Outcome && y.TextHash == x.TextHash && bytes.Equal(y.Text, x.Text) {
			return j
		}
	}
	return -1
}

// facts puts what was found into the result.
func (h *workspace) facts(r *Result) {
	r.Facts, r.Unfound, r.FactNS = nil, nil, h.factNS
	r.Links, r.LinkText, r.LinksBy = h.links.List, h.links.Text, nil
	if len(h.plan.finds) > 0 && h.main != onPage {
		r.LinksBy = h.plan.order[h.main]
	}
	for i := range h.extractions {
		h.extractions[i].Facts, h.extractions[i].Unfound = nil, nil
	}
	for k := range h.plan.finds {
		f := &h.plan.finds[k]
		values, unfound := &r.Facts, &r.Unfound
		if f.extraction != onPage {
			values, unfound = &h.extractions[f.extraction].Facts, &h.extractions[f.extraction].Unfound
		}
		if *values == nil {
			*values = h.values[f.at:f.at]
		}
		*values = (*values)[:len(*values)+len(f.finder.Columns)] // the finds of a subject follow each other
		if reason := h.unfound[k]; reason != algorithms.NoReason {
			*unfound = append(*unfound, Unfound{Fact: f.fact.Name, Reason: reason, Detail: h.details[k]})
		}
	}
}
