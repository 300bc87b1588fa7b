// Package compare reads the score tables of a run and tells, for each package
// and scorer, how its extractors rank and which of them really differ.
//
//	scores, documents --load--> matrix extractor x document --paired--> ranking, pairs
//
// Scores are strict (spec scorers, 15.6): an extraction that failed counts 0, one
// that was skipped leaves the document out for that extractor, pages without
// gold are left out altogether. Pages of one site, a registered domain,
// are resampled together. An id that was archived twice counts once, as the last
// of its rows.
//
// The figure compared is F1, or a scorer's own where it is no F1 (official
// CleanEval scores, shares of snippets), whatever mean its source publishes: the
// tests need one figure a page. Where that mean is another one, it stands beside;
// and where it is made of means over the documents that define them (shingle-4), so
// does what the bootstrap of the scorer's own program says of it, and of the
// difference of two extractors by the same draws (Resampled).
//
// The same can be told for the groups of each package (spec scorers, 15.5), with
// pages of other groups out of sight.
//
// A claim "a is better than b" needs both tests below 0.05 after Holm's
// correction over all pairs of the package, or its group, and scorer.
//
// Memory: 8 bytes per page with gold, extractor and scorer, 24 of a scorer with
// such means. Gold packages have thousands of pages; a table with more than
// Options.MaxDocuments is refused.
package compare
