// Package texthash finds template in the text of pages alone, after Gibson, Punera and
// Tomkins 2005: sequences of words that many pages of a site have are its template,
// whatever tags are between them.
//
// Reconstructed: the abstract names two detectors, one of subtrees and one of text
// with the tags stripped; this is a form of the second. The first is rbm-td without
// its condition on paths.
//
// # Definitions
//
// The words of a page are those of page.Body.Words: its visible text in document
// order, cut at white space, compared byte by byte. A window is w words in a row.
// With N other pages of the sample, DF(x) of which have window x:
//
//	window x is template          if and only if DF(x) ≥ DFmax = max(1, ⌈φ·N⌉)
//	a word is template            if and only if a window of template covers it
//	content                       = the other words, but for runs of fewer than r of
//	                                them between two words of template
//
//	w = 6, φ = 10 %, r = 3
//
//	… Home News Sport Weather Shop About | The grain is heavy | Contact Press Jobs Terms Help Map …
//	  template window                      4 words: content     template window
//
// The page itself is never among the N. A page of fewer than w words has no window.
//
// # What is learned
//
// The template holds the sorted hashes of the sample's windows, each with the pages
// that have it (mask.Table), as for iwptd. The note "truncated" has the same meaning. A
// page with more windows than a sketch holds, about 65 000, is not used for learning.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Menus of fewer than w words between other texts are not found, and neither is
// boilerplate with a changing word in every window. Quoted passages are dropped.
//
// Cost: linear in the words.
//
// This package is internal to Winnow and may change in any release.
package texthash
