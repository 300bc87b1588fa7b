// Package lqf is the link quota filter: a block whose own text is mostly link text is
// navigation, and everything else is content.
//
// The idea comes from Mantratzis, Orgun and Cassidy 2005; the algorithm is the
// one that Gottron 2007 (section 5.4) states and compares. The three published
// thresholds are three extractors, lqf-25, lqf-50 and lqf-75.
//
// # Steps
//
// For every block-level element b (page.Body's set B) let tot(b) be the
// characters of the text nodes whose nearest block is b, and lnk(b) those of
// them that are inside an a element. If tot > 0 and lnk/tot > t, the own text
// of b is dropped. All other text is the output.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: two passes over the node table. The extractors do not suit pages that consist
// of links (wikis, indexes), whose text is dropped. Boilerplate without links stays.
//
// This package is internal to Winnow and may change in any release.
package lqf
