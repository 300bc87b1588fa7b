package equaltopdown

import (
	"hash/maphash"
	"math/bits"
)

// spread is a random odd number. Pages can choose their keys, which are hashes, and
// without it they could make them collide in a table. Only positions in the table
// depend on it, no result does.
var spread = maphash.Bytes(maphash.MakeSeed(), nil) | 1

// buckets holds the children of a node that are not paired yet, as one list for each
// key (the hash of the subtree, or the label), in order.
type buckets struct {
	slots []slot
	next  []int32 // for each child, the next one in its list; -1 at the end
	prev  []int32
}

// slot is one list, at the position of its key in a table with open addressing.
type slot struct {
	key         uint64
	used        bool
	first, last int32 // -1 in a list that is used up
	at          int32 // first entry at or after the place asked for last; -1 if there is none
}

// fill makes lists of the unpaired children from the given index on, by the key of
// their nodes.
func (s *buckets) fill(kids []int32, key []uint64, paired []bool, from int) {
	size := 8
	for size < 2*(len(kids)-from) {
		size *= 2
	}
	if cap(s.slots) < size {
		s.slots = make([]slot, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
	if cap(s.next) < len(kids) {
		s.next, s.prev = make([]int32, len(kids)), make([]int32, len(kids))
	}
	s.next, s.prev = s.next[:len(kids)], s.prev[:len(kids)]
	for j := from; j < len(kids); j++ {
		if paired[j] {
			continue
		}
		k := key[kids[j]]
		l := s.slot(k)
		s.next[j] = -1
		if !l.used {
			*l = slot{key: k, used: true, first: int32(j), last: int32(j), at: int32(j)}
			s.prev[j] = -1
			continue
		}
		s.prev[j] = l.last
		s.next[l.last] = int32(j)
		l.last = int32(j)
	}
}

// slot returns the slot of key: its list, or the free slot where it belongs.
func (s *buckets) slot(key uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	i := key * spread >> (64 - bits.Len64(mask))
	for s.slots[i].used && s.slots[i].key != key {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

// find returns the list of key, or nil.
func (s *buckets) find(key uint64) *slot {
	if l := s.slot(key); l.used {
		return l
	}
	return nil
}

// remove removes j from its list.
func (s *buckets) remove(l *slot, j int32) {
	p, n := s.prev[j], s.next[j]
	if p >= 0 {
		s.next[p] = n
	} else {
		l.first = n
	}
	if n >= 0 {
		s.prev[n] = p
	} else {
		l.last = p
	}
	if l.at == j {
		l.at = n
	}
}

// nearest returns the entry of l nearest to index i, of two equally near the one before
// i, or -1 if l is empty. It must be called with ascending i.
func (s *buckets) nearest(l *slot, i int32) int32 {
	s.seek(l, i)
	behind, front := s.around(l)
	switch {
	case behind < 0:
		return front
	case front < 0 || behind-i < i-front:
		return behind
	}
	return front
}

// seek moves l to index i, which must not be before its current one.
func (s *buckets) seek(l *slot, i int32) {
	for l.at >= 0 && l.at < i {
		l.at = s.next[l.at]
	}
}

// around returns the entries of l at or after its index, and before it, or -1 where
// there is none.
func (s *buckets) around(l *slot) (behind, front int32) {
	if l.at < 0 {
		return -1, l.last
	}
	return l.at, s.prev[l.at]
}
