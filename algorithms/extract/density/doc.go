// Package density is the language-independent extractor of Arias, Deschacht and Moens
// 2009: the page becomes a list of strings cut at structural tags, and the main content
// is the region around the longest string in which long strings are dense.
//
// # Steps (section 4 of the paper)
//
//  1. The list starts with one empty string. In document order an element that
//     modifies the structure appends an empty string; a text node is added to
//     the last string, joined by one blank.
//  2. m is the leftmost string of maximal length, cutoff = c1·len(m), R = {m}.
//  3. Any string longer than cutoff that lies closer than c2 positions to a
//     member of R joins R, until nothing changes.
//  4. The output is everything from the leftmost to the rightmost member.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// # Cost
//
// One pass makes the non-empty strings. The closure of step 3 is two scans:
// going right from m, a string joins if it is longer than the cutoff and closer
// than c2 to the last one that joined, and the scan ends at the first gap; the
// left side mirrors it.
//
// The extractor does not suit pages whose article is many short paragraphs after one
// long one, tables, or discussions, because it finds only one region.
//
// This package is internal to Winnow and may change in any release.
package density
