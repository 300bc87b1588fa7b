// Package crunch is the content extractor of Gupta, Kaiser, Neistadt and Grimm
// 2003: a pass over the tree that removes what its filters know to be clutter
// (links, link lists, advertisements, images, forms) and keeps the rest.
//
// The default switches and numbers are those of two generations of the
// authors' program (Crunch, and Crunch 3 of 2004), which agree.
//
// # Steps
//
// Depth first, parents before children; the first rule that fits is applied.
//
//  1. Advertisement: an element whose href, or else src, is an absolute URL
//     with a host on the block list is removed.
//  2. A td: with links = a[href] elements and words = characters outside
//     a[href] / 5 in the cell as the source has it, links/words > 0.25 (1.25 if
//     there are no words) removes every text node and every a[href] in it.
//  3. An a[href] is removed: as a text link, or as an image link if it has an
//     img child.
//  4. img, script, noscript, meta, form, input, button and select are removed.
//  5. A table is removed, after its children were visited, if nothing of
//     substance (a, iframe, textarea) and no text is left in it.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: one pass. Rule 2 is two subtractions of prefix sums, and rule 5 compares two
// running counts. The extractor does not suit pages wrapped in a form, of which nothing
// remains, nor wikis, because links in sentences are removed too.
//
// This package is internal to Winnow and may change in any release.
package crunch
