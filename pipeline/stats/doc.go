// Package stats computes the package table from the rows of parts: counts, means,
// percentiles, confidence intervals, speeds and agreement, by package, page type or
// another group of documents. It reads and writes no files.
//
//	t := stats.NewTally(manifest)
//	for each part { t.Add(documents, scores) }   // both in their order
//	rows, err := t.Rows(run, agreement)
//
// # One result whatever the order
//
// Everything in a Tally is a count, a sum of integers, a set of values or a sketch
// of one: tallies of different parts can be made at the same time and merged in any
// order, and give the same bytes. The bootstrap draws documents by hashes of their
// ids, so that all extractors are measured on the same resamples.
//
// # What it refuses
//
// A score without a document, more scores than documents, or documents that are
// not all scored, without gold or unscored, are an account.ErrConservation.
//
// # Memory
//
// A Tally holds a state per package (and page type or group), extractor and scorer,
// of at most 85 kB, and one per package and extractor, of at most 131 kB or, in
// large runs, 65 (costs.go); both are far less for small packages. The means of the
// agreement table need the matrix of one package at a time.
package stats
