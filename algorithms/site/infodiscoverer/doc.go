// Package infodiscoverer is InfoDiscoverer: Lin and Ho 2002. Words that are spread
// evenly over the pages of a site carry little information, and a block of such words
// is redundant.
//
// Reconstructed: the steps are in the abstract. Formulas, the choice of terms and the
// scan for the threshold are rebuilt.
//
// # Definitions
//
// Blocks are either the content of a TABLE without the tables inside it, and the
// content outside of all tables (delims=table), or the same for the elements that
// replaced layout tables, TABLE DIV SECTION ARTICLE ASIDE NAV HEADER FOOTER MAIN UL OL
// FORM (delims=layout). Terms are the words of a page (canon.WordsOf), as 32-bit
// hashes, without single ASCII letters. With tf(i,j) the number of times that term i
// occurs on page j of the N sampled pages:
//
//	w(i,j) = tf(i,j) / Σ_j tf(i,j)
//	H(i)   = −Σ_j w(i,j)·log_N w(i,j)       0: on one page; 1: as often on every page
//	H(B)   = mean of H over the k distinct terms of block B
//	B is redundant if and only if H(B) > τ
//
//	N = 4     tf        H                  H(B) of the four
//	          1 1 1 1   1
//	          2 2 0 0   0.5
//	          3 1 0 0   0.40564
//	          5 0 0 0   0                  0.47641
//
// τ is found for each site. F(τ) is the number of distinct terms in the sample's
// blocks with H(B) ≤ τ. τ is the smallest of 0.1, 0.2 … 0.9 from which on the next
// step gains little, F(τ+0.1) − F(τ) ≤ 0.01·F(1), and that covers half of the terms,
// F(τ) ≥ 0.5·F(1); if none does, 0.7. Without the second condition a few tiny
// blocks of unique words would end the scan.
//
// # What is learned
//
// A sketch is the terms of a page with their counts, and its blocks as sets of terms,
// for both ways to cut. The template is the way to cut, τ, and the entropy of every
// term that occurs on two pages or more, in 255ths; other terms have 0. The scan uses
// the rounded entropies, too. If the template exceeds its bound, terms of the lowest
// entropy go first (note "truncated").
//
// delims=auto decides for the site: it takes tables if on at least half of the pages
// half of the words are in tables.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Pages of few tables and many DIVs have arbitrary blocks. Lists of unique teasers have
// low entropy and stay. On a site about one subject the words of long articles occur
// everywhere, so the articles are dropped.
//
// Cost: linear in the words, except for the sorting of those of each block.
//
// This package is internal to Winnow and may change in any release.
package infodiscoverer
