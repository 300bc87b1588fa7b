package cleaneval

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/score/internal/forms"
)

// matched is the alignment of a trial by Evert's program, which its two scorers share.
var matched = &algorithms.TrialFeature[match]{Name: "Evert's alignment", Compute: func(dst *match, _ *algorithms.Trial) {
	dst.done = 0
}}

// match finds matching blocks as Python's difflib does (Ratcliff and Obershelp
// 1988): the longest block of equal tokens, of several the earliest in the
// extraction and then in the gold; then the same on the left and on the right.
//
// difflib searches for every block in the texts themselves. Here the runs of equal
// tokens are found once. The blocks to the left and right of a block are among the
// parts of those runs that remain there, which soon become few.
type match struct {
	done       int // number of steps allowed when it was matched; 0 if it was not matched yet
	ok         bool
	common     int
	tags       int // tags of the extraction
	goldTags   int
	commonTags int

	isTag [3]int32
	queue []box
	runs  []run // runs of the boxes in queue whose runs are listed, in the order of queue
	right []run
	ends  []end // by gold position
	row   int   // counts the rows of all boxes, with a gap between two boxes
	steps int
}

// box is a part of the extraction and a part of the gold. If the box is listed, its
// runs are those of match.runs from its own index up to the next box's.
type box struct {
	eLow, eHigh, gLow, gHigh int32
	listed                   bool
	runs                     int
}

// run is a maximal block of equal tokens whose first token may begin a block: n tokens
// from e of the extraction and from g of the gold.
type run struct{ e, g, n int32 }

// before reports whether difflib takes r rather than o.
func (r run) before(o run) bool {
	return r.n > o.n || r.n == o.n && (r.e < o.e || r.e == o.e && r.g < o.g)
}

// end records which run ends at a gold position in a row of the search.
type end struct {
	row   int
	first run
	index int // index into match.runs, if the runs are listed
}

// maxRuns bounds the memory of runs, which take 12 bytes each. A box with more of them
// is searched again each time.
const maxRuns = 1 << 20

// places are the positions of each token of the gold, in order.
type places struct {
	first []int32 // by token: where its positions begin in at; one more at the end
	at    []int32
	// popular is true for each token that is too frequent to begin a block.
	popular []bool
}

// longGold is the length from which a gold can have popular tokens.
const longGold = 200

var goldPlaces = &algorithms.GoldFeature[places]{Name: "places of Evert's tokens", Compute: func(dst *places, g *algorithms.Gold) {
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

// find returns the positions in the gold at which token id may begin a block.
func (p *places) find(id int32) []int32 {
	if int(id) >= len(p.popular) || p.popular[id] {
		return nil
	}
	return p.at[p.first[id]:p.first[id+1]]
}

// match aligns t in at most the given number of steps and reports whether they were
// enough.
func (m *match) match(t *algorithms.Trial, steps int) bool {
	if m.done == steps {
		return m.ok
	}
	m.done, m.steps = steps, steps
	g, e := evert.Gold(t.Gold), evert.Trial(t)
	m.common, m.commonTags = 0, 0
	marked := goldText.Of(t.Gold).marked // without marks, tags are not used
	if marked {
		m.countTags(g, e)
	}
	p := goldPlaces.Of(t.Gold)
	m.ends = slices.Grow(m.ends[:0], len(g.IDs)+1)[:len(g.IDs)+1]
	clear(m.ends)
	m.row, m.runs = 0, m.runs[:0]
	m.queue = append(m.queue[:0], box{eHigh: int32(len(e)), gHigh: int32(len(g.IDs))})
	for len(m.queue) > 0 && m.steps >= 0 {
		b := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		var r run
		if b.listed {
			r = m.best(b)
		} else {
			b.runs = len(m.runs)
			r, b.listed = m.scan(b, e, p)
		}
		if m.steps < 0 {
			break
		}
		r = b.grow(r, g.IDs, e)
		if r.n == 0 {
			m.runs = m.runs[:b.runs]
			continue
		}
		m.common += int(r.n)
		if marked {
			for _, id := range e[r.e : r.e+r.n] {
				if slices.Contains(m.isTag[:], id) {
					m.commonTags++
				}
			}
		}
		m.split(b, r)
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

// best returns the run that difflib takes first in a listed box; its n is 0 if there is
// none.
func (m *match) best(b box) run {
	best := run{e: b.eLow, g: b.gLow}
	m.steps -= len(m.runs) - b.runs
	for _, r := range m.runs[b.runs:] {
		if r.before(best) {
			best = r
		}
	}
	return best
}

// scan does what best does for a box that is not listed. It appends the box's runs to
// the list unless there are too many.
func (m *match) scan(b box, e []int32, p *places) (best run, listed bool) {
	best, listed = run{e: b.eLow, g: b.gLow}, true
	m.row++
	for at := b.eLow; at < b.eHigh; at++ {
		m.row++
		list := p.find(e[at])
		low, high := 0, len(list)
		if b.gLow > 0 {
			low, _ = slices.BinarySearch(list, b.gLow)
		}
		if int(b.gHigh) < len(m.ends)-1 {
			high, _ = slices.BinarySearch(list, b.gHigh)
		}
		if m.steps -= 1 + high - low; m.steps < 0 {
			return best, false
		}
		if listed && len(m.runs)-b.runs+high-low > maxRuns {
			m.runs, listed = m.runs[:b.runs], false
		}
		// The list is read from the back, because each position needs what the row
		// before left at the position before it.
		for _, to := range slices.Backward(list[low:high]) {
			now := end{row: m.row, first: run{at, to, 1}, index: len(m.runs)}
			if to > b.gLow && m.ends[to-1].row == m.row-1 {
				now = m.ends[to-1]
				now.row = m.row
				now.first.n++
			}
			if listed {
				if now.index == len(m.runs) {
					m.runs = append(m.runs, now.first)
				} else {
					m.runs[now.index].n++
				}
			}
			m.ends[to] = now
			if now.first.before(best) {
				best = now.first
			}
		}
	}
	return best, listed
}

// grow extends a run by adjacent equal tokens that cannot begin a block themselves.
func (b *box) grow(r run, g, e []int32) run {
	for r.e > b.eLow && r.g > b.gLow && e[r.e-1] == g[r.g-1] {
		r = run{r.e - 1, r.g - 1, r.n + 1}
	}
	for r.e+r.n < b.eHigh && r.g+r.n < b.gHigh && e[r.e+r.n] == g[r.g+r.n] {
		r.n++
	}
	return r
}

// split queues the parts of box b that lie left and right of block r, with the parts of
// b's runs that lie there.
func (m *match) split(b box, r run) {
	left := box{eLow: b.eLow, eHigh: r.e, gLow: b.gLow, gHigh: r.g, listed: b.listed}
	right := box{eLow: r.e + r.n, eHigh: b.eHigh, gLow: r.g + r.n, gHigh: b.gHigh, listed: b.listed}
	// The runs on the left stay at the index where the box had them, because runs are
	// read in order.
	kept := m.runs[:b.runs]
	m.right = m.right[:0]
	for _, x := range m.runs[b.runs:] {
		if skip := max(right.eLow-x.e, right.gLow-x.g, 0); skip < x.n {
			m.right = append(m.right, run{x.e + skip, x.g + skip, x.n - skip})
		}
		if n := min(x.n, left.eHigh-x.e, left.gHigh-x.g); n > 0 {
			kept = append(kept, run{x.e, x.g, n})
		}
	}
	if left.runs = b.runs; left.holds() {
		m.queue = append(m.queue, left)
	} else {
		kept = kept[:b.runs]
	}
	m.runs = kept
	if right.runs = len(m.runs); right.holds() {
		m.runs = append(m.runs, m.right...)
		m.queue = append(m.queue, right)
	}
}

// holds reports whether neither side of b is empty.
func (b *box) holds() bool { return b.eLow < b.eHigh && b.gLow < b.gHigh }
