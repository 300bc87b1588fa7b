// Package pipeline is the way of one page:
//
//	WARC file -> ingest plans byte ranges -> queue (run) -> commit publishes them -> queue (items) -> worker reads the pages of its range
//	and their gold (source, of blob, warc and payload), runs the chosen methods (algorithms/driver), writes one
//	shard per table (schemas/columnar, blob), reports and settles -> queue (done) -> commit
//	checks that the ranges join, compacts shards into parts, commits them in the manifest,
//	proves that no record is missing, and publishes the tables of packages and agreement;
//	report makes pictures, comparisons and text of them.
//
// Runs with site-level extractors go that way twice before: workers scan the pages
// for their sites' samples, then learn templates from these (package learn), and
// commit leads the run from phase to phase.
//
// Each stage is a folder; local runs them all in one process.
//
// This package is internal to Winnow and may change in any release.
package pipeline
