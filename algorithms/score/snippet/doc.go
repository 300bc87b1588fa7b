// Package snippet holds the measure of trafilatura's own evaluation (Barbaresi,
// "Trafilatura: A Web Scraping Library and Command-Line Tool for Text Discovery
// and Extraction", ACL 2021), as its tests/evaluate.py computes it: each page
// has a few chunks of text that must appear and a few that must not. A chunk
// appears if it is a substring of the extraction, white space folded on both
// sides, in its case.
//
//	TP  wanted and there      FN  wanted and not there
//	FP  unwanted and there    TN  unwanted and not there
//
// The counts are summed over the package. In a Score Common is TP, Extracted
// TP+FP, Gold TP+FN, Universe all chunks, Value the accuracy (TP+TN)/Universe;
// a figure whose denominator is 0 is 0.
//
// As in the program, chunks that occur twice and unwanted chunks that are part of
// a wanted one are refused: such a page has no score.
//
// This package is internal to Winnow and may change in any release.
package snippet
