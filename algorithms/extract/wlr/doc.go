// Package wlr is the words/leafs ratio of Insa, Silva and Tamarit 2013: nodes of
// the tree that hold many words for their number of leaves are content, and the
// main content is one coherent block of them.
//
// Reconstructed: the ratio is the authors'; how the block is chosen among the
// nodes with a high ratio is rebuilt from the abstract ("one coherent block")
// and from a later paper of the same group (Alarte, Silva 2021, section 6).
//
// # Steps
//
//  1. w(n) = words below n outside anchors, WLR(n) = w(n)/leaves(n).
//     WLR(body) is the ratio of the page.
//  2. Seeds are elements with words of their own, outside anchors, and a ratio
//     above the page's. s(n) = those words of a seed, otherwise 0; S is the sum
//     of s over a subtree.
//  3. The container: from body, step to the first element child k with
//     S(k) ≥ cover·S(body), for as long as there is one.
//  4. The output is the container's own text, and every element child k with
//     S(k) > 0 and WLR(k) ≥ factor·WLR(body), whole.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: two passes over the node table and one over the children of the path to the
// container. The extractor does not suit lists and tables, which have many leaves, nor
// content in several columns.
//
// This package is internal to Winnow and may change in any release.
package wlr
