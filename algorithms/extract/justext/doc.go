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
// The stop lists are Winnow's own: the English one is made by the recipe of
// jusText's from other texts, those of other languages are shorter (package
// feature/stopwords). The list of justext is that of the language the page
// declares; if it declares none, the one with most hits. Where there is none, the
// page is read as the program reads it when it is given no list: both stop-word
// thresholds are 0. The other two have one list whatever the page's language, so
// off English justext-bench finds little or nothing, as the benchmarks' program
// does. Hidden text and text of svg and math makes no paragraph.
//
// Cost: one pass over the rows and a few over the paragraphs; the look-ahead of
// headings is bounded by its distance in characters. Linear.
package justext
