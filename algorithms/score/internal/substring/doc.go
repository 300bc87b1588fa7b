// Package substring finds the longest substring that a gold sequence of item
// numbers shares with another sequence.
//
// Two texts of one page share long substrings, so most of both need not be
// looked at. Of the gold every a-th place is noted, by a hash of the piece that
// begins there; of the other sequence every b-th place is looked up, and a piece
// that is found is made as long as it goes on both sides:
//
//	gold    . . . | . . . | . . . | . . . | . . .      a = 4
//	                ~~~~~~~~~~~~~~~~~~~
//	other     . . | . . | . . | . . | . . |            b = 3
//	                ~~~~~~~~~~~~~~~~~~~
//
// Where a and b have no common divisor, a shared substring of a·b-1+piece items
// has a place that is noted on both sides. So once the longest found is as long
// as that, only longer ones count and none of them is missed: the more that two
// texts share, the fewer places are looked at. Where less is shared, the steps are
// made shorter, down to every place and pieces of one item.
//
// All of this is linear but for pieces that repeat. Where they do, so that the
// comparisons are more than some for every item, the suffix automaton of the gold
// is built and asked: linear whatever the texts are, but with
// ten times the memory of the gold, met in no order.
package substring
