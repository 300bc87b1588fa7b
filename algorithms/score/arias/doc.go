// Package arias holds the two measures of Arias, Deschacht and Moens, "Content
// Extraction from Web Pages" (2009, section 5.2), which compare two texts as strings of the
// characters that are not white space:
//
//	lcstring    longest common substring: the longest piece that is in both
//	lcsequence  longest common subsequence
//
// With I characters in common P = I/|E|, R = I/|G|, F1 their harmonic mean. An
// extraction that is right but broken into two by a caption scores about a half
// by lcstring and 1 by lcsequence.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package arias
