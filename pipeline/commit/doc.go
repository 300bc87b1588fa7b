// Package commit makes a committed run of what workers report: it accepts one result
// for each item of the plan, and publishes the parts and the tables of the run with
// the proof that no record is missing.
//
//	reports --ledger-->  accepted items, in the order of the plan
//	shards  --compact--> parts: sorted, in big row groups
//	parts   --manifest-> commits/, one change each; only then shards are deleted
//	parts   --compact--> packages.parquet, speed.parquet, agreement.parquet, failures.parquet
//	changes --Seal-->    run.json, which names all parts
//
// Serve does this for all runs in the queue, and Run for one:
//
//	sum, err := commit.Run(ctx, commit.Options{Store: store, Broker: commit.NewQueueBroker(q, id)})
//
// # The way of one item
//
//  1. ingest plans the run, writes run.json to the output folder, and sends one message
//     (id and folder) to the stream RUNS.
//  2. An aggregator leases the run (Serve), as a worker leases an item, and takes the
//     manifest (manifest.Take), so that no other can change it.
//  3. It publishes the items of the run's current phase to the stream ITEMS, each under
//     an id that the broker stores once, and then creates the consumer of the phase.
//  4. A worker finds the consumer, leases an item, writes its shards to the folder,
//     reports it to the stream DONE, and settles it.
//  5. The aggregator reads the report and accepts the item when it joins the one before.
//  6. Accepted items are compacted into a part; one change of the manifest commits it.
//  7. What is neither committed, reported, waiting nor worked on is published again.
//  8. When all items of the phase are accounted for, a change begins the next: see 3.
//  9. After the last phase the tables of the run are published, and _SUCCESS is written.
//  10. The broker removes all that belongs to the run, the run's message last.
//
// The output folder is the run: whatever the broker loses is published again from it. A
// run is canceled by a file in it (manifest.End), which the aggregator looks for.
//
// The work on rows is that of package compact (merge and sort), stats (figures) and
// account (what must add up); package tables reads what is committed.
//
// # Stages of a run
//
// Where a run is follows from its manifest alone: it has the current phase, and whether the
// run is finished. A run without site-level extractors begins with the phase extract.
//
//	scan
//	 | all items are scanned
//	 v
//	learn
//	 | all templates are learned
//	 v
//	extract
//	 | all items are committed
//	 v
//	publish --> finished
//	  the tables are published
//
// # States of an item
//
// Every item of the current phase is in one of these states. The transitions are in
// state.go, as a table of states and events; the ledgers of the phases are its only
// callers, and do no I/O. An event that is not drawn leaves the state as it is or is
// impossible, as the table says.
//
//	planned                                            committed
//	   |                                                   ^
//	   | report received, dead letter received             | part committed
//	   v                   turn fits                       |
//	received -------------------------------> accepted ----+
//	 |   ^  ^                                  |   |       |
//	 |   |  +---------- part rewound ----------+   |       |
//	 |   |                                         |       |
//	 |   | report received, dead letter received   |       |
//	 v   |           shards unusable               |       |
//	requested <------------------------------------+       |
//	   turn misfits (from received)                        |
//	                                                       |
//	planned, requested, accepted                           |
//	   |                                                   |
//	   | attempts exhausted                                |
//	   v             turn fails                            |
//	abandoned ---------------------------> dead ----------+
//	   ^                                 |    ^
//	   +---------- part rewound ---------+    | turn fails
//	                                          |
//	                                       received
//
// It is an item's turn when all items before it in its file are accepted or dead.
// Its turn fits if a report of it begins where the item before ended (warc.Chain); a
// requested or abandoned item is accepted, too, if such a report comes late. Its turn
// misfits if all reports begin elsewhere: the item is then run again from there. Its
// turn fails if a dead letter or the end of all attempts means that nothing more will
// come. Attempts are exhausted after a number of refused reports, or of attempts whose
// shards were unusable. Items of the phase learn have no predecessor: it is their turn
// at once.
//
// A planned or requested item is waited for. If the broker does not hold it any more,
// it is published again.
//
// # Exactly once
//
// Items may be delivered twice, reported twice and in any order. What is accepted goes
// into the next part. A part is committed by one write: that of a change of the
// manifest. Before it, nothing refers to the part's files; after it, its items are
// done for good. A crash anywhere leaves one of these two states. The next start
// deletes files that no part names, skips items that a part holds, and makes the same
// parts again: they are cut by the plan, not by the clock.
//
// # Reconciliation
//
// The manifest decides. When a stage begins, and whenever nothing is reported for a
// while, reconcile.go makes the broker agree with it: a phase without a consumer is
// begun, and items are published again that have no result and that the broker does not
// hold.
//
// # Repair
//
// Shards may be lost or damaged before they are committed, and a report may be
// wrong. A report that contradicts itself, the plan or the recipe is
// refused. When a part is compacted, everything that is wrong with the shards of its
// items is found in one pass; these items are run again, all at once, and the ledger
// goes back to the last part and waits for them. An item for which no usable result
// comes is dead: its bytes are in the failures table with a reason.
//
// A broker or a store that does not answer or has no room costs time, and never an
// item.
//
// # Conservation
//
// A report states how many records were read and what became of each. These sums are
// checked for every item, and against the rows that really are in its shards; for the
// whole run the ranges of the items must cover every file from its first byte to its
// last. What does not add up is not published (account.ErrConservation).
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
// One process works on a run at a time: the run's lease keeps the others away until it is
// given back or expires. That may be a mistake: a process that slept, or was cut off,
// believes that it still has the lease. So an aggregator that begins takes the manifest's log
// (manifest.Take), and from then on no other can commit; and the files of its parts
// have names of their own (schemas.PartName), so that no other writes or deletes
// them. Tables of the whole run are made of what is committed alone, so they are the same
// whichever process writes them.
//
// This package is internal to Winnow and may change in any release.
package commit
