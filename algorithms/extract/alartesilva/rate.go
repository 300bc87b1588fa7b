package alartesilva

import (
	"math"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// maxReach is the largest number of ancestors to whose wordRatio a text is added.
const maxReach = 256

// ratios of a node, in the order of Definition 3.1.
const (
	wordRatio = iota
	hyperlinkRatio
	childrenRatio
	positionRatio
	ratios
)

// node is a rated node.
type node struct {
	row      page.Row
	ratio    [ratios]float64
	distance float64

	wins, chosen bool // the results of step 6
}

// rate is step 1.
func (s *scratch) rate(b *page.Body) {
	s.spread(b)
	rows := b.Len()
	deepest := int32(0)
	for _, d := range b.Depth[:rows] {
		deepest = max(deepest, d)
	}
	tag, kids := b.Tag[:rows], b.Kids[:rows]
	for i := 1; i < rows; i++ {
		if kids[i] == 0 || !eligible(tag[i]) {
			continue
		}
		n := node{row: page.Row(i)}
		n.ratio[wordRatio] = s.reach[i]
		n.ratio[hyperlinkRatio] = 1
		if links := b.Sum(b.Anchors, n.row); links > 0 {
			n.ratio[hyperlinkRatio] = 1 / float64(links)
		}
		if kids[i] > 2 {
			n.ratio[childrenRatio] = 1
		}
		n.ratio[positionRatio] = 1
		if d := b.Depth[i]; 2*d > deepest {
			n.ratio[positionRatio] = float64(deepest)/float64(d) - 1
		}
		s.rated = append(s.rated, n)
	}
}

// spread computes wordRatio for every element. Texts with one parent are added
// together: they are at one distance from every ancestor.
func (s *scratch) spread(b *page.Body) {
	rows := b.Len()
	own, reach := s.own, s.reach
	tag, parent, w, wa := b.Tag[:rows], b.Parent[:rows], b.TextWords[:rows+1], b.AnchorWords[:rows+1]
	for i, t := range tag {
		if t == html.TagText {
			own[parent[i]] += w[i+1] - w[i] - (wa[i+1] - wa[i])
		}
	}
	for i, words := range own {
		if words == 0 {
			continue
		}
		n := page.Row(i)
		for d := 1; d <= maxReach; d++ {
			reach[n] += float64(words) / float64(d)
			if n == 0 {
				break
			}
			n = parent[n]
		}
	}
}

// distances are steps 2 and 3.
func (s *scratch) distances() {
	if len(s.rated) == 0 {
		return
	}
	count := float64(len(s.rated))
	var low, high, mean, sd [ratios]float64
	low, high = s.rated[0].ratio, s.rated[0].ratio
	for i := range s.rated {
		for k, r := range &s.rated[i].ratio {
			mean[k] += r
			low[k], high[k] = min(low[k], r), max(high[k], r)
		}
	}
	for k := range mean {
		mean[k] /= count
	}
	for i := range s.rated {
		for k, r := range &s.rated[i].ratio {
			d := r - mean[k]
			sd[k] += float64(d * d)
		}
	}
	for k := range sd {
		sd[k] = math.Sqrt(sd[k] / count)
		if low[k] == high[k] {
			sd[k] = 0 // equal values have no deviation, however their mean was rounded
		}
	}
	for i := range s.rated {
		sum := 0.0
		for k, r := range &s.rated[i].ratio {
			if sd[k] > 0 {
				z := (r - mean[k]) / sd[k]
				sum += float64(z * z)
			}
		}
		s.rated[i].distance = math.Sqrt(sum)
	}
}

// candidates is step 4: it leaves the c-SET in s.members, the farthest first.
func (p Params) candidates(s *scratch, b *page.Body) {
	least := b.Sum(b.TextWords, 0)
	for i := range s.rated {
		n := &s.rated[i]
		if p.Third && 3*b.Sum(b.TextWords, n.row) < least {
			continue
		}
		at := len(s.members)
		for at > 0 && n.before(&s.members[at-1]) {
			at--
		}
		if at == p.C {
			continue
		}
		if len(s.members) < p.C {
			s.members = append(s.members, node{})
		}
		copy(s.members[at+1:], s.members[at:])
		s.members[at] = *n
	}
}

// before reports whether n, which follows m in the document, precedes it
// in the c-SET.
func (n *node) before(m *node) bool {
	if n.distance != m.distance {
		return n.distance > m.distance
	}
	return n.ratio[wordRatio] > m.ratio[wordRatio]
}
