// Package commit is the stage that commits a run: it receives the workers'
// reports, accepts one result for each item of the plan, and publishes parts, the
// tables of the run and the proof that no record is missing.
//
//	reports --ledger-->  accepted items, in the order of the plan
//	shards  --compact--> parts: sorted, in big row groups
//	parts   --commit-->  commits/, a change each; only then shards are deleted
//	parts   --compact--> packages.parquet, agreement.parquet, failures.parquet
//	commits --Seal-->    run.json, which names all parts
//
// The work on rows is that of packages compact (merge and sort), stats (figures) and
// account (what must add up); package tables reads what is committed.
//
// # Phases
//
// A run with site-level extractors is conducted through its phases before that
// (conduct.go): items of the phase scan are accepted in chains, as here, and what
// they left is named in an index; items of the phase learn are accounted for as a
// set, and their templates put where they stay. The manifest's phase is moved
// first, then the queue's.
//
// # Exactly once
//
// Items may be delivered twice, reported twice and lie in any order. The ledger
// goes through each file's items in order and accepts one result for each, if it
// begins where the one before ended (warc.Chain); if not, the item is run again
// from there. What is accepted goes into the next part. A part is committed by
// one write: that of a change of the manifest. Before it, the
// part's files are only names nobody knows; after it, its items are done for
// good. A crash anywhere leaves one of these two states, and the next start
// deletes files that no part names, skips items that a part holds, and makes the
// same parts again: they are cut by the plan, not by the clock.
//
// # Repair
//
// Shards may be lost or damaged before they are committed, and a worker may report
// what is not so. A report that contradicts itself, the plan or the recipe is
// refused. When a part is compacted, everything that is wrong with the shards of
// its items is found in one pass; these items are done again, all at once, and the
// ledger goes back to the last part and waits for them (repair.go). An item of
// which no usable result comes is given up: its bytes are in the failures table
// with a reason.
//
// A broker or a store that is away or has no room costs time, and never an item.
//
// # Conservation
//
// A report states how many records were read and what became of each. These sums
// are checked for every item, and against the rows that really are in its
// shards; for the whole run the ranges of the items must cover every file from
// its first byte to its last. What does not add up is not published
// (account.ErrConservation).
//
// # Memory
//
// Sorting is bounded (package compact), and so is the state of the package table per
// package, extractor and scorer (package stats): the last step of a run needs the same
// memory for a thousand pages and for a billion of the same packages. The reports of
// the items of one part are held, of 8192 at most (Options.PartItems), and those of
// items whose turn has not come. What grows with the run is the manifest: some 100
// bytes per item, and some 500 per file.
//
// # Several aggregators
//
// One works on a run at a time: the others find it held in the queue (queue.Hold),
// until it ends or was silent for a while. That may be a mistake: a process that
// slept, or was cut off, believes that it still holds the run. So whoever begins
// takes the manifest's log (manifest.Take), and from then on no other can commit;
// and the files of its parts have names of their own (schemas.PartName), so that no other
// writes or deletes them. Tables of the whole run are made of what is committed
// alone: whoever writes them, they are the same.
package commit
