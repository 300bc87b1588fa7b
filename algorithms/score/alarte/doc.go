// Package alarte holds the measures of Alarte and Silva, "Page-Level Main Content
// Extraction from Heterogeneous Webpages" (ACM TKDD 15, 2021), section 4:
//
//	nodes       nodes of the page that are main content and were retrieved
//	nodes-elem  the same over elements alone
//	words       words of the texts among those nodes
//
// A set of nodes consists of whole subtrees. An extractor that chooses nodes returns
// them itself. For gold given as text or labels, and for extractors that choose text, a
// text node belongs to the set if more than two thirds of its characters, white space
// aside, are covered, and an element belongs to it if all texts below it do (the
// paper's Definition 2.3). The set holds the largest such subtrees with
// everything in them, including nodes without text.
//
// Nodes are the elements below body and their texts that are not blank. Comments,
// scripts and styles are not nodes. Sets are sorted ranges of rows, so they are counted
// by a merge.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package alarte
