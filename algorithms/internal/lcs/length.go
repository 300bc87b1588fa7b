package lcs

import (
	"math"
	"math/bits"
	"slices"
)

// Scratch is the working memory of a comparison: one word for every 64 gold items, and
// four bytes for each item of the other sequence. The zero Scratch is ready. It is not
// safe for concurrent use.
//
// Where the other sequence is the shorter one it also holds that one's masks.
type Scratch struct {
	front, rear side
	e           []int32
	back        []int32 // e from its end
	left        []int32
	shorter     []int32
	turned      *Masks // masks of shorter; made on first use: Masks hold a Masks
	part        part
}

// Length returns the length of the longest common subsequence of m's gold
// sequence, at most maxItems long, and e, however long it takes.
func (m *Masks) Length(s *Scratch, e []int32) int {
	return m.Compare(s, e, math.MaxInt, -1).Low
}

// present returns e without the items that the gold sequence does not have.
func (m *Masks) present(s *Scratch, e []int32) []int32 {
	i := 0
	if m.whole { // usual for characters
		for i < len(e) && uint32(e[i]) < uint32(len(m.row)) {
			i++
		}
	}
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

// trim strips equal ends. gold[lo:hi] and the returned part of e remain to be compared.
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

// smallCells is the number of cells up to which computing the whole table costs less
// than preparing to leave out parts of it.
const smallCells = 1 << 16

// middle returns the LCS length of gold[lo:hi] and e, neither of which is empty. The
// length is known to be at least low.
//
// The shorter of the two becomes the bit-vector side. Its loss, which is how many of
// its items have no partner, is often small even where the other is much longer, and
// the loss bounds what must be computed (see run). It is not known beforehand, so it is
// guessed. A run within a guess finds a common subsequence, and so an upper bound of
// the loss. If that is within the guess the length is exact.
func (m *Masks) middle(s *Scratch, e []int32, lo, hi, expect, low int) int {
	n := hi - lo
	if n*len(e) <= smallCells {
		return m.forward(s, e, lo, hi, n)
	}
	loss := 0 // at least
	switch {
	case low == min(n, len(e)):
		return low
	case low > 0: // there is no need to guess
	case isSubsequence(m.gold[lo:hi], e):
		return n
	case isSubsequence(e, m.gold[lo:hi]):
		return len(e)
	case expect < 0:
		loss = min(n, len(e)) - m.bag(s, e, lo, hi)
	}
	if len(e) < n {
		if s.turned == nil {
			s.turned = new(Masks)
		}
		s.shorter = append(s.shorter[:0], e...)
		s.turned.Build(s.shorter, len(m.row))
		e = s.turned.present(s, m.gold[lo:hi])
		m, lo, hi, n = s.turned, 0, len(s.shorter), len(s.shorter)
	}
	if low > 0 {
		return m.run(s, e, lo, hi, n-low)
	}
	// The number of missing words is a good guess if half as many again are allowed for
	// their order. Counting the missing items too would cost more than it saves. Where
	// there is no such guess, a small one costs little.
	guess := loss + max(n/40, 32)
	if expect >= 0 {
		guess = expect + expect/2 + max(n/60, 32)
	}
	for guess < n/2 {
		r := m.run(s, e, lo, hi, guess)
		if n-r <= guess {
			return r
		}
		guess = min(n-r, 4*guess)
	}
	return m.run(s, e, lo, hi, n)
}

// forward does what run does, but from the front alone, without reversed masks. It is
// for few cells, or for large masks.
func (m *Masks) forward(s *Scratch, e []int32, lo, hi, loss int) int {
	d := &s.front
	d.begin(m, e, lo, hi)
	s.rear.begin(m, nil, len(m.gold)-hi, len(m.gold)-lo) // reads nothing
	for len(d.e) > 0 {
		d.chooseWords(loss, len(d.e), &s.rear)
		d.step(min(stride, len(d.e)))
	}
	return d.zeros(hi - lo)
}

// isSubsequence reports whether s is a subsequence of t.
func isSubsequence(s, t []int32) bool {
	for spare := len(t) - len(s); spare >= 0; spare-- { // items of t that s may lack
		same := 0
		for same < len(s) && s[same] == t[same] {
			same++
		}
		if same == len(s) {
			return true
		}
		s, t = s[same:], t[same+1:]
	}
	return false
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

// stride is the number of items between two calls of chooseWords. In fewer than 64 items a
// carry does not cross a word of zeros, and a multiple of 4 leaves no step of four
// incomplete.
const stride = 60

// span is a range of words of V.
type span struct{ from, to int }

// run counts the items of gold[lo:hi] that have a partner in e, where at most
// loss of them have none: the LCS length if it is at least hi-lo-loss, else at
// most that.
//
// It reads e from both ends, always on the side where fewer words are to be computed.
// Where the two sides meet, a longest common subsequence divides gold[lo:hi] at the
// position where the sum of what they have before and after it is largest.
func (m *Masks) run(s *Scratch, e []int32, lo, hi, loss int) int {
	if m.size() > maxReversed {
		return m.forward(s, e, lo, hi, loss)
	}
	s.back = append(s.back[:0], e...)
	slices.Reverse(s.back)
	front, rear := &s.front, &s.rear
	front.begin(m, e, lo, hi)
	rear.begin(m.reversed(), s.back, len(m.gold)-hi, len(m.gold)-lo)
	for left := len(e); left > 0; {
		side, other := front, rear
		if rear.width < front.width {
			side, other = rear, front
		}
		side.chooseWords(loss, left, other)
		left -= side.step(min(stride, left))
	}
	return front.meet(rear)
}

// side is one end of a comparison: the items of e read so far, against gold[lo:hi]
// from the same end.
type side struct {
	m      *Masks
	e      []int32 // to be read
	lo, hi int
	v      []uint64
	from   int     // words before it are left out for good
	top    int     // words from it on are all ones
	ones   []int32 // by word up to top: bits set before it
	ranges []span
	width  int // words of ranges
}

func (d *side) begin(m *Masks, e []int32, lo, hi int) {
	d.m, d.e, d.lo, d.hi = m, e, lo, hi
	d.v, d.ones = resize(d.v, m.words), resize(d.ones, m.words+1)
	v, first, last := d.v, lo>>6, (hi+63)>>6
	for w := first; w < last; w++ {
		v[w] = ^uint64(0)
	}
	// Bits outside [lo, hi) are zero: they take part in no match and carry
	// nothing into the range.
	v[first] &= ^uint64(0) << (lo & 63)
	if hi&63 != 0 {
		v[last-1] &= 1<<(hi&63) - 1
	}
	d.from, d.top, d.width = first, first+1, 0
	d.ones[first] = 0
	d.count()
}

// count brings ones up to date.
func (d *side) count() {
	n := d.ones[d.from]
	for w := d.from; w < d.top; w++ {
		n += int32(bits.OnesCount64(d.v[w]))
		d.ones[w+1] = n
	}
}

// before is the number of bits set before word w.
func (d *side) before(w int) int {
	if w <= d.top {
		return int(d.ones[w])
	}
	return int(d.ones[d.top]) + (w-d.top)<<6
}

// chooseWords finds the words to be computed in the next stride. left is the number of items
// of e between d and the other side.
//
// The ones among the first i bits of V are those of the first i items that have no
// partner. From there, the remaining items of e reach position i+left at most. Items
// that the other side lost after that position are lost too. Three kinds of words are
// left out:
//
//	first i bits   1 0 1 1 0 0 1 0 0 0 0 0 0 0 0 0 0 1 1 0 1 1 1 1 1 1 1 1
//	                  too far back  | all have partners         | too far ahead
//
// Words too far back or ahead are on no path to a sufficiently long subsequence,
// because more than loss is lost before and after them. Those too far back keep their
// value, which represents a shorter subsequence than there is. Those too far ahead are
// all ones, as if nothing there had a partner, so a carry that reaches them passes
// through without changing anything. Words of zeros have nothing to match. They can get
// a carry from the word before, so they are left out from the second one on.
func (d *side) chooseWords(loss, left int, other *side) {
	const near = 3 // words of zeros that cost less than a range of their own
	last := (d.hi + 63) >> 6
	most := loss + stride     // an item of e takes one one away at most
	lost := func(w int) int { // on any way through word w, at least
		beyond := max(0, d.hi-min((w+1)<<6, d.hi)-left)
		return d.before(w) + other.before((other.lo+beyond)>>6)
	}
	d.ranges, d.width = d.ranges[:0], 0
	for d.from < d.top && lost(d.from) > most {
		d.from++
	}
	if d.from == d.top {
		return
	}
	end := d.from
	for w := d.from; w < last && d.before(w) <= most; w++ {
		if lost(w) <= most {
			end = w + 1
		}
		if d.v[w] == 0 {
			continue
		}
		if n := len(d.ranges); n > 0 && w <= d.ranges[n-1].to+near {
			d.ranges[n-1].to = w + 2
		} else {
			d.ranges = append(d.ranges, span{w, w + 2})
		}
	}
	for n := len(d.ranges); n > 0 && d.ranges[n-1].from >= end; n-- {
		d.ranges = d.ranges[:n-1]
	}
	for w := end; w < d.top; w++ {
		d.v[w] = ^uint64(0)
	}
	for w := d.top; w < end; w++ {
		d.ones[w+1] = d.ones[w] + 64
	}
	d.top = end
	if n := len(d.ranges); n > 0 {
		d.ranges[n-1].to = min(d.ranges[n-1].to, end)
	}
	for _, r := range d.ranges {
		d.width += r.to - r.from
	}
}

// step reads n items, at most stride, and returns n.
func (d *side) step(n int) int {
	e := d.e[:n]
	d.e = d.e[n:]
	if len(d.ranges) == 0 {
		return n
	}
	m, v := d.m, d.v
	from, to := d.ranges[0].from, d.ranges[len(d.ranges)-1].to
	for len(e) > 0 {
		if r := m.row[e[0]]; !r.dense {
			sparse(v[:to], m.pos[r.at:r.at+r.count], from)
			e = e[1:]
			continue
		}
		n := m.denseItems(e)
		for _, p := range d.ranges { // no carry gets from one range to the next within a stride
			m.steps(v[p.from:p.to], p.from, e[:n])
		}
		e = e[n:]
	}
	d.count()
	return n
}

// denseItems is the number of items at the beginning of e that have dense rows.
func (m *Masks) denseItems(e []int32) int {
	if len(m.pos) == 0 {
		return len(e)
	}
	n := 0
	for n < len(e) && m.row[e[n]].dense {
		n++
	}
	return n
}

// meet returns the length of the longest subsequence that d has before some position of
// the gold and other has after it.
func (d *side) meet(other *side) int {
	n := d.hi - d.lo
	best := 0
	for from := 0; from < n; {
		to := min((d.lo+from)|63+1-d.lo, n)
		// No position within a word has more on either side than the ends of the word.
		if d.zeros(to)+other.zeros(n-from) > best {
			before, behind := d.zeros(from), other.zeros(n-from)
			best = max(best, before+behind)
			for i := from; i < to; i++ {
				before += d.zero(i)
				behind -= other.zero(n - 1 - i)
				best = max(best, before+behind)
			}
		}
		from = to
	}
	return best
}

// zeros is the number of the first i items that have a partner.
func (d *side) zeros(i int) int {
	at := d.lo + i
	ones := d.before(at >> 6)
	if at&63 != 0 {
		ones += bits.OnesCount64(d.v[at>>6] & (1<<(at&63) - 1))
	}
	return i - ones
}

// zero is 1 if item i has a partner.
func (d *side) zero(i int) int {
	at := d.lo + i
	return int(^d.v[at>>6] >> (at & 63) & 1)
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

// four does four steps of one at once. Word w of a step needs only the words up to w of
// the step before, so V is loaded and stored once and four carries run side by side.
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

// steps does the steps of the items e, whose rows are dense, over the words v of V
// from word from on.
func (m *Masks) steps(v []uint64, from int, e []int32) {
	for ; len(e) >= 4; e = e[4:] {
		four(v, m.mask(e[0], from, len(v)), m.mask(e[1], from, len(v)), m.mask(e[2], from, len(v)), m.mask(e[3], from, len(v)))
	}
	for _, c := range e {
		one(v, m.mask(c, from, len(v)))
	}
}

// mask returns n words of the dense row of item c, from word from on.
func (m *Masks) mask(c int32, from, n int) []uint64 {
	at := int(m.row[c].at) + from
	return m.dense[at:][:n]
}
