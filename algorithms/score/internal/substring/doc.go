// Package substring finds the longest substring that a gold sequence of item
// numbers shares with another sequence.
//
// Two texts of one page share long substrings, so most of both can be skipped. Every
// a-th position of the gold is indexed, by a hash of the piece that begins there. Every
// b-th position of the other sequence is looked up, and a piece that is found is
// extended as far as both sides are equal:
//
//	gold    . . . | . . . | . . . | . . . | . . .      a = 4
//	                ~~~~~~~~~~~~~~~~~~~
//	other     . . | . . | . . | . . | . . |            b = 3
//	                ~~~~~~~~~~~~~~~~~~~
//
// If a and b have no common divisor, a shared substring of a·b-1+piece items has a
// position that is sampled on both sides. Once the longest substring found is as long
// as that, only longer ones count and none of them is missed: the more two texts share,
// the fewer positions are examined. Where less is shared, the steps get shorter, down
// to every position and pieces of one item.
//
// All of this is linear except for pieces that repeat. Where they need more than a few
// comparisons for every item, the suffix automaton of the gold is built and used
// instead. It is linear for all texts, but takes ten times the memory of the gold and
// accesses it in random order.
package substring
