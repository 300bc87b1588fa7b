// Package pipeline is the way of one page:
//
//	WARC file -> ingest cuts byte ranges -> queue (items) -> worker reads its range (blob, warc),
//	decodes each HTML record (payload), runs the chosen methods (algorithms/driver), writes one
//	shard per table (schemas/columnar, blob), reports and settles -> queue (done) -> aggregate
//	checks that the ranges join, compacts shards into parts, commits them in the manifest,
//	proves that no record is missing, and publishes the package table.
//
// Each stage is a folder; local runs them all in one process.
package pipeline
