// Package iwptd is incremental web page template detection by text segments: Wang,
// Fang, Cheng, Guo and Xu 2008. A site has a table of text segments with the number of
// pages on which each occurs. A block is template if most of its words are in segments
// that occur on many pages.
//
// # Definitions
//
// A segment is a text leaf of the canonical tree (algorithms/feature/canon). Two
// segments are the same if both their texts and their paths are equal; a path is the
// names of the elements from body down, without positions. Blocks are the atomic blocks
// of algorithms/site/internal/block, cut with HTML5. With N other pages, DF(s) of which
// have segment s, and W(s) the number of words of s:
//
//	DFmax = max(1, ⌈φ·N⌉)                                           φ  = 10 %
//	q(b)  = Σ W(s), s in b with DF(s) ≥ DFmax  /  Σ W(s), s in b
//	b is template if and only if q(b) ≥ θ                            θ  = 50 %
//
// Content is the leaves of all other blocks; media follow their block. The page at
// hand is never among the N pages, whether or not it was in the sample.
//
// # What is learned
//
// A sketch is the sorted keys of a page's segments, a key being the hash of path
// and text. The template is N and, for each key on at least DFmax(N) pages of the
// sample, the set of these pages. Nothing is lost by leaving out the others:
// leaving one page out lowers DFmax by one at most. If the template is over its
// bound, keys on the fewest pages go first (note "truncated").
//
//	page 0   nav: "Home"   p: "one"      template, N = 2, φ = 10 %: all keys
//	page 1   nav: "Home"   p: "two"      page 0 without itself: N = 1, DFmax = 1,
//	                                      DF(Home) = 1, q(nav) = 1: template; DF(one) = 0: content
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Only the beginning of the poster was available (and of the longer paper, "... by text
// segments", WSCS 2008, doi 10.1109/WSCS.2008.17). The steps are the poster's: segment the
// page, extend the table, find template blocks, shrink the table.
//
// In mode=stream the first pages are compared with an empty table. The sample, of 64 pages
// in this mode, is the beginning of the stream, and a page counts only those of smaller
// rank. After the 64th page the table is shrunk, which removes the segments that occurred
// once, and does not change any more.
//
// Boilerplate with counters, dates or user names has a different text each time and is not
// found, and neither are copies at another depth. Quoted and syndicated text is taken for
// template.
//
// Cost: learning and applying are linear in the text of the page; a look-up costs
// a binary search in the keys that share ten bits.
//
// This package is internal to Winnow and may change in any release.
package iwptd
