package blocks

// alike describes all blocks of a page that are alike: their elements and all ancestors
// of these have the same tags and the same classes. The titles of all items of a list
// are alike, and so are the paragraphs of an article.
type alike struct {
	path      uint64
	blocks    int32
	classless bool  // whether no element up to nearClass levels above has a class
	weight    int64 // sum of the weights of the blocks: see EvenOut
	odds      int64 // weighted mean of their log-odds
}

// pathOf returns the hash of the tags and classes of row r and its ancestors. look is
// that of the row alone.
func (p *Page) pathOf(r int, look uint64) uint64 {
	h := look * 0xbf58476d1ce4e5b9
	if r > 0 {
		above := p.paths[p.body.Parent[r]]
		h ^= (above>>29 ^ above) * 0x94d049bb133111eb
	}
	return h
}

// joinAlike adds block k to the blocks that are like it. A hostile page can make many
// paths hash to the same slots; a block that finds no slot within 32 steps is left out.
func (p *Page) joinAlike(k *Block) {
	path := p.paths[k.Cont]
	mask := uint64(len(p.alikeSlots) - 1)
	at := path ^ path>>32
	k.alike = 0
	for range 32 {
		slot := &p.alikeSlots[at&mask]
		if *slot == 0 {
			*slot = int32(len(p.alike))
			p.alike = append(p.alike, alike{path: path, classless: p.context[k.Cont].classless > nearClass})
		}
		if a := &p.alike[*slot]; a.path == path {
			k.alike = *slot
			a.blocks++
			return
		}
		at++
	}
}

const (
	leastAlike = 3 // the smallest number of alike blocks that EvenOut changes
	nearClass  = 4 // the levels up to an element with a class that EvenOut looks at
)

// EvenOut moves the log-odds of blocks that are alike towards their mean. A page shows
// alike blocks in the same way, so mostly all of them are content or none. Likely blocks
// weigh up to five times as much in the mean as unlikely ones: that some paragraphs of a
// long text are surely content says more than that many are in doubt. Where no element
// around a block has a class, tags alone say less of what it looks like, and its log-odds
// are moved less far.
func (p *Page) EvenOut(odds []int32, probability []float32) {
	for a := range p.alike {
		p.alike[a].weight, p.alike[a].odds = 0, 0
	}
	for i := range p.Blocks {
		a := &p.alike[p.Blocks[i].alike]
		weight := int64(1<<8 + probability[i]*(1<<10))
		a.weight += weight
		a.odds += weight * int64(odds[i])
	}
	for i := range p.alike {
		a := &p.alike[i]
		a.odds /= max(1, a.weight)
	}
	for i := range p.Blocks {
		k := &p.Blocks[i]
		a := &p.alike[k.alike]
		if a.blocks < leastAlike {
			continue
		}
		percent := int64(70)
		if a.classless {
			percent = 45
		}
		odds[i] += int32((a.odds - int64(odds[i])) * percent / 100)
	}
}
