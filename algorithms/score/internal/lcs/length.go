package lcs

import (
	"math"
	"math/bits"
	"slices"
)

// Scratch is the working memory of a comparison: one word for every 64 gold
// items and four bytes an item of the other sequence. The zero Scratch is
// ready. It is not safe for concurrent use.
type Scratch struct {
	v    []uint64
	e    []int32
	left []int32
	part part
}

// Length returns the length of the longest common subsequence of m's gold
// sequence, at most MaxItems long, and e, however long it takes.
func (m *Masks) Length(s *Scratch, e []int32) int {
	return m.Compare(s, e, math.MaxInt).Low
}

// present returns e without the items that the gold sequence does not have.
func (m *Masks) present(s *Scratch, e []int32) []int32 {
	i := 0
	for i < len(e) && m.has(e[i]) {
		i++
	}
	if i == len(e) {
		return e
	}
	s.e = resize(s.e, len(e))
	out := append(s.e[:0], e[:i]...)
	for _, c := range e[i:] {
		if m.has(c) {
			out = append(out, c)
		}
	}
	return out
}

// trim strips equal ends: what is left to compare is gold[lo:hi] with the
// returned part of e.
func (m *Masks) trim(e []int32) (lo, hi int, rest []int32) {
	g := m.gold
	for lo < len(g) && lo < len(e) && g[lo] == e[lo] {
		lo++
	}
	e, hi = e[lo:], len(g)
	for hi > lo && len(e) > 0 && g[hi-1] == e[len(e)-1] {
		hi--
		e = e[:len(e)-1]
	}
	return lo, hi, e
}

// bandFrom is the number of cells from which looking for a band pays: below it
// the whole table costs less than a microsecond or two.
const bandFrom = 1 << 18

// middle is the LCS length of gold[lo:hi] and e, both not empty.
//
// An alignment that leaves out at most d gold items stays within d columns
// right and len(e)-n+d columns left of the diagonal. A band's result r is a
// common subsequence, so at most n-r gold items need be left out: a band at
// least that wide has the exact answer.
func (m *Masks) middle(s *Scratch, e []int32, lo, hi int) int {
	n := hi - lo
	full := band{lo: lo, hi: hi, left: n + len(e), right: n}
	if n*len(e) < bandFrom {
		return m.run(s, e, full)
	}
	d := max(n-m.bag(s, e, lo, hi), n-len(e), n/12)
	for try := 0; try < 2; try++ {
		b := band{lo: lo, hi: hi, left: len(e) - n + d, right: d}
		// A band slides over gold only in whole words of 64 and four rows at a
		// time; at half of the table it saves nothing any more.
		if (b.left+b.right)*2 > n {
			break
		}
		r := m.run(s, e, b)
		if n-r <= d {
			return r
		}
		d = n - r
	}
	return m.run(s, e, full)
}

// bag is the size of the multiset intersection of gold[lo:hi] and e: an upper
// bound of their LCS.
func (m *Masks) bag(s *Scratch, e []int32, lo, hi int) int {
	s.left = resize(s.left, len(m.row))
	clear(s.left)
	for _, c := range m.gold[lo:hi] {
		s.left[c]++
	}
	both := 0
	for _, c := range e {
		if s.left[c] > 0 {
			s.left[c]--
			both++
		}
	}
	return both
}

// band is the part of the table that is computed: for item j of e the gold
// positions lo+j-left … lo+j+right, within [lo, hi).
type band struct{ lo, hi, left, right int }

// words returns the words [from, to) that hold the band of items j … j+rows-1.
// Both ends never go down as j goes up.
func (b *band) words(j, rows int) (from, to int) {
	first := max(b.lo, min(b.lo+j-b.left, b.hi-1))
	last := min(b.hi, b.lo+j+rows+b.right)
	return first >> 6, (last + 63) >> 6
}

// run computes the cells of b and counts the zero bits of [lo, hi).
//
// Outside the band no item matches. To the left V keeps what it has. To the
// right it is still all ones, so a carry that leaves the band runs through
// without changing anything and may be dropped.
func (m *Masks) run(s *Scratch, e []int32, b band) int {
	s.v = resize(s.v, m.words)
	v := s.v
	first, last := b.lo>>6, (b.hi+63)>>6
	for w := first; w < last; w++ {
		v[w] = ^uint64(0)
	}
	// Bits outside [lo, hi) are zero: they take part in no match and carry
	// nothing into the range.
	v[first] &= ^uint64(0) << (b.lo & 63)
	if b.hi&63 != 0 {
		v[last-1] &= 1<<(b.hi&63) - 1
	}

	for j := 0; j < len(e); {
		r := m.row[e[j]]
		if !r.dense {
			from, to := b.words(j, 1)
			sparse(v[:to], m.pos[r.at:r.at+r.count], from)
			j++
			continue
		}
		if j+4 <= len(e) {
			r1, r2, r3 := m.row[e[j+1]], m.row[e[j+2]], m.row[e[j+3]]
			if r1.dense && r2.dense && r3.dense {
				from, to := b.words(j, 4)
				four(v[from:to],
					m.dense[int(r.at)+from:][:to-from], m.dense[int(r1.at)+from:][:to-from],
					m.dense[int(r2.at)+from:][:to-from], m.dense[int(r3.at)+from:][:to-from])
				j += 4
				continue
			}
		}
		from, to := b.words(j, 1)
		one(v[from:to], m.dense[int(r.at)+from:][:to-from])
		j++
	}
	return zeros(v, b.lo, b.hi)
}

// one is the step of one item with mask m.
func one(v, m []uint64) {
	m = m[:len(v)]
	var carry uint64
	for w := range v {
		x := v[w]
		u := x & m[w]
		var sum uint64
		sum, carry = bits.Add64(x, u, carry)
		v[w] = sum | (x - u) // x - u is x &^ m, as u is a part of x
	}
}

// four is four steps of one: word w of a step needs only the words up to w of
// the step before, so V is loaded and stored once and four carries run side by
// side.
func four(v, a, b, c, d []uint64) {
	a, b, c, d = a[:len(v)], b[:len(v)], c[:len(v)], d[:len(v)]
	var c0, c1, c2, c3 uint64
	for w := range v {
		x := v[w]
		u := x & a[w]
		y, k0 := bits.Add64(x, u, c0)
		y |= x - u
		u = y & b[w]
		x, k1 := bits.Add64(y, u, c1)
		x |= y - u
		u = x & c[w]
		y, k2 := bits.Add64(x, u, c2)
		y |= x - u
		u = y & d[w]
		x, k3 := bits.Add64(y, u, c3)
		x |= y - u
		v[w] = x
		c0, c1, c2, c3 = k0, k1, k2, k3
	}
}

// sparse is the step of an item with few positions: a word without a position
// and without a carry coming in stays as it is. Positions before word from are
// left out, as are those beyond v.
func sparse(v []uint64, pos []int32, from int) {
	i := 0
	if from > 0 {
		i, _ = slices.BinarySearch(pos, int32(from<<6))
	}
	for i < len(pos) && int(pos[i])>>6 < len(v) {
		w := int(pos[i]) >> 6
		var carry uint64
		for {
			var mask uint64
			for i < len(pos) && int(pos[i])>>6 == w {
				mask |= 1 << (pos[i] & 63)
				i++
			}
			x := v[w]
			u := x & mask
			var sum uint64
			sum, carry = bits.Add64(x, u, carry)
			v[w] = sum | (x - u)
			if w++; carry == 0 || w == len(v) {
				break
			}
		}
	}
}

// zeros counts the zero bits of v in [lo, hi), lo < hi. Bits of the last word
// beyond hi may have been set by a carry.
func zeros(v []uint64, lo, hi int) int {
	ones := 0
	first, last := lo>>6, (hi-1)>>6
	for w := first; w <= last; w++ {
		x := v[w]
		if w == last {
			x &= ^uint64(0) >> (63 - (hi-1)&63)
		}
		ones += bits.OnesCount64(x)
	}
	return hi - lo - ones
}
