// Package fastcontentextractor is FastContentExtractor: Nguyen, Nguyen, Pham and Bui
// 2009. It finds content blocks with ContentExtractor once, remembers their paths, and
// takes the blocks at these paths of other pages.
//
// # Preparation (section III and figure 4 of the paper)
//
// Blocks, vectors and similarity are those of algorithms/site/contentextractor. With N
// the number of other pages of the sample, an atomic block is content if and only if
// fewer than DFmax(N) other pages have a block similar to it. A path is the names of
// the blocks from the page down, as in HTML.BODY.TABLE.TR.P, without positions and
// without elements that are not blocks. Text outside of all blocks is a block at
// HTML.BODY.#own, without blocks in it.
//
//	P          = paths of content blocks (on at least `support` pages)
//	nonContent = for each path in P, the vectors of blocks at this path that are
//	             not content
//
// # Detection (section III and figure 5)
//
// Let inP(b) be true if the path of b is in P, and anyP(b) if the path of a block
// somewhere inside b is. A block is taken, with its own leaves in place, if
//
//	taken(b) = inP(b)  or  anyP(b) and the block around b is taken
//
// The outermost blocks in P are therefore taken, with everything inside them except
// subtrees without a path in P. Then every atomic block that was taken and is similar
// to a vector of nonContent at its own path is dropped. The remaining blocks are the
// content, in the order of the page:
//
//	P = {P, P.SPAN}:  <p>the US <span>House</span> passed <span>CSM</span></p>
//	                  all four runs, so the phrase "the US House" is in the text
//	P = {P}:          "the US", "passed": the spans are not in P
//
//	P = {DIV, DIV.TABLE.P} of DIV(lead, UL(menu), TABLE(cap, P(body text), UL(z))):
//	                  lead, cap, body text: TABLE has a path of P inside, both UL not
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// The rules of the paper are ambiguous; the description says how they are read.
//
// # What is learned
//
// A sketch is the distinct pairs of path and vector of a page. The template is P, as
// hashes of 64 bits, and nonContent. If it exceeds its bound, vectors that are similar
// to something on the fewest pages go first (note "truncated"). Paths are never left
// out: more than 4096 are too many for a template. The notes and bounds of work are
// those of ContentExtractor.
//
// The page that the template is applied to is not left out of the sample, because P and
// nonContent do not store their pages. DF, however, does not count the page that a
// block is on.
//
// Paths that are content on one page and a menu with unseen text on another cost
// precision. Content at paths that the sample does not have is lost.
//
// Cost: learning costs as much as that of ContentExtractor. Applying is one walk over
// the blocks, and look-ups for blocks at paths of P.
//
// This package is internal to Winnow and may change in any release.
package fastcontentextractor
