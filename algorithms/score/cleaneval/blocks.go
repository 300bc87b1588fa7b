package cleaneval

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// matched is the alignment of a trial by Evert's program, shared by its two
// measures.
var matched = &algorithms.Measured[match]{Name: "Evert's alignment", Compute: func(dst *match, _ *algorithms.Trial) {
	dst.done = 0
}}

// match finds matching blocks as Python's difflib does (Ratcliff and Obershelp
// 1988): the longest block of equal tokens, of several the earliest in the
// extraction and then in the gold; then the same on the left and on the right.
type match struct {
	done       int // steps allowed when it was matched; 0 for not yet
	ok         bool
	common     int
	tags       int // in the extraction
	goldTags   int
	commonTags int

	isTag [3]int32
	queue []box
	runs  []run // by gold position
	row   int   // counts the rows of all boxes, with a gap between two boxes
	steps int
}

// box is a part of the extraction and a part of the gold.
type box struct{ eLow, eHigh, gLow, gHigh int32 }

// run is the length of the block that ends at a gold position in a row.
type run struct {
	row    int
	length int32
}

// places are the positions of each token of the gold, in order.
type places struct {
	first []int32 // by token: where its positions begin in at; one more at the end
	at    []int32
	// Popular tokens begin no block.
	popular []bool
}

// longGold is the length of a gold from which tokens may be popular.
const longGold = 200

var goldPlaces = &algorithms.Prepared[places]{Name: "places of Evert's tokens", Compute: func(dst *places, g *algorithms.Gold) {
	gold := evert.Gold(g)
	dst.first = append(dst.first[:0], 0)
	dst.popular = dst.popular[:0]
	most := int32(len(gold.IDs)/100 + 1)
	for _, n := range gold.Counts {
		dst.first = append(dst.first, dst.first[len(dst.first)-1]+n)
		dst.popular = append(dst.popular, len(gold.IDs) >= longGold && n > most)
	}
	dst.at = slices.Grow(dst.at[:0], len(gold.IDs))[:len(gold.IDs)]
	next := slices.Clone(dst.first)
	for i, id := range gold.IDs {
		dst.at[next[id]] = int32(i)
		next[id]++
	}
}}

// of are the positions of token id in the gold that may begin a block.
func (p *places) of(id int32) []int32 {
	if int(id) >= len(p.popular) || p.popular[id] {
		return nil
	}
	return p.at[p.first[id]:p.first[id+1]]
}

// match aligns t in at most the given steps and reports whether they were enough.
func (m *match) match(t *algorithms.Trial, steps int) bool {
	if m.done == steps {
		return m.ok
	}
	m.done, m.steps = steps, steps
	g, e := evert.Gold(t.Gold), evert.Trial(t)
	m.countTags(g, e)
	m.common, m.commonTags = 0, 0
	p := goldPlaces.Of(t.Gold)
	m.runs = slices.Grow(m.runs[:0], len(g.IDs)+1)[:len(g.IDs)+1]
	clear(m.runs)
	m.row = 0
	m.queue = append(m.queue[:0], box{0, int32(len(e)), 0, int32(len(g.IDs))})
	for len(m.queue) > 0 && m.steps >= 0 {
		b := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		i, j, k := m.longest(b, g.IDs, e, p)
		if k == 0 {
			continue
		}
		m.common += int(k)
		for _, id := range e[i : i+k] {
			if slices.Contains(m.isTag[:], id) {
				m.commonTags++
			}
		}
		if b.eLow < i && b.gLow < j {
			m.queue = append(m.queue, box{b.eLow, i, b.gLow, j})
		}
		if i+k < b.eHigh && j+k < b.gHigh {
			m.queue = append(m.queue, box{i + k, b.eHigh, j + k, b.gHigh})
		}
	}
	m.ok = m.steps >= 0
	return m.ok
}

func (m *match) countTags(g *forms.Gold, e []int32) {
	for i, tag := range []string{"<p>", "<h>", "<l>"} {
		m.isTag[i] = g.Number([]byte(tag))
	}
	m.tags, m.goldTags = 0, 0
	for _, id := range e {
		if slices.Contains(m.isTag[:], id) {
			m.tags++
		}
	}
	for _, id := range g.IDs {
		if slices.Contains(m.isTag[:], id) {
			m.goldTags++
		}
	}
}

// longest is the longest block in b: k tokens from i of e and from j of g.
func (m *match) longest(b box, g, e []int32, p *places) (i, j, k int32) {
	i, j = b.eLow, b.gLow
	m.row++
	for at := b.eLow; at < b.eHigh; at++ {
		m.row++
		list := p.of(e[at])
		low, _ := slices.BinarySearch(list, b.gLow)
		high, _ := slices.BinarySearch(list, b.gHigh)
		if m.steps -= 1 + high - low; m.steps < 0 {
			return 0, 0, 0
		}
		better := false // in this row
		// From the back, as each place needs what the row before left in the
		// place before it.
		for _, to := range slices.Backward(list[low:high]) {
			length := int32(1)
			if to > b.gLow && m.runs[to-1].row == m.row-1 {
				length += m.runs[to-1].length
			}
			m.runs[to] = run{m.row, length}
			if length > k || better && length == k {
				i, j, k = at-length+1, to-length+1, length
				better = true
			}
		}
	}
	for i > b.eLow && j > b.gLow && e[i-1] == g[j-1] {
		i, j, k = i-1, j-1, k+1
	}
	for i+k < b.eHigh && j+k < b.gHigh && e[i+k] == g[j+k] {
		k++
	}
	return i, j, k
}
