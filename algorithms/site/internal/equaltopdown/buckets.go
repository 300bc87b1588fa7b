package equaltopdown

import (
	"hash/maphash"
	"math/bits"
)

// spread is an odd number that pages cannot know: keys are hashes that they can
// choose, and must not be able to pile up in one place of a table. Only places
// depend on it, no answer.
var spread = maphash.Bytes(maphash.MakeSeed(), nil) | 1

// buckets are the children of a node that are not paired yet, as one list for
// each key (the hash of the subtree, or the label), in order.
type buckets struct {
	slots []slot
	next  []int32 // of a child in its list; -1 at the end
	prev  []int32
}

// slot is one list, at the place of its key in a table with open addressing.
type slot struct {
	key         uint64
	used        bool
	first, last int32 // -1 in a list that is used up
	at          int32 // first entry at or behind the place asked for last; -1 if there is none
}

// fill makes lists of the children from place from on that are not paired, by
// the key of their nodes.
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

// slot is the place of key: its list, or the free one where it would be.
func (s *buckets) slot(key uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	i := key * spread >> (64 - bits.Len64(mask))
	for s.slots[i].used && s.slots[i].key != key {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

// find is the list of key, nil if there is none.
func (s *buckets) find(key uint64) *slot {
	if l := s.slot(key); l.used {
		return l
	}
	return nil
}

// remove takes j out of its list.
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

// nearest is the entry of l that is nearest to place i, the one in front of two
// as near; -1 in an empty list. It must be asked for in the order of places.
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

// seek moves l to place i, which must not be in front of where it was.
func (s *buckets) seek(l *slot, i int32) {
	for l.at >= 0 && l.at < i {
		l.at = s.next[l.at]
	}
}

// around are the entries of l at or behind its place, and in front of it; -1 if
// there is none.
func (s *buckets) around(l *slot) (behind, front int32) {
	if l.at < 0 {
		return -1, l.last
	}
	return l.at, s.prev[l.at]
}
