package cetd

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// sums fills DS and, for every subtree, the element with the largest.
func (s *scratch) sums(b *page.Body) {
	n := len(s.density)
	density, sum, best := s.density, s.sum, s.best
	tag, parent, end, e := b.Tag[:n], b.Parent[:n], b.End[:n], b.Elements[:n+1]
	for i := 1; i < n; i++ {
		if up := parent[i]; branches(up, end, e) {
			sum[up] += density[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		if tag[i] == html.TagText {
			continue
		}
		if !branches(page.Row(i), end, e) {
			sum[i] = density[i]
		}
		// Rows are visited from the back, so an equal sum nearer the front wins.
		m := best[i]
		if m == 0 || sum[i] >= sum[m] {
			m = page.Row(i)
			best[i] = m
		}
		if i == 0 {
			break
		}
		if up := parent[i]; best[up] == 0 || sum[m] >= sum[best[up]] {
			best[up] = m
		}
	}
}

// branches reports whether n has an element child, for columns end and E of the page.
// Hidden ones do not count, because the authors' program removes them first.
func branches(n page.Row, end []page.Row, e []int32) bool { return e[end[n]] > e[n+1] }

// threshold is θ: the smallest density from the element with the largest DS up
// to body.
func (s *scratch) threshold(b *page.Body) float64 {
	x := s.best[0]
	theta := s.density[x]
	for x != 0 {
		x = b.Parent[x]
		theta = min(theta, s.density[x])
	}
	return theta
}

// choose marks the roots of the selected subtrees, and their ancestors. An element
// selects if its density is at least least.
func (s *scratch) choose(b *page.Body, least float64) {
	n := page.Row(len(s.density))
	density, best, marks := s.density, s.best, s.mark
	tag, end, parent := b.Tag[:n], b.End[:n], b.Parent[:n]
	for i := page.Row(0); i < n; {
		if tag[i] == html.TagText {
			i++
			continue
		}
		if marks[i]&selected != 0 || density[i] < least {
			i = end[i]
			continue
		}
		if m := best[i]; marks[m]&selected == 0 {
			marks[m] |= selected
			for a := m; a != 0 && marks[parent[a]]&container == 0; {
				a = parent[a]
				marks[a] |= container
			}
		}
		if marks[i]&selected != 0 {
			i = end[i]
		} else {
			i++
		}
	}
}

// emit writes the selected subtrees and the bare text of their ancestors.
func (s *scratch) emit(b *page.Body, out *page.Selection) {
	n := page.Row(len(s.density))
	for i := page.Row(0); i < n; {
		switch {
		case s.mark[i]&selected != 0:
			out.AddRow(b, i)
			i = b.End[i]
		case s.mark[i]&container != 0:
			i++
		case b.Tag[i] == html.TagText: // the parent is a container, because other parents are passed over
			out.AddRow(b, i)
			i++
		default:
			i = b.End[i]
		}
	}
}
