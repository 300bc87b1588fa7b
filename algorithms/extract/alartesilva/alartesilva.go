package alartesilva

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	C     int     // size of the c-SET
	TR    float64 // text ratio of a group of links
	HR    int     // number of links that a group of links exceeds
	Guard float64 // share of a winner's words that spares a group of links
	Third bool    // candidates hold a third of the page's words
}

// Default has the values of the paper.
var Default = Params{C: 3, TR: 1.5, HR: 7, Guard: 0.5}

// Third is Default with a rule that the paper mentions but does not print.
var Third = Params{C: 3, TR: 1.5, HR: 7, Guard: 0.5, Third: true}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("c", &p.C, 1, 64, "size of the set of candidate nodes"),
		setting.Float("tr", &p.TR, 0, 1000, "a group of links has more than this many times its text outside links"),
		setting.Int("hr", &p.HR, 0, 1<<20, "a group of links has more links than this"),
		setting.Float("guard", &p.Guard, 0, 1, "a group of links has at most this share of the winner's words outside links; 1 spares none"),
	}
}

var (
	// Extractor is the extractor as published.
	Extractor = New(Default)
	// ThirdExtractor is the variant with the rule about a third of the words.
	ThirdExtractor = New(Third)
)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "alarte-silva",
			Family: "alarte-silva",
			Doc:    "selects the nodes with the most words per tag among those that stand out by four ratios",
			Cite: algorithms.Cite{
				Authors: "Alarte, Silva",
				Title:   "Page-level main content extraction from heterogeneous webpages",
				Venue:   "ACM Transactions on Knowledge Discovery from Data 15(6)",
				Year:    2021,
				URL:     "https://doi.org/10.1145/3451168",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The first test, of a flat page, counts the elements that are not excluded: the paper's text names the excluded ones.",
				"The depth in positionRatio is that from body: the paper's definition (depth of the subtree) contradicts its prose and its formula.",
				"A text under any anchor is left out of wordRatio, not only one whose parent is the anchor. wordRatio walks at most 256 ancestors; beyond, a text adds less than 0.4 % of its words.",
				"The farthest nodes are taken on both sides, so links far above the mean count as far, too. Ties go to the larger wordRatio, then to document order.",
				"All nodes with the most words per element win, the node itself counted, as the prose says; the pseudo-code keeps the first. If no candidate has words, nothing is selected.",
				"Groups of links are removed inside the winners, and winners stay. The rule about elements of one name follows the prose; the pseudo-code is inverted. If no text would be left, no group is removed.",
				"A node with more than half of its winner's words outside anchors is never taken for a group of links, because whole wrappers would vanish; this rule is an addition, and guard=1 switches it off.",
				"Section 3.1 mentions a rule about a third of the page's text and does not state it; alarte-silva-third alone has one.",
				"A hidden element is rated and counts as a child of its parent. It has no words, links or elements, so it wins nothing.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
	}
	if p.Third {
		e.Name = "alarte-silva-third"
		e.Doc += " and have at least a third of the page's words"
		e.Departures = append(e.Departures,
			"The rule about a third is a reconstruction: only nodes with at least a third of the page's words are candidates, and the whole page is taken if there are none.")
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

type scratch struct {
	depth   []int32   // eligible elements on the path from body
	own     []int32   // words outside anchors in the text directly below an element
	reach   []float64 // wordRatio
	rated   []node
	members []node // the c-SET, best first; then the winners in document order
	removed []page.Rows
}

func (s *scratch) resize(n int) {
	if cap(s.own) < n {
		s.depth, s.own, s.reach = make([]int32, n), make([]int32, n), make([]float64, n)
	}
	s.depth, s.own, s.reach = s.depth[:n], s.own[:n], s.reach[:n]
	clear(s.own)
	clear(s.reach)
	s.rated, s.members, s.removed = s.rated[:0], s.members[:0], s.removed[:0]
}

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	if b.Len() == 0 {
		return nil
	}
	s := algorithms.Scratch[scratch](pass)
	s.resize(b.Len())
	if s.flat(b) {
		pass.Out.AddRows(b, page.Rows{Start: 0, End: b.End[0]})
		return nil
	}
	s.rate(b)
	s.distances()
	p.candidates(s, b)
	if len(s.members) == 0 {
		pass.Out.AddRows(b, page.Rows{Start: 0, End: b.End[0]})
		return nil
	}
	s.reduce(b)
	s.choose(b)
	if !p.prune(s, b) {
		s.removed = s.removed[:0]
	}
	s.emit(b, &pass.Out)
	return nil
}

// eligible reports whether elements of this name may be main content.
func eligible(t html.Tag) bool {
	switch t {
	case html.TagText, html.TagA, html.TagNav, html.TagHr, html.TagSpan, html.TagEm,
		html.TagBody, html.TagScript, html.TagHeader, html.TagH1, html.TagH2,
		html.TagH3, html.TagH4, html.TagH5, html.TagBr, html.TagIframe:
		return false
	}
	return true
}

// flat is step 0: it reports whether the page is so flat that all of it is content.
func (s *scratch) flat(b *page.Body) bool {
	n := b.Len()
	depth, tag, parent := s.depth, b.Tag[:n], b.Parent[:n]
	depth[0] = 0
	deepest, top := int32(0), int32(0)
	for i := 1; i < n; i++ {
		d := depth[parent[i]]
		if eligible(tag[i]) {
			d++
			deepest = max(deepest, d)
			if parent[i] == 0 {
				top++
			}
		}
		depth[i] = d
	}
	return deepest < top
}

// reduce is step 5: it drops members that have the same text as a member above them.
func (s *scratch) reduce(b *page.Body) {
	kept := s.members[:0]
	for _, m := range s.members {
		// An overwritten member was either kept at a smaller index, or had a member
		// above it with the same text, which is then above m as well.
		if !slices.ContainsFunc(s.members, func(n node) bool {
			return n.row < m.row && m.row < b.End[n.row] && b.Sum(b.Chars, n.row) == b.Sum(b.Chars, m.row)
		}) {
			kept = append(kept, m)
		}
	}
	s.members = kept
}

// choose is step 6: it leaves the winners in s.members, in document order.
func (s *scratch) choose(b *page.Body) {
	words := func(n node) int64 { return int64(b.Sum(b.TextWords, n.row)) }
	tags := func(n node) int64 { return max(1, int64(b.Sum(b.Elements, n.row))) } // n counts itself, hidden or not
	all := s.members
	best := all[0]
	for _, n := range all[1:] {
		if words(n)*tags(best) > words(best)*tags(n) {
			best = n
		}
	}
	if words(best) == 0 {
		s.members = all[:0]
		return
	}
	for i, n := range all {
		all[i].wins = words(n)*tags(best) == words(best)*tags(n)
	}
	for i, n := range all {
		all[i].chosen = n.wins || slices.ContainsFunc(all, func(m node) bool {
			return m.wins && b.Parent[m.row] == b.Parent[n.row]
		})
	}
	slices.SortFunc(all, func(m, n node) int { return int(m.row) - int(n.row) })
	s.members = all[:0]
	end := page.Row(0) // end of the last winner's subtree
	for _, n := range all {
		if n.chosen && n.row >= end {
			s.members = append(s.members, n)
			end = b.End[n.row]
		}
	}
}

// emit writes the winners without what step 7 removed.
func (s *scratch) emit(b *page.Body, out *page.Selection) {
	removed := s.removed
	for _, root := range s.members {
		from, end := root.row, b.End[root.row]
		for len(removed) > 0 && removed[0].Start < end {
			out.AddRows(b, page.Rows{Start: from, End: removed[0].Start})
			from = removed[0].End
			removed = removed[1:]
		}
		out.AddRows(b, page.Rows{Start: from, End: end})
	}
}
