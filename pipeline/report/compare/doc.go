// Package compare reads the score tables of a run. For each package and scorer it
// computes the ranking of the extractors and which of them differ significantly.
//
//	scores, documents --load--> matrix extractor x document --paired--> ranking, pairs
//
// Scores are strict. An extraction that failed counts as 0. An extraction that was
// skipped leaves the document out for that extractor. Pages without gold are left out.
// Pages of one site, which is a registered domain, are resampled together. An id that
// was archived twice counts once, with the last of its rows.
//
// The figure that is compared is F1, or the scorer's own figure if it does not compute
// an F1 (official CleanEval scores, shares of snippets). It does not depend on the
// package figure that the scorer's source publishes, because the tests need one figure
// for each page. If the published figure is another one, it is shown besides. If it is
// computed from means over the documents that define them (shingle-4), the result also
// has the bootstrap of the scorer's own program, and the difference of two extractors
// over the same draws (Resampled).
//
// Extractors can also be compared within the groups of each package. Pages of
// other groups are then left out.
//
// Two extractors differ only if both tests are below 0.05 after Holm's correction over
// all pairs of the package, or its group, and scorer.
//
// The memory is 8 bytes per extractor, scorer and page with gold, or 24 bytes for a
// scorer with such means. Gold packages have thousands of pages. A table with more
// documents than Options.MaxDocuments is refused, if that is not 0.
//
// This package is internal to Winnow and may change in any release.
package compare
