// Package lcs computes the length of the longest common subsequence of two
// sequences of item numbers (characters or words), 64 cells of the dynamic
// programme at a time (Allison and Dix 1986; Crochemore, Iliopoulos, Pinzon and
// Reid 2001; Hyyrö 2004).
//
// The gold sequence G of n items is the bit-vector side. Its match masks are
// built once and shared by every sequence E that is compared with it:
//
//	gold    a b r a c a d a b r a            n = 11 items, ⌈n/64⌉ words
//	M[a]    1 0 0 1 0 1 0 1 0 0 1            bit i set iff G[i] = a
//	M[b]    0 1 0 0 0 0 0 0 1 0 0
//
//	V = all ones; for every item c of E:
//	    U = V & M[c];  V = (V + U) | (V &^ M[c])     one addition over all words
//	LCS = zero bits of V
//
// A frequent item has a dense row of ⌈n/64⌉ words; a rare one has the sorted
// list of its positions and touches only the words that hold one, so sequences
// of words cost far less than n·|E|/64.
//
// Equal ends are stripped first. Then the shorter sequence becomes the bit-vector side
// and the other one is read from both ends at once. Words of V that no sufficiently
// long subsequence can pass are left out: those whose items all have partners, and
// those where too many items would be lost, before them and, as far as the other end
// has been read, after them. How many may be lost is guessed, and the result proves the
// guess, so the length is always exact.
//
// Item numbers are dense: the gold's are 0 ≤ id < symbols, every other number
// (negative ones too) matches nothing.
//
// Do not use it for one pair of short sequences: building the masks costs as
// much as a plain dynamic programme over a few items.
package lcs
