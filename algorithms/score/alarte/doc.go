// Package alarte holds the measures of Alarte and Silva, "Page-Level Main Content
// Extraction from Heterogeneous Webpages" (ACM TKDD 15, 2021):
//
//	nodes       nodes of the page that are main content and were retrieved
//	nodes-elem  the same over elements alone
//	words       words of the texts among those nodes
//
// A set of nodes is whole subtrees: an extractor that chooses nodes brings them.
// For gold given as text or labels, and for extractors that choose text, a text
// node is in if more than two thirds of its characters, white space aside, are
// covered, and an element if all texts below it are (the paper's definition of
// relevant nodes); the set is the largest such subtrees with all they hold, also
// what has no text.
//
// Nodes are the elements below body and their texts that are not blank; comments,
// scripts and styles are no nodes. Sets are sorted ranges of rows, so counting
// them is a merge.
//
// # Departures
//
// The paper does not say which nodes count nor what a word is: words are what
// white space separates, and count by place. An extraction without places on the
// page has no nodes, and its words count as bags (Method "bag").
package alarte
