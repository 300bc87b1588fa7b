// Package gottron holds the four measures of Gottron, "Evaluating Content
// Extraction on HTML Documents" (ITA 2007), section 3: what an extraction and the gold
// text of a page have in common
//
//	str   as strings: longest common subsequence of characters
//	seq   as sequences of words: longest common subsequence of words
//	vec   as bags of words: Σ over words of the smaller count
//	set   as sets of words
//
// From the common items I and the items of the extraction E and the gold G
// follow P = I/|E|, R = I/|G| and F1 = 2I/(|E|+|G|). Two empty texts score 1.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Gottron computes str by Hirschberg's dynamic programme; here the same number comes from
// 64 cells at a time (package lcs).
//
// This package is internal to Winnow and may change in any release.
package gottron
