package blocks

// TypeNames are the features that give the probability of each type of page.
var TypeNames = [...]string{
	"type.article", "type.collection", "type.documentation", "type.forum", "type.listing", "type.product", "type.service",
}

// PageTypes are the types of pages, with the names that WCXB gives them.
var PageTypes = []string{"article", "collection", "documentation", "forum", "listing", "product", "service"}

// Probability returns the feature for a probability p: 200 represents 1.
func Probability(p float32) uint8 { return uint8(max(0, min(200, int32(p*200)))) }

// SetTypes sets the features of the page's type for all blocks.
func (p *Page) SetTypes(probabilities *[7]float32) {
	var v [7]uint8
	for t, q := range probabilities {
		v[t] = Probability(q)
	}
	p.setColumns(Types, v[:])
}

// maxWeight bounds the words of a block in Mean: 32 times it and the largest byte fit
// into 32 bits.
const maxWeight = 1 << 16

// Mean sets row to the mean of each feature over the page's blocks, weighted by their
// words.
func (p *Page) Mean(row *Row) {
	var total [ofPage]uint64
	var words uint64
	for t := range p.Tiles {
		var weight [Lanes]uint32
		for lane := range p.Blocks[t*Lanes : min(len(p.Blocks), (t+1)*Lanes)] {
			weight[lane] = uint32(min(p.Blocks[t*Lanes+lane].Words, maxWeight))
			words += uint64(weight[lane])
		}
		var sums [ofPage]uint32
		dot(&p.Tiles[t], &weight, sums[:])
		for f, sum := range sums {
			total[f] += uint64(sum)
		}
	}
	*row = Row{}
	if words == 0 {
		return
	}
	for f := range ofPage {
		row[f] = uint8(total[f] / words)
	}
	for f := ofPage; f < Types; f++ {
		row[f] = p.Tiles[0][f][0]
	}
}

var secondNames = [...]string{
	"first.before3", "first.before2", "first.before1", "first.self", "first.after1", "first.after2", "first.after3",
	"first.in1", "first.in2", "first.in3", "first.in4", "first.group", "first.page", "first.share-before", "first.share-after",
	"first.largest", "first.window5", "first.window15", "first.heading", "first.section", "first.from-start", "first.from-end", "first.threshold",
}

// massSum is a sum of words, and a sum of words times probability.
type massSum struct{ words, mass float32 }

func (m massSum) mean(before massSum) uint8 {
	w := m.words - before.words
	if w <= 0 {
		return 0
	}
	return Probability((m.mass - before.mass) / w)
}

// SetSecond sets the features of the second stage from the probabilities of the blocks
// by the first stage.
func (p *Page) SetSecond(first []float32) {
	n := len(p.Blocks)
	p.mass = zeros(p.mass, n+1)
	p.groupMass = zeros(p.groupMass, len(p.groups))
	largest := float32(0)
	start, end := -1, -1
	for i := range p.Blocks {
		k := &p.Blocks[i]
		w := float32(k.Words)
		m := massSum{w, w * first[i]}
		p.mass[i+1] = massSum{p.mass[i].words + m.words, p.mass[i].mass + m.mass}
		g := &p.groupMass[k.group]
		g.words += m.words
		g.mass += m.mass
		largest = max(largest, first[i])
		if first[i] >= .5 && k.Words >= 5 {
			if start < 0 {
				start = i
			}
			end = i
		}
	}
	_, from := p.Independent(first)
	threshold := Probability(from)
	total := p.mass[n]
	page, most := total.mean(massSum{}), Probability(largest)

	// around has the probabilities as features; three more on both sides are beyond the page.
	const reach = 3
	p.around = sized(p.around, n+2*reach)
	for i, q := range first[:n] {
		p.around[reach+i] = Probability(q)
	}
	for i := range reach {
		p.around[i], p.around[reach+n+i] = beyond, beyond
	}

	// Most blocks have the containers, the group and the heading of the block before, so
	// the latest means are kept.
	var latest [containers]struct {
		extent
		mean uint8
	}
	group, inGroup := int32(0), uint8(beyond)
	head, ofHead, inSection := int32(-1), uint8(beyond), uint8(beyond)
	for i := range p.Blocks {
		k := &p.Blocks[i]
		c := p.cursor(i, Second).to(Second)
		near := (*[2*reach + 1]uint8)(p.around[i:])
		c = c.put(near[0])
		c = c.put(near[1])
		c = c.put(near[2])
		c = c.put(near[3])
		c = c.put(near[4])
		c = c.put(near[5])
		c = c.put(near[6])
		for l, e := range k.within {
			if x := &latest[l]; x.extent != e {
				x.extent, x.mean = e, p.mass[e.to].mean(p.mass[e.from])
			}
		}
		c = c.put(latest[0].mean)
		c = c.put(latest[1].mean)
		c = c.put(latest[2].mean)
		c = c.put(latest[3].mean)
		if k.group != group {
			group, inGroup = k.group, beyond
			if group != 0 {
				inGroup = p.groupMass[group].mean(massSum{})
			}
		}
		c = c.put(inGroup)
		c = c.put(page)
		c = c.put(part(p.mass[i].mass, total.mass))
		c = c.put(part(total.mass-p.mass[i+1].mass, total.mass))
		c = c.put(most)
		c = c.put(p.mass[min(n, i+6)].mean(p.mass[max(0, i-5)]))
		c = c.put(p.mass[min(n, i+16)].mean(p.mass[max(0, i-15)]))
		if h := p.lastHead[i]; h != head {
			head, ofHead = h, p.around[reach+int(h)]
			s := &p.sections[h]
			inSection = p.mass[s.to].mean(p.mass[s.from])
		}
		c = c.put(ofHead)
		c = c.put(inSection)
		c = c.put(blocksFrom(start, i))
		c = c.put(blocksFrom(end, i))
		c.put(threshold)
	}
}

func part(a, b float32) uint8 {
	if b <= 0 {
		return 0
	}
	return Probability(a / b)
}

// blocksFrom returns the distance of block i from block j, in blocks.
func blocksFrom(j, i int) uint8 {
	switch {
	case j < 0:
		return none
	case i >= j:
		return before(i - j)
	}
	return behind(j - i)
}
