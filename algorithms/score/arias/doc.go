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
// The paper's worked example (the fox and the dog) prints 20 and 23 where its
// own definitions give 22 and 28 with white space kept: two outer blanks and a
// shared letter are overlooked. Here it is as defined, without white space: 17
// and 22.
//
// Texts are compared in Unicode normalisation form C without soft hyphens and
// other invisible characters, of which the paper says nothing.
package arias
