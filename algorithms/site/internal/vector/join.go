package vector

// Join returns, for every vector of s, the pages that have a similar one: the union of
// the masks of the vectors that are similar to it, its own included. work bounds it,
// see Search.Left. ok is false if work did not suffice; vectors that were not reached
// then have their own mask.
func Join(s *Set, masks []uint64, eps, work int) (union []uint64, ok bool) {
	union = append(union, masks...)
	x, search := NewIndex(s, eps), Search{Left: work}
	all := uint64(0)
	for _, m := range masks {
		all |= m
	}
	for i := range s.Len() {
		pages, ok := x.Pages(&search, s.View(i), masks, func(pages uint64) bool { return pages == all })
		if !ok {
			return union, false
		}
		union[i] |= pages
	}
	return union, true
}
