package lcs

import "math/bits"

// Table holds the LCS length of every pair of prefixes of two sequences, one
// bit a cell: for walks that need the path and not only the length.
type Table struct {
	words int
	rows  []uint64 // V before the first item of e and after each, words apart
}

// Words is the number of words that the table of n gold items and m others
// takes.
func Words(n, m int) int { return (n + 63) / 64 * (m + 1) }

// Fill makes t the table of m's gold sequence and e. Memory of an earlier table
// is used again.
func (t *Table) Fill(m *Masks, e []int32) {
	t.words = m.words
	t.rows = resize(t.rows, t.words*(len(e)+1))
	row := t.rows[:t.words]
	fill(row)
	for j, c := range e {
		next := t.rows[(j+1)*t.words : (j+2)*t.words]
		copy(next, row)
		m.step(next, c)
		row = next
	}
}

// Gain is Length(i, j) - Length(i-1, j), 0 or 1, for i > 0.
func (t *Table) Gain(i, j int) int {
	return int(^t.rows[j*t.words+(i-1)>>6] >> ((i - 1) & 63) & 1)
}

// Length is the LCS length of the first i gold items and the first j others. It
// counts the bits of i/64 words.
func (t *Table) Length(i, j int) int {
	row := t.rows[j*t.words : (j+1)*t.words]
	n := 0
	for _, v := range row[:i>>6] {
		n += bits.OnesCount64(^v)
	}
	if i&63 != 0 {
		n += bits.OnesCount64(^row[i>>6] & (1<<(i&63) - 1))
	}
	return n
}

// fill sets all bits of v: what lies beyond the items takes part in no match,
// and a carry that comes there changes nothing.
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
