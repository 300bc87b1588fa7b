// Package contentextractor is ContentExtractor: Debnath, Mitra and Giles 2005. A page
// is cut into blocks, and a block is template if many pages of the site have it or one
// similar to it.
//
//	id                     blocks are cut at
//	content-extractor      TABLE TR UL P SPAN DIV, as published
//	content-extractor-h5   these and the block elements of HTML5
//
// # Definitions
//
// Blocks are the atomic blocks of algorithms/site/internal/block. The paper cuts the
// page at one name after the other and keeps what is left of an outer block as a block,
// which gives the same result for any order of names. The vector of a block counts its
// images, scripts, hyperlinks and words (algorithms/site/internal/vector). Two blocks
// are similar if the cosine of their vectors is above ε. For block b of a page, with N
// the number of other pages of the sample:
//
//	DF(b)   = other pages with at least one block similar to b
//	IBDF(b) = 1 / (1 + DF(b))
//	b is content if and only if IBDF(b) > 1/(1+DFmax), that is DF(b) < DFmax
//	DFmax   = max(1, ⌈φ·N⌉)                              ε = 90 %, φ = 10 %
//
// With two pages, every block that both have is dropped, as in the figure of the
// paper.
//
// # What is learned
//
// A sketch is the distinct vectors of a page. The template is N and the vectors of the
// sample with the pages that have them, without the vectors of a single page that are
// similar to none of another page. If the template exceeds its bound, vectors of the
// fewest pages go first, and of these those with the fewest features (note
// "truncated"). Vectors are compared by an index, not in pairs. One sample may cost
// 2^26 steps, after which vectors of single pages are left out (note "budget"). A page
// may cost 2^22 steps, beyond which it is too large. Only pages made for the purpose
// reach the two bounds.
//
//	page 0   div: "home news" a a   p: "one two"        {#a 2, home, news}  pages 0, 1, 2
//	page 1   div: "home news" a a   p: "three four"     {#a 3, home, news, login}  page 3
//	page 2   div: "home news" a a   p: "five"           cosine 8/√(6·12) = 0.943: similar, so
//	page 3   div: "home news login" a a a   p: "six"    on page 3: DF(div) = 3
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Only the figures of the paper's algorithm were available. For order=paper, figure 3 of the
// FastContentExtractor paper shows that what is cut out of a block comes before the rest
// of it, and the order of names is that in which the paper lists them.
//
// A changed word in a short block hides it (copyright 2009 acme, copyright 2010 acme:
// cosine 0.667). Teasers and comments that are on several pages are dropped. All blocks
// that consist only of images look alike.
//
// Cost: learning is linear in the words of the sample except for the look-ups of
// prefixes, which grow with the number of blocks that share rare words. Applying is
// linear in the words of the page, with the same exception. Both end at the bounds
// above.
//
// This package is internal to Winnow and may change in any release.
package contentextractor
