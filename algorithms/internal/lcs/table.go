package lcs

import "math/bits"

// Table holds the LCS length of every pair of prefixes of two sequences, for walks that
// need the path as well as the length.
//
// It stores V before every 64 items of e and, for those, the carries into each word:
// two bits for 64 cells. The walk reads cells near one another, so the rest is computed
// again when the walk gets there, a tile of 64 by 64 cells at a time:
//
//	          gold, a word each
//	        ┌──────┬──────┬──────┐
//	64 of e │      │      │      │ ← V kept here
//	        ├──────┼──────┼──────┤
//	64 of e │      │ tile │      │
//	        └──────┴──────┴──────┘
//	               ↑ carries kept here
//
// Cells that no sufficiently long subsequence comes near are left out, because too many
// items before them have no partner (see side.chooseWords).
//
// The zero Table is ready for Fill. It is not safe for concurrent use.
type Table struct {
	m       *Masks
	e       []int32  // without what the gold lacks
	at      []int32  // by items of e read: how many of those were kept
	rows    []uint64 // V before each strip of 64 items
	carries []uint64 // by strip and word: bit j is set where item j carries into it

	strip, column int // indexes of the tile
	tile          [65]uint64
	mask          []uint64 // by symbol: its places in column; all zero between two tiles
	v             []uint64
}

// Fill makes t the table of m's gold sequence and e, as far as walks along longest
// common subsequences need it: cells on one of them and those beside. If more than loss
// items of the gold have no partner in a longest one it returns false, and the table is
// of no use. Memory of an earlier table is reused. The gold must not change while the
// table is in use.
func (t *Table) Fill(m *Masks, e []int32, loss int) bool {
	t.m, t.strip = m, -1
	t.e = resize(t.e, len(e))[:0]
	t.at = append(resize(t.at, len(e)+1)[:0], 0)
	for _, c := range e {
		if m.has(c) {
			t.e = append(t.e, c)
		}
		t.at = append(t.at, int32(len(t.e)))
	}
	strips := (len(t.e) + 63) / 64
	t.rows = resize(t.rows, strips*m.words)
	t.carries = resize(t.carries, strips*m.words)
	clear(t.carries)
	if len(t.mask) < len(m.row) {
		t.mask = make([]uint64, len(m.row))
	}
	t.v = resize(t.v, m.words)
	fill(t.v)
	for s := range strips {
		copy(t.rows[s*m.words:], t.v)
		from, to := t.near(len(t.e)-s*64, loss)
		into := t.carries[s*m.words:][:to]
		for j, c := range t.e[s*64 : min(s*64+64, len(t.e))] {
			r := m.row[c]
			if r.dense {
				oneNoted(t.v[from:to], m.dense[int(r.at)+from:], into[from:], uint(j))
			} else {
				sparseNoted(t.v[:to], m.pos[r.at:r.at+r.count], into, uint(j), from)
			}
		}
	}
	without := 0
	for w, v := range t.v {
		without += bits.OnesCount64(v & t.m.places(w))
	}
	return without <= loss
}

// places returns the bits of word w that represent items.
func (m *Masks) places(w int) uint64 {
	if n := len(m.gold) - w<<6; n < 64 {
		return 1<<n - 1
	}
	return ^uint64(0)
}

// near returns the range of words that the next strip needs; left is the number of
// items of e that remain to be read. The other words stay unchanged: words of zeros at
// the front, where nothing is carried, words after so few pairs that the remaining ones
// cannot suffice, and words after too many items without a partner.
func (t *Table) near(left, loss int) (from, to int) {
	const beside = 2 // cells beside those of a subsequence have one pair less, or one item
	enough := len(t.m.gold) - loss - left - beside
	most := loss + 64 + beside // a strip takes 64 away at most
	ones, done := 0, true
	for w, v := range t.v {
		if done = done && v == 0; done {
			from = w + 1
			continue
		}
		if ones > most {
			return from, w
		}
		ones += bits.OnesCount64(v)
		if (w+1)<<6-ones < enough {
			from = w + 1
		}
	}
	return from, len(t.v)
}

// oneNoted is one that also stores the carry into each word in bit j of into.
func oneNoted(v, m, into []uint64, j uint) {
	m, into = m[:len(v)], into[:len(v)]
	var carry uint64
	for w := range v {
		into[w] |= carry << j
		x := v[w]
		u := x & m[w]
		var sum uint64
		sum, carry = bits.Add64(x, u, carry)
		v[w] = sum | (x - u)
	}
}

// sparseNoted is sparse that also stores the carry into each word in bit j of into. It
// is a loop of its own because a condition in that of sparse costs 2 %
// (BenchmarkLength, words).
func sparseNoted(v []uint64, pos []int32, into []uint64, j uint, from int) {
	for i := 0; i < len(pos); {
		w := int(pos[i]) >> 6
		if w < from {
			i++
			continue
		}
		if w >= len(v) {
			return
		}
		var carry uint64
		for {
			into[w] |= carry << j
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

// load computes the tile of a column and a strip.
func (t *Table) load(strip, column int) {
	t.strip, t.column = strip, column
	m := t.m
	gold := m.gold[column*64 : min(column*64+64, len(m.gold))]
	for i, c := range gold {
		t.mask[c] |= 1 << i
	}
	v, into := ^uint64(0), uint64(0)
	var e []int32
	if strip*64 < len(t.e) {
		v, into = t.rows[strip*m.words+column], t.carries[strip*m.words+column]
		e = t.e[strip*64 : min(strip*64+64, len(t.e))]
	}
	t.tile[0] = v
	for j, c := range e {
		u := v & t.mask[c]
		sum, _ := bits.Add64(v, u, into>>j&1)
		v = sum | (v - u)
		t.tile[j+1] = v
	}
	for _, c := range gold {
		t.mask[c] = 0
	}
}

// rowOf loads the tile of column that holds V after the given number of kept items and,
// if that number is not 0, after the item before them too. It returns the index of the
// former in the tile.
func (t *Table) rowOf(kept, column int) int {
	strip := max(kept-1, 0) >> 6
	if t.strip != strip || t.column != column {
		t.load(strip, column)
	}
	return kept - strip<<6
}

// Gain is Length(i, j) - Length(i-1, j), 0 or 1, for 0 < i. Length(i, j) is the
// LCS length of the first i gold items and the first j others.
func (t *Table) Gain(i, j int) int {
	column, kept := (i-1)>>6, int(t.at[j])
	at := kept - t.strip<<6 // the tile may begin with it
	if t.strip < 0 || t.column != column || at != 0 {
		at = t.rowOf(kept, column)
	}
	return int(^t.tile[at] >> ((i - 1) & 63) & 1)
}

// Rise is Length(i, j) - Length(i, j-1), 0 or 1, for 0 < j and i less than the
// gold's length.
func (t *Table) Rise(i, j int) int {
	if t.at[j] == t.at[j-1] {
		return 0
	}
	at := t.rowOf(int(t.at[j]), i>>6)
	into := t.carries[t.strip*t.m.words+t.column] >> (at - 1) & 1
	low := uint64(1)<<(i&63) - 1
	return int(into) + bits.OnesCount64(t.tile[at-1]&low) - bits.OnesCount64(t.tile[at]&low)
}

// fill sets all bits of v. Bits beyond the items take part in no match, and a carry
// that reaches them changes nothing.
func fill(v []uint64) {
	for w := range v {
		v[w] = ^uint64(0)
	}
}

// step is the step of item c over all words.
func (m *Masks) step(v []uint64, c int32) {
	if !m.has(c) {
		return
	}
	r := m.row[c]
	if r.dense {
		one(v, m.dense[r.at:int(r.at)+m.words])
	} else {
		sparse(v, m.pos[r.at:r.at+r.count], 0)
	}
}
