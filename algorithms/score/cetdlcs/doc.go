// Package cetdlcs holds the measure of Sun, Song and Liao, "DOM Based Content
// Extraction via Text Density" (SIGIR 2011), as Alarte and Silva describe it
// (section 5.2):
//
//	cetd-lcs       P = |LCS(a,b)|/|a|, R = |LCS(a,b)|/|b| of extracted text a and gold b
//	cetd-lcs-word  the same over words between white space
//
// For one page cetd-lcs equals Gottron's str, but the figure of a package differs: it
// is the harmonic mean of mean precision and mean recall. (Mean precision 88.87 % and
// mean recall 95.83 % make the 92.22 % that Alarte and Silva print for BTE on
// CleanEval, table 5.)
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package cetdlcs
