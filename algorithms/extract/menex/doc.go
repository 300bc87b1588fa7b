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
//   - All weights, the gate of 0.75 and the threshold of 0.5. The gate lets
//     most menus go at a cost of a few points of recall.
//   - Hidden elements are no links, lists or leaves, as hidden text is no text;
//     they count among the children of amp and the rows of pos.
//   - The source finds the one main menu of a page; here every node over the
//     threshold is a menu.
//
// Cost: one pass with a few subtractions a row. Scores are computed for link lists
// only. The extractor does not suit pages whose content is links, which it takes for a
// menu. Boilerplate without links stays.
package menex
