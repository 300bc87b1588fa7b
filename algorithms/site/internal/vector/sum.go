package vector

import (
	"cmp"
	"slices"
)

// Sum adds up vectors, which gives the vector of a block that consists of blocks. The
// zero Sum is empty.
type Sum struct {
	features []counted
	set      Set
}

// counted is one feature of one vector.
type counted struct {
	id    uint32
	count uint8
}

// Reset empties s and keeps its memory.
func (s *Sum) Reset() { s.features = s.features[:0] }

// Add adds v.
func (s *Sum) Add(v View) {
	for i, id := range v.IDs {
		s.features = append(s.features, counted{id, v.Counts[i]})
	}
}

// View returns the sum, valid until the next call. ok is false if nothing was added.
// Counts saturate as those of blocks do.
func (s *Sum) View() (v View, ok bool) {
	if len(s.features) == 0 {
		return View{}, false
	}
	slices.SortFunc(s.features, func(a, b counted) int { return cmp.Compare(a.id, b.id) })
	s.set.Reset()
	for i := 0; i < len(s.features); {
		id, count := s.features[i].id, 0
		for ; i < len(s.features) && s.features[i].id == id; i++ {
			count += int(s.features[i].count)
		}
		s.set.add(id, count)
	}
	s.set.seal()
	return s.set.View(0), true
}
