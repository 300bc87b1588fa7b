package blocks

import (
	"cmp"
	"slices"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// NameTable says of the names that authors give to elements how much likelier text
// is content below such an element than elsewhere. The zero table knows none.
type NameTable struct {
	entries []NameEntry
	slots   []NameEntry // open addressing; a value of 0 is a free slot
}

// NameEntry is one name: the hash that NameTokens gives it and its log-odds in
// 1/NameUnit, not 0.
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
	size := 16
	for size < 2*len(entries) {
		size *= 2
	}
	t.slots = make([]NameEntry, size)
	for _, e := range t.entries {
		at := e.Hash & uint32(size-1)
		for t.slots[at].Value != 0 {
			at = (at + 1) & uint32(size-1)
		}
		t.slots[at] = e
	}
	return t
}

// Entries are those of the table by rising hash.
func (t *NameTable) Entries() []NameEntry { return t.entries }

// of is the value of the name with the hash h, 0 of an unknown one.
func (t *NameTable) of(h uint32) int8 {
	mask := uint32(len(t.slots) - 1)
	for at := h & mask; t.slots[at].Value != 0; at = (at + 1) & mask {
		if t.slots[at].Hash == h {
			return t.slots[at].Value
		}
	}
	return 0
}

// strongest is the value of largest magnitude among the names in a class or id.
func (t *NameTable) strongest(value []byte) (v int8) {
	if len(t.slots) == 0 {
		return 0
	}
	var space [maxNames]uint32
	for _, h := range namesIn(space[:0], value) {
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

// Bounds of what is read of one class or id.
const (
	maxNames      = 48
	maxWholeBytes = 40
)

// namesIn appends the hashes of the names in a class or id: each of the words that
// blanks divide, with a dot before it, and the parts that these are cut into at
// signs, figures and where a capital follows a small letter.
func namesIn(names []uint32, value []byte) []uint32 {
	const dot = (hashSeed ^ '.') * hashPrime & (1<<32 - 1)
	part, whole := uint32(hashSeed), uint32(dot)
	letters, size := 0, 0
	for i := 0; i <= len(value) && len(names) < maxNames-1; i++ {
		b := byte(' ')
		if i < len(value) {
			b = value[i]
		}
		lower := b
		if b >= 'A' && b <= 'Z' {
			lower |= 0x20
		}
		letter := lower >= 'a' && lower <= 'z'
		if !letter || lower != b && i > 0 && value[i-1] >= 'a' && value[i-1] <= 'z' {
			if letters >= 2 && letters <= 24 {
				names = append(names, part)
			}
			part, letters = hashSeed, 0
		}
		if letter {
			part = (part ^ uint32(lower)) * hashPrime
			letters++
		}
		if b > ' ' {
			whole = (whole ^ uint32(lower)) * hashPrime
			size++
			continue
		}
		if size >= 2 && size < maxWholeBytes {
			names = append(names, whole)
		}
		whole, size = dot, 0
	}
	return names
}

// learnedNames are of the values of the element's names: level 0 is the lowest
// element that holds the block.
var learnedNames = []string{
	"learned.level0", "learned.level1", "learned.level2", "learned.level3", "learned.least", "learned.most", "learned.sum",
	"learned.near", "learned.near-level",
}

const (
	learnedLevels = 12
	nearValue     = .7 * NameUnit
)

type cachedValue struct {
	hash  uint64
	value int8
}

// SetNames sets the features of learned names in all rows.
func (p *Page) SetNames(t *NameTable) {
	b := p.body
	if p.table != t {
		p.table = t
		clear(p.valueCache[:])
	}
	p.values = zeros(p.values, b.Len())
	for _, n := range p.named {
		p.values[n.row] = stronger(p.values[n.row], p.valueOf(n))
	}
	for i := range p.Blocks {
		p.putLearned(p.cursor(i, Learned), &p.Blocks[i])
	}
}

// named is the class or id of a row.
type named struct {
	row  page.Row
	attr html.Attr
	hash uint64 // of its value
}

// valueOf is NameTable.strongest, remembered as pages repeat a few hundred values.
func (p *Page) valueOf(n named) int8 {
	known := &p.valueCache[n.hash%uint64(len(p.valueCache))]
	if known.hash != n.hash {
		*known = cachedValue{n.hash, p.table.strongest(p.pg.AttrValue(n.attr))}
	}
	return known.value
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
		if near == 0 && (float64(v) >= nearValue || float64(v) <= -nearValue) {
			near, nearLevel = v, level
		}
		level++
	}
	for _, v := range [...]int8{first[0], first[1], first[2], first[3], least, most} {
		c = c.put(uint8(128 + int(v)))
	}
	c = c.put(uint8(128 + max(-127, min(sum/4, 127))))
	c = c.put(uint8(128 + int(near)))
	return c.put(uint8(nearLevel))
}

// NameTokens appends the hashes of the names that block i is below, each once and
// in rising order.
func (p *Page) NameTokens(names []uint32, i int) []uint32 {
	level := 0
	for r := p.Blocks[i].lca; r > 0 && level < learnedLevels; r = p.body.Parent[r] {
		for _, a := range p.pg.Attrs(p.body.Node[r]) {
			switch string(p.pg.AttrName(a)) {
			case "class", "id":
				var space [maxNames]uint32
				names = append(names, namesIn(space[:0], p.pg.AttrValue(a))...)
			}
		}
		level++
	}
	slices.Sort(names)
	return slices.Compact(names)
}
