// Package menex removes menus: it is the menu detection of Alarte, Insa and Silva 2017
// turned into a content extractor that keeps everything except menus.
//
// Reconstructed: the properties are the authors' (a menu has at least two
// links; amplitude, link ratio, text ratio against the page, lists, the nav tag
// and the position are weighed and summed), the weights are not published in
// what could be read and are this package's.
//
// # Steps
//
// For an element n that is neither body nor a, with at least two links, text,
// and at least gate of its characters in links:
//
//	score = 0.2·amp + 0.3·link + 0.2·text + 0.1·ul + 0.1·nav + 0.1·pos
//	amp   = 1 − 1/(element children)        link = min(1, links/leaves)
//	text  = 1 − characters(n)/characters    ul   = [a list element in n]
//	nav   = [n is nav]                      pos  = 1 − (preorder place)/(rows)
//
// In document order, n is a menu if its score is at least 0.5; its subtree is then
// skipped. The output is the page without its menus.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: one pass with a few subtractions a row. Scores are computed for link lists
// only. The extractor does not suit pages whose content is links, which it takes for a
// menu. Boilerplate without links stays.
//
// This package is internal to Winnow and may change in any release.
package menex
