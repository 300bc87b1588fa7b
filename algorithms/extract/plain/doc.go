// Package plain takes the whole page: all text under body that is not hidden. It is the
// baseline that every comparison of extractors since Gottron 2007 (section 5) reports:
// recall is complete, and precision depends on how much boilerplate the page has.
//
// # Departures
//
//   - The title element is not page text. Gottron's tag stripper would keep it;
//     his gold does not contain it reliably.
//   - Hidden text (attribute hidden, or inline display:none or
//     visibility:hidden) is never selected, by this or any other method.
//
// Cost: O(hidden text nodes), as the page text is one run.
package plain
