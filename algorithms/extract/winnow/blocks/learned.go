package blocks

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// NameTable holds, for names that authors give to elements, how much likelier text
// below such an element is content than text elsewhere. The zero table has no names.
type NameTable struct {
	entries []NameEntry
	slots   []NameEntry // open addressing; an entry with the value 0 is a free slot

	// upper has a bit for each value of the upper half of a hash, which is set if a name
	// of the table has that value. Most names are not in the table, and these 8 kB show that
	// without reading the slots.
	upper [1 << 10]uint64
}

// NameEntry is one name: the hash that NameTokens gives it, and its log-odds in
// 1/NameUnit, which are not 0.
type NameEntry struct {
	Hash  uint32
	Value int8
}

// NameUnit is the scale of a NameEntry.
const NameUnit = 31

// NewNameTable makes a table of entries with different hashes.
func NewNameTable(entries []NameEntry) *NameTable {
	t := &NameTable{entries: slices.Clone(entries)}
	slices.SortFunc(t.entries, func(a, b NameEntry) int { return cmp.Compare(a.Hash, b.Hash) })
	size := uint32(16)
	for int(size) < len(entries)*3/2 {
		size *= 2
	}
	t.slots = make([]NameEntry, size)
	for _, e := range t.entries {
		at := e.Hash & (size - 1)
		for t.slots[at].Value != 0 {
			at = (at + 1) & (size - 1)
		}
		t.slots[at] = e
		t.upper[e.Hash>>22] |= 1 << (e.Hash >> 16 & 63)
	}
	return t
}

// Entries returns the entries of the table in ascending order of their hashes.
func (t *NameTable) Entries() []NameEntry { return t.entries }

// of returns the value of the name with the hash h, or 0 if the table does not have it.
func (t *NameTable) of(h uint32) int8 {
	if t.upper[h>>22]>>(h>>16&63)&1 == 0 {
		return 0
	}
	mask := uint32(len(t.slots) - 1)
	for at := h & mask; t.slots[at].Value != 0; at = (at + 1) & mask {
		if t.slots[at].Hash == h {
			return t.slots[at].Value
		}
	}
	return 0
}

// strongest returns the value of largest magnitude among those of the names.
func (t *NameTable) strongest(names []uint32) (v int8) {
	if t == nil || len(t.slots) == 0 {
		return 0
	}
	for _, h := range names {
		v = stronger(v, t.of(h))
	}
	return v
}

func stronger(a, b int8) int8 {
	if max(b, -b) > max(a, -a) {
		return b
	}
	return a
}

// learnedNames are features made of the values of the names of elements. Level 0 is the
// lowest element that holds the block.
var learnedNames = [...]string{
	"learned.level0", "learned.level1", "learned.level2", "learned.level3", "learned.least", "learned.most", "learned.sum",
	"learned.near", "learned.near-level",
}

const (
	learnedLevels = 12
	nearValue     = (7*NameUnit + 9) / 10 // the smallest value of at least .7
)

// SetNames sets the features of learned names in all rows. Fill uses the table that was
// set before it, so SetNames does nothing if t is that table.
func (p *Page) SetNames(t *NameTable) {
	if p.table == t {
		return
	}
	p.table = t
	clear(p.known[:])
	clear(p.values)
	for _, n := range p.named {
		value := p.pg.AttrValue(n.attr)
		p.values[n.row] = stronger(p.values[n.row], p.read(value, xxhash.Sum64(value)).value)
	}
	for i := range p.Blocks {
		p.putLearned(p.cursor(i, Learned), &p.Blocks[i])
	}
}

// named is the class or id attribute of a row.
type named struct {
	row  page.Row
	attr html.Attr
}

// knownAttr has the classes and the value of the names in an attribute, with the hash
// of the attribute's value.
type knownAttr struct {
	hash  uint64
	class nameClass
	value int8
}

// read returns the classes and the value of the names in the value of an attribute.
// Results are kept, because most pages repeat a few hundred values.
func (p *Page) read(value []byte, hash uint64) *knownAttr {
	known := &p.known[hash%uint64(len(p.known))]
	if known.hash != hash {
		var space [maxNames]uint32
		names, class := namesIn(space[:0], value)
		*known = knownAttr{hash, class, p.table.strongest(names)}
	}
	return known
}

func (p *Page) putLearned(c cursor, k *Block) cursor {
	var least, most, near int8
	sum, nearLevel, level := 0, learnedLevels, 0
	var first [4]int8
	for r := k.lca; r > 0 && level < learnedLevels; r = p.body.Parent[r] {
		v := p.values[r]
		if level < len(first) {
			first[level] = v
		}
		least, most = min(least, v), max(most, v)
		sum += int(v)
		if near == 0 && (v >= nearValue || v <= -nearValue) {
			near, nearLevel = v, level
		}
		level++
	}
	c = c.to(Learned)
	c = c.put(uint8(128 + int(first[0])))
	c = c.put(uint8(128 + int(first[1])))
	c = c.put(uint8(128 + int(first[2])))
	c = c.put(uint8(128 + int(first[3])))
	c = c.put(uint8(128 + int(least)))
	c = c.put(uint8(128 + int(most)))
	c = c.put(uint8(128 + max(-127, min(sum/4, 127))))
	c = c.put(uint8(128 + int(near)))
	return c.put(uint8(nearLevel))
}

// NameTokens appends the hashes of the names of the elements around block i, each once
// and in ascending order.
func (p *Page) NameTokens(names []uint32, i int) []uint32 {
	level := 0
	for r := p.Blocks[i].lca; r > 0 && level < learnedLevels; r = p.body.Parent[r] {
		for _, a := range p.pg.Attrs(p.body.Node[r]) {
			switch string(p.pg.AttrName(a)) {
			case "class", "id":
				var space [maxNames]uint32
				of, _ := namesIn(space[:0], p.pg.AttrValue(a))
				names = append(names, of...)
			}
		}
		level++
	}
	slices.Sort(names)
	return slices.Compact(names)
}
