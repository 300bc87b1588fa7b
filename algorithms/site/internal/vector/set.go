package vector

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// The features that are not words.
const (
	images = iota
	scripts
	links
	firstWord
)

// maxCount is the value at which counts saturate.
const maxCount = 255

// wordID returns the feature of a word.
func wordID(hash uint64) uint32 { return max(uint32(hash>>32), firstWord) }

// Set is a list of vectors, held one after the other. The zero Set is empty.
type Set struct {
	ids    []uint32
	counts []uint8
	ends   []int32  // where each vector ends in ids and counts
	square []uint64 // |v|²
}

// Len is the number of vectors.
func (s *Set) Len() int { return len(s.ends) }

// Reset empties s and keeps its memory.
func (s *Set) Reset() {
	s.ids, s.counts, s.ends, s.square = s.ids[:0], s.counts[:0], s.ends[:0], s.square[:0]
}

// View returns vector i: its features in order, and their counts.
func (s *Set) View(i int) View {
	from := int32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return View{s.ids[from:s.ends[i]], s.counts[from:s.ends[i]], s.square[i]}
}

// View is one vector of a Set.
type View struct {
	IDs    []uint32
	Counts []uint8
	Square uint64 // |v|²
}

// add appends a feature to the vector that is being built. seal completes it.
func (s *Set) add(id uint32, count int) {
	s.ids = append(s.ids, id)
	s.counts = append(s.counts, uint8(min(count, maxCount)))
}

func (s *Set) seal() {
	from := 0
	if n := len(s.ends); n > 0 {
		from = int(s.ends[n-1])
	}
	sum := uint64(0)
	for _, c := range s.counts[from:] {
		sum += uint64(c) * uint64(c)
	}
	s.ends = append(s.ends, int32(len(s.ids)))
	s.square = append(s.square, sum)
}

// dropLast removes the vector that was sealed last.
func (s *Set) dropLast() {
	n := len(s.ends) - 1
	from := int32(0)
	if n > 0 {
		from = s.ends[n-1]
	}
	s.ids, s.counts, s.ends, s.square = s.ids[:from], s.counts[:from], s.ends[:n], s.square[:n]
}

// Add appends a copy of v.
func (s *Set) Add(v View) {
	s.ids, s.counts = append(s.ids, v.IDs...), append(s.counts, v.Counts...)
	s.ends = append(s.ends, int32(len(s.ids)))
	s.square = append(s.square, v.Square)
}

// Similar reports whether the cosine of v and w is above eps percent.
func Similar(v, w View, eps int) bool {
	dot := dot(v, w)
	hi, lo := bits.Mul64(dot, dot*100*100)
	e := uint64(eps) * uint64(eps)
	hi2, lo2 := bits.Mul64(v.Square*e, w.Square)
	return hi > hi2 || hi == hi2 && lo > lo2
}

// dot is v·w. It and a square stay below 2^48: no page has 2^32 features.
func dot(v, w View) uint64 {
	sum := uint64(0)
	a, b := v.IDs, w.IDs
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i], b[j]; {
		case x == y:
			sum += uint64(v.Counts[i]) * uint64(w.Counts[j])
			i++
			j++
		case x < y:
			i++
		default:
			j++
		}
	}
	return sum
}

// Compare orders vectors, by features and then by counts.
func Compare(v, w View) int {
	return cmp.Or(slices.Compare(v.IDs, w.IDs), slices.Compare(v.Counts, w.Counts))
}

// Size returns the number of bytes that Write writes of v.
func Size(v View) int { return codec.UintSize(uint64(len(v.IDs))) + 5*len(v.IDs) }

// Write writes vector v.
func Write(w *codec.Writer, v View) {
	w.Int(len(v.IDs))
	for i, id := range v.IDs {
		w.Word(id)
		w.Byte(v.Counts[i])
	}
}

// MinSize is the number of bytes of the smallest encoded vector.
const MinSize = 6

// Read reads a vector that Write wrote, and adds it to s.
func (s *Set) Read(r *codec.Reader) {
	n := r.Count(5)
	if n == 0 {
		r.Fail("empty vector")
	}
	last := uint32(0)
	for i := range n {
		id, count := r.Word(), r.Byte()
		if count == 0 || i > 0 && id <= last {
			r.Fail("vector")
		}
		s.add(id, int(count))
		last = id
	}
	s.seal()
}

// Pool is a Set without repetition. The zero Pool is empty.
type Pool struct {
	Set
	first map[uint64]int32 // by hash
	next  []int32          // vector with the same hash; -1 means none
	bytes []byte
}

// Reset empties p and keeps its memory.
func (p *Pool) Reset() {
	p.Set.Reset()
	clear(p.first)
	p.next = p.next[:0]
}

// Put adds v unless it is there, and returns its number.
func (p *Pool) Put(v View) int {
	p.Set.Add(v)
	return p.settle()
}

// settle removes the vector that was sealed last if there is an equal one, and returns
// the number of the one that remains.
func (p *Pool) settle() int {
	last := p.Len() - 1
	v := p.View(last)
	p.bytes = p.bytes[:0]
	for i, id := range v.IDs {
		p.bytes = append(binary.LittleEndian.AppendUint32(p.bytes, id), v.Counts[i])
	}
	key := xxhash.Sum64(p.bytes)
	if p.first == nil {
		p.first = make(map[uint64]int32)
	}
	first, ok := p.first[key]
	if !ok {
		first = -1
	}
	for i := first; i >= 0; i = p.next[i] {
		if Compare(p.View(int(i)), v) == 0 {
			p.dropLast()
			return int(i)
		}
	}
	p.first[key] = int32(last)
	p.next = append(p.next, first)
	return last
}
