package diff

import (
	"cmp"
	"math"
)

// comparison adds the pages of two runs to a result.
type comparison struct {
	result *Result
	pages  int            // the number of changed pages to name
	at     map[string]int // index of an extractor in result.Extractors
}

// merge reads both sides to their ends. Both have the same order.
func (c *comparison) merge(a, b *side) error {
	left, right := a.next(), b.next()
	for a.err == nil && b.err == nil && (left != nil || right != nil) {
		switch order := left.compare(right); {
		case order < 0:
			c.group(left, nil)
			left = a.next()
		case order > 0:
			c.group(nil, right)
			right = b.next()
		default:
			c.group(left, right)
			left, right = a.next(), b.next()
		}
	}
	return cmp.Or(a.err, b.err)
}

// compare orders groups by their key. No group, nil, follows all others.
func (g *group) compare(o *group) int {
	switch {
	case g == nil:
		return 1
	case o == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(g.pkg, o.pkg), cmp.Compare(g.id, o.id), cmp.Compare(g.extractor, o.extractor))
}

// group compares the pages of one key; a or b is nil if that run has none. If a document
// was archived several times under one id, its pages are paired in the order of the plan.
func (c *comparison) group(a, b *group) {
	key, other := a, b
	if key == nil {
		key, other = b, a
	}
	n := len(key.pages)
	if other != nil {
		n = max(n, len(other.pages))
	}
	e := &c.result.Extractors[c.at[key.extractor]]
	for i := range n {
		pa, pb := a.page(i), b.page(i)
		change := e.add(pa, pb)
		switch {
		case change == "":
			continue
		case len(c.result.Pages) >= c.pages:
			c.result.Further++
			continue
		}
		p := Page{Package: key.pkg, DocID: key.id, Extractor: key.extractor, Change: change}
		if pa != nil {
			p.URL, p.A = pa.url, pa.said()
		}
		if pb != nil {
			p.URL, p.B = pb.url, pb.said()
		}
		c.result.Pages = append(c.result.Pages, p)
	}
}

// add counts a page, and returns what changed, or "".
func (e *Extractor) add(a, b *page) string {
	e.Pages++
	switch {
	case a == nil:
		e.OnlyB++
		return "only_b"
	case b == nil:
		e.OnlyA++
		return "only_a"
	}
	for i := range e.Scores {
		e.Scores[i].add(a.score(i), b.score(i))
	}
	switch {
	case a.outcome != b.outcome || a.reason != b.reason:
		e.Outcome++
		if e.Outcomes == nil {
			e.Outcomes = map[string]int64{}
		}
		e.Outcomes[a.said()+" > "+b.said()]++
		return "outcome"
	case a.hash != b.hash:
		e.Text++
		return "text"
	}
	e.Same++
	return ""
}

// add counts the scores of a page, if it has one in both runs.
func (s *Score) add(a, b float64) {
	if math.IsNaN(a) || math.IsNaN(b) {
		return
	}
	s.Pages++
	s.sumA += a
	s.sumB += b
	switch {
	case a == b:
	case (b > a) != s.Lower:
		s.Better++
	default:
		s.Worse++
	}
}
