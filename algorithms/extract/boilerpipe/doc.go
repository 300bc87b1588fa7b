// Package boilerpipe is the shallow-text-feature extraction of Kohlschütter,
// Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features",
// WSDM 2010, in the pipelines of the authors' library:
//
//	boilerpipe-default      density tree of the paper over fused blocks
//	boilerpipe-article      word-count tree, then filters for news articles, as at
//	                        the head of the library's repository
//	boilerpipe-article-1-2  the same as released in 1.2.0
//	boilerpipe-largest      word-count tree, then only the largest block
//
// # Releases
//
// Version 1.2.0 of 2011 is the last that its author released; BoilerPy3 and with
// it most published figures follow it. The head of the repository
// (kohlschutter/boilerpipe on GitHub, version 2.0, never released) has more
// filters for news articles: it compares titles more loosely, drops headings that
// end the text, and brings back long blocks of the largest one's level and a list
// that follows it. Default and largest are the same in both.
//
// The command eval/reproduce/boilerpipe holds the three pipelines of 1.2.0 to the
// library itself, page by page.
//
// # Steps
//
// The page is cut into blocks of text at every element that is not inline
// (builder.go). A block knows its number of words, how many of them are linked,
// its text density (words per line when wrapped at 80 columns) and its nesting
// level. A small decision tree over a block and its two neighbours says content
// or boilerplate (classify.go); filters then merge, extend and cut (filters.go).
//
//	blocks  [menu][menu][headline][paragraph][paragraph][comments][footer]
//	        one struct each, in document order; merging shortens the list
//
// The blocks are built once per page and shared by the three variants, which
// work on a copy.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// White space that Java does not treat as such, above all the no-break space, makes a
// block without words, as in the library. The phrases that end an article are those of the
// library, which are English except for one.
//
// Cost: one pass over the tree, then passes over the blocks. Linear.
//
// This package is internal to Winnow and may change in any release.
package boilerpipe
