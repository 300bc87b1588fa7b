package blocks

// alike describes all blocks of a page that are alike: their elements and all ancestors
// of these have the same tags and the same classes. The titles of all items of a list
// are alike, and so are the paragraphs of an article.
type alike struct {
	path   uint64
	blocks int32
	odds   int64 // sum of their log-odds
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
			p.alike = append(p.alike, alike{path: path})
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
	leastAlike = 3  // the smallest number of alike blocks that EvenOut changes
	evened     = 60 // percent of the way to the mean
)

// EvenOut moves the log-odds of blocks that are alike towards their mean. A page shows
// alike blocks in the same way, so mostly all of them are content or none.
func (p *Page) EvenOut(odds []int32) {
	for a := range p.alike {
		p.alike[a].odds = 0
	}
	for i := range p.Blocks {
		p.alike[p.Blocks[i].alike].odds += int64(odds[i])
	}
	for i := range p.Blocks {
		if a := &p.alike[p.Blocks[i].alike]; a.blocks >= leastAlike {
			odds[i] += int32((a.odds/int64(a.blocks) - int64(odds[i])) * evened / 100)
		}
	}
}
