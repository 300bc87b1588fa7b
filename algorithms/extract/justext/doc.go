// Package justext is jusText: Pomikálek, "Removing Boilerplate and Duplicate
// Content from Web Corpora", PhD thesis, Masaryk University 2011, with the steps
// of the author's program.
//
// # Steps
//
// The page is cut into paragraphs at block-level elements and at doubled line breaks
// (paragraphs.go). Each is first classified alone, by its length, its share of function
// words and its share of linked characters, as good, near-good, short or bad. Then the
// doubtful ones are decided by their neighbours (context.go). Good paragraphs are the
// content.
//
//	alone     bad  short  good  near-good  good  short  bad
//	context   bad  bad    good  good       good  bad    bad
//
// Variants: justext has the program's constants, justext-bench those of the
// benchmarks of Bevendorff et al. 2023 and of article-extraction-benchmark
// (English list, no headings), justext-traf those of Trafilatura's comparison
// (all languages in one list, no headings).
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: one pass over the rows and a few over the paragraphs; the look-ahead of
// headings is bounded by its distance in characters. Linear.
//
// This package is internal to Winnow and may change in any release.
package justext
