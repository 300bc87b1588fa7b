// Package blockfrequency finds template by the frequency of blocks, after Kolcz and Yih
// 2007: blocks that occur on many pages of a site are its template.
//
// Reconstructed: only the abstract of the paper and a summary were available. There,
// frequent blocks train a classifier that then works on pages of any site. This package
// is the first half, which labels the pages of one site. It is content-extractor with
// equality in place of similarity.
//
// # Definitions
//
// Blocks are the atomic blocks of algorithms/site/internal/block, cut with HTML5.
// The key of a block is a hash of its contents, in order: its own texts, the
// addresses that its links lead to, and those of its media. With N other pages of
// the sample, DF(b) of which have a block with the key of b:
//
//	b is template if and only if DF(b) ≥ DFmax = max(1, ⌈φ·N⌉)      φ = 10 %
//
// Content is the leaves of all other blocks. The page itself is never among the N.
//
//	page 0   li: "Home" → /      p: "one"         DF(li) = 1: template
//	page 1   li: "Home" → /      p: "two"         on a page whose li leads elsewhere
//	                                               it has another key: content
//
// # What is learned
//
// The template holds the sorted keys of the sample, each with the pages that have it
// (mask.Table), as for iwptd. The note "truncated" has the same meaning.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// One changed word or address makes a block a different one. Blocks of an earlier page
// that a later one quotes are dropped.
//
// Cost: linear in the page.
//
// This package is internal to Winnow and may change in any release.
package blockfrequency
