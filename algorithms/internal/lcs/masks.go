package lcs

import "slices"

// Masks holds the match masks of a gold sequence. The zero Masks is that of the empty
// sequence. It is not safe for concurrent use, because the masks of the reversed
// sequence are made when a comparison first needs them.
type Masks struct {
	gold  []int32
	words int      // ⌈n/64⌉
	row   []row    // by symbol
	dense []uint64 // the dense rows, words apart
	pos   []int32  // the position lists
	whole bool     // every symbol occurs

	mirror   *Masks // masks of backward, the gold from the end; made when they are asked for
	asked    bool   // for the current gold
	backward []int32
}

// row says where the mask of a symbol is: count positions from pos[at] on, or,
// when dense, the words from dense[at] on.
type row struct {
	at, count int32
	dense     bool
}

// maxItems is the longest gold that gets masks, which take up to 68 bytes an item.
// Longer ones are compared by anchors.
const maxItems = 4_000_000

// Build makes m the masks of gold, whose items are 0 ≤ id < symbols. The slice
// is kept and must not change while m is in use. Memory of an earlier build is
// used again.
//
// A symbol is dense when its positions would touch an eighth of the words or
// more, or when there are so few symbols that all rows can be: a rare symbol
// costs less by its positions, but it breaks off steps of four. So there are at
// most 512 dense rows and the masks take at most 64 bytes an item (dense) and 4
// (positions).
func (m *Masks) Build(gold []int32, symbols int) {
	m.gold, m.words, m.asked, m.whole = gold, (len(gold)+63)/64, false, false
	m.row = resize(m.row, symbols)
	if symbols <= allDense && len(gold) <= maxItems {
		m.buildDense()
		return
	}
	clear(m.row)
	for _, c := range gold {
		m.row[c].count++
	}
	if len(gold) > maxItems {
		m.dense, m.pos = nil, nil
		return
	}
	var dense, pos int32
	for c := range m.row {
		r := &m.row[c]
		if r.dense = int(r.count)*8 > m.words; r.dense {
			r.at, dense = dense, dense+int32(m.words)
		} else {
			r.at, pos = pos, pos+r.count
		}
	}
	m.dense = resize(m.dense, int(dense))
	clear(m.dense)
	m.pos = resize(m.pos, int(pos))
	for i, c := range gold {
		r := &m.row[c]
		if r.dense {
			m.dense[int(r.at)+i>>6] |= 1 << (i & 63)
		} else {
			m.pos[r.at] = int32(i)
			r.at++
		}
	}
	for c := range m.row {
		if r := &m.row[c]; !r.dense {
			r.at -= r.count
		}
	}
}

// buildDense makes every row dense, so where each begins is known before the symbols are
// counted.
func (m *Masks) buildDense() {
	for c := range m.row {
		m.row[c] = row{at: int32(c * m.words), dense: true}
	}
	m.dense, m.pos = resize(m.dense, len(m.row)*m.words), m.pos[:0]
	clear(m.dense)
	for i, c := range m.gold {
		r := &m.row[c]
		r.count++
		m.dense[int(r.at)+i>>6] |= 1 << (i & 63)
	}
	m.whole = !slices.ContainsFunc(m.row, func(r row) bool { return r.count == 0 })
}

// allDense is the number of symbols up to which every row is dense.
const allDense = 256

// reversed are the masks of the gold from its end, as many bytes again.
func (m *Masks) reversed() *Masks {
	if !m.asked {
		m.asked = true
		if m.mirror == nil {
			m.mirror = new(Masks)
		}
		m.backward = append(m.backward[:0], m.gold...)
		slices.Reverse(m.backward)
		m.mirror.Build(m.backward, len(m.row))
	}
	return m.mirror
}

// maxReversed is the size of masks up to which reversed ones are made. It corresponds
// to three million characters of a language written with letters.
const maxReversed = 32 << 20

// size is the memory of the rows in bytes.
func (m *Masks) size() int { return 8*len(m.dense) + 4*len(m.pos) }

// Len is the number of items of the gold sequence.
func (m *Masks) Len() int { return len(m.gold) }

// has reports whether c occurs in the gold sequence.
func (m *Masks) has(c int32) bool {
	return uint32(c) < uint32(len(m.row)) && m.row[c].count > 0
}

// keepBytes bounds the memory of a large page that is kept for the next one: beyond it,
// a buffer that is eight times too large is released.
const keepBytes = 8 << 20

// resize returns s with length n, its content undefined.
func resize[T row | uint64 | int32](s []T, n int) []T {
	const item = 8 // about the size of a T
	if cap(s) < n || cap(s)*item > keepBytes && cap(s)/8 > n {
		return make([]T, n)
	}
	return s[:n]
}
