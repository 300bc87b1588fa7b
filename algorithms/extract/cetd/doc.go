// Package cetd is content extraction by text density: Sun, Song and Liao 2011,
// and its successor with visual importance, Song, Sun and Liao 2015. Content is
// where the tree holds many characters for few tags and few links.
//
//	id         density                      selection
//	cetd-ds    text density                 density sum
//	cectd-ds   composite text density       density sum
//	cectd-s    composite text density       smoothing (reconstructed)
//	cehtd-ds   hybrid text density          density sum (importance estimated)
//
// # Densities
//
// For an element: C characters, T elements strictly inside, LC characters under
// a link tag (a, button), LT link tags as Body.LinkTags counts them, NL = C − LC, and
// ρ = LC/C of body. Natural logarithms; T, LC, NL and LT that are 0 count as 1; a
// density without characters is 0.
//
//	text        TD  = C/T
//	composite   CTD = C/T · ln(C·T / (LC·LT)) / ln ln(C·LC/NL + ρ·C + e)
//	hybrid      HTD = CTD with HC in place of C, but for NL, and ρ = LC/HC of body
//
// HC of a text is its characters times its visual importance, HC of an element
// the sum over its texts. A text node has T = LC = LT = 0; its text density is
// its length.
//
// # Density sum
//
//  1. DS of an element is the sum of the densities of its children, texts
//     included; its own density if it has no element child.
//  2. x is the first element with the largest DS; θ is the smallest density on
//     the path from x to body.
//  3. From body down: an element that is not selected and has density ≥ θ
//     selects the subtree of the first element with the largest DS within it,
//     and its children are looked at in the same way. Below an element with
//     less density nothing is looked at.
//  4. The output is the selected subtrees, and text that is directly in an
//     ancestor of one: the authors' program removes unmarked elements only, so
//     the bare text of containers survives.
//
// # Smoothing
//
// The composite densities of all elements in document order are smoothed with a
// Gauss kernel of s = 1, radius 1; a text is content if the smoothed density of
// its parent is at least the density of body.
//
// # Visual importance
//
// The paper measures boxes in a browser. Nothing is rendered here: boxes are estimated
// from width, align, height and inline styles, as visual.go describes. Where the layout
// is in style sheets every box is the page, and cehtd-ds is close to cectd-ds. The
// estimate matters on the table layouts of the 2000s.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// The authors' program has another way to count, in which the characters of links are 0. It
// is in no published table: collapse_links=true of cetd-ds.
//
// Cost: one pass for densities, one backward for sums and their largest, and one for
// marking. Selected subtrees are disjoint, so marking is linear. The extractors do not
// suit content that consists of links (its density is 0), comments, or short cells.
//
// This package is internal to Winnow and may change in any release.
package cetd
