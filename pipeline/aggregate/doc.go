// Package aggregate is the stage that makes tables: it takes the workers'
// reports and shards and publishes parts, the package table and the proof that
// no record is missing.
//
//	reports --ledger--> accepted items, in the order of the plan
//	shards  --compact-> parts: sorted, in big row groups
//	parts   --commit--> run.json, which names them; only then shards are deleted
//	parts   --Recompute-> packages.parquet, failures.parquet
//
// # Exactly once
//
// Items may be delivered twice, reported twice and lie in any order. The ledger
// goes through each file's items in order and accepts one result for each, if it
// begins where the one before ended (warc.Chain); if not, the item is run again
// from there. What is accepted goes into the next part. A part is committed by
// one write: that of the manifest, which is replaced as a whole. Before it, the
// part's files are only names nobody knows; after it, its items are done for
// good. A crash anywhere leaves one of these two states, and the next start
// deletes files that no part names, skips items that a part holds, and makes the
// same parts again: they are cut by the plan, not by the clock.
//
// # Conservation
//
// A report states how many records were read and what became of each. These sums
// are checked for every item, and against the rows that really are in its
// shards; for the whole run the ranges of the items must cover every file from
// its first byte to its last. What does not add up is not published
// (ErrConservation).
//
// # Memory
//
// Sorting holds a bounded number of rows and spills to local temporary files.
// The package table needs a state per package, extractor and scorer, of at most
// 85 kB, and far less for small packages. What grows with the run is the
// manifest: some 100 bytes per item.
//
// # When not to use it
//
// There must be one aggregator per run. Two at once cannot lose rows, but each
// would delete what the other is about to commit.
package aggregate
