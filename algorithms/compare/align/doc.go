// Package align finds where a text lies on a page: which words of the page text
// are the words of a gold text, or of a text that a program returned.
//
//	page  Menu The cat sat on the mat The end
//	text       The cat sat on the mat
//
// The alignment is one to one and keeps the order of both sides. Words are compared in
// lower case. Hidden text has no words. The alignment is found in three steps:
//
//  1. Runs of five words that both sides have exactly once are anchors. The
//     chain of them that goes forward and has the most words is kept, each as
//     long to both sides as the words are equal.
//  2. Between two anchors a table finds the best alignment: a matched word earns
//     its length in characters, and each gap of unmatched page words costs four
//     and a half, so a lone short word far from the rest is not matched. Page
//     words that the piece of text does not have, and the other way round, take
//     no room in the table.
//  3. Where the table is too large (2²⁶ cells) runs of three and of two words
//     that are unique in between are tried; what is too large still is aligned
//     by a longest common subsequence, and Method says "coarse".
//
// Anchoring is linear, so aligning a text that is on the page costs little more than
// reading both.
//
// This package is internal to Winnow and may change in any release.
package align
