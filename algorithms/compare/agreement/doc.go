// Package agreement tells how far extractors agree on a page, and which of them
// stand with the majority. It needs no gold, so it is what there is to say about
// a crawl.
//
// For two extractions of one page with words E and F
//
//	A(E,F) = 2·|E ∩ F| / (|E| + |F|)
//
// is their agreement: 1 for the same words, 0 for none in common or if one found
// nothing; unknown if both found nothing or one failed. The mean over all pairs
// is the strength of the page's consensus: pages where it is low are the
// doubtful ones. The consensus of one extractor is its agreement with the
// majority of the others: the words that more than half of them chose.
//
// Variants of one algorithm would vote for themselves, so a family has one vote:
// each member has the share 1/n of it, n being the members that answered, the one
// in question left out.
//
//	page words  0 1 2 3 4 5 6 7 …       one bit a word and extractor
//	bte         0 1 1 1 1 1 0 0 …       |E ∩ F| is the bits of a machine word's and,
//	lqf-25      0 0 1 1 1 0 0 0 …       64 page words at a time
//
// Spans compares selections by place: 30 extractors on a page of 8,000 words are
// 435 pairs of 125 machine words. A text without places is aligned with the page
// first (package align). Matrix sums pages up; sums are whole numbers, so any
// order of pages gives the same result.
package agreement
