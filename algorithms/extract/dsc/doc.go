// Package dsc is the document slope curve of Pinto et al. 2002, in the form that
// Gottron 2007 (section 5.3) gave it for content extraction: stretches of the
// page in which tags are rare, several of them if need be.
//
// # Steps
//
// The page is N tokens; d(k) is the number of tags among the first k, the curve.
// Its mean slope is σ = d(N)/N.
//
//  1. Windows of l tokens start at every multiple of l/2, the last one ends at
//     N. The slope of a window [s, e) is (d(e) − d(s))/(e − s).
//  2. A window is low if its slope is less than σ/2, otherwise high.
//  3. Three low windows in a row open an area at the start of the first; three
//     high ones in a row close it at the end of the window before them. An area
//     that is open at the end closes there.
//
// The output is the words of the areas.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: one pass for the curve, one over the windows. The extractor does not suit short
// articles, which have no three low windows, nor wikis and lists.
//
// This package is internal to Winnow and may change in any release.
package dsc
