// Package stats computes the package table from the rows of parts: counts, means,
// percentiles, confidence intervals, speeds and agreement, by package, page type or
// another group of documents. It reads and writes no files.
//
//	t := stats.NewTally(manifest)
//	for each part { t.Add(documents, scores) }   // both in their order
//	rows, err := t.Rows(run, agreement)
//
// # The result does not depend on the order
//
// Everything in a Tally is a count, a sum of integers, a set of values or a sketch of
// one. Tallies of different parts can be computed at the same time and merged in any
// order, and the result has the same bytes. The bootstrap draws documents by hashes of
// their ids, so that all extractors are measured on the same resamples.
//
// # Errors
//
// Add and Rows return account.ErrConservation if a score has no document, if there are
// more scores than documents, or if some document was not scored although it has gold
// and the scorer did not refuse it.
//
// # Memory
//
// A Tally holds at most 85 kB for each package (and page type or group), extractor and
// scorer. It holds at most 131 kB for each package and extractor, or 65 kB in large
// runs (costs.go). Small packages take far less. The means of the agreement table need
// the matrix of one package at a time.
//
// This package is internal to Winnow and may change in any release.
package stats
