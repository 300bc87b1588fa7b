// Package plain takes the whole page: all text under body that is not hidden. It is the
// baseline that every comparison of extractors since Gottron 2007 (section 5) reports:
// recall is complete, and precision depends on how much boilerplate the page has.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: O(hidden text nodes), as the page text is one run.
//
// This package is internal to Winnow and may change in any release.
package plain
