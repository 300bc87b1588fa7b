// Package web2text holds the block measure of Vogels, Ganea and Eickhoff,
// "Web2Text: Deep Structured Boilerplate Removal" (ECIR 2018), with details from
// their program: every text of the page that is not blank is a block, and each is
// content or not, by the gold and by the extraction. Counts are pooled over the
// package.
//
// A block of n UTF-16 units, blanks at its ends aside, is content if more than
// ⌊2n/3⌋ of them are aligned with the gold; the same rule labels the extraction.
// Score.Value is the accuracy over blocks. A page on which no block is predicted
// has precision 0, one without content blocks recall 0.
//
// Golds are prepared as in the program: without a first URL line, the segment
// marks of CleanEval, list bullets and ruled lines.
//
// # Alignment
//
// Winnow aligns words with the page text, as for all its scorers (package align), and
// asks an extraction which texts it chose. With align=w2t it does what the authors'
// program does, for the gold and again for every extraction:
//
//	source  □□□The harvesters begin early□□□□□□□□imprint     markup, scripts, &name; are gaps
//	text       The harvestesr begin earyl
//	pieces        harveste         begin ear                 ten characters that are there once are
//	                                                         anchors, as long as both sides go on
//	tables     between anchors: +3 the same letter or digit, +1 another character or case,
//	           -6 a character of the text left out, -2 a gap in the source begins
//
// The choices of the program are kept: anchors are taken in the order in which they
// occur, an anchor that leads back removes the one before, and a cell of the table
// remembers only for its best path whether a gap is open. header is masked like head,
// because the program's pattern matches both. A block's blanks count where they are
// aligned. This alignment finds golds with typing errors, which an alignment of words
// does not, but needs a table for every gap, up to 2²⁶ cells. Larger gaps are aligned
// by a longest common subsequence (Method "w2t-coarse").
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package web2text
