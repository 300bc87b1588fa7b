// Package agreement tells how far extractors agree on a page, and which of them are
// with the majority. It needs no gold, so it also applies to a crawl.
//
// For two extractions of one page with words E and F
//
//	A(E,F) = 2·|E ∩ F| / (|E| + |F|)
//
// is their agreement: 1 for the same words, 0 for none in common or if only one found
// something. It is unknown if both found nothing or one failed. The mean over all pairs
// is the strength of the page's consensus: pages where it is low are the doubtful ones.
// The consensus of one extractor is its agreement with the majority of the others: the
// words that more than half of them chose.
//
// Variants of one algorithm would vote for each other, so a family has one vote. Each
// member has a share of 1/n, where n is the number of members that answered, without
// the extractor whose consensus is computed.
//
//	page words  0 1 2 3 4 5 6 7 …       one bit a word and extractor
//	bte         0 1 1 1 1 1 0 0 …       |E ∩ F| is the bits of a machine word's and,
//	lqf-25      0 0 1 1 1 0 0 0 …       64 page words at a time
//
// Spans compares selections by location: 30 extractors on a page of 8,000 words are 435
// pairs of 125 machine words. A text without locations is aligned with the page first
// (package align). Matrix sums pages up in whole numbers, so any order of pages gives
// the same result.
//
// This package is internal to Winnow and may change in any release.
package agreement
