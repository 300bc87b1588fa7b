// Package queue carries the messages between the stages of a run: work items, reports,
// and a few small records of the state of the run. It is the only package that imports
// nats.go. Pages, rows and texts never pass through it; they go through package blob.
//
//	winnow.runs.<run>            stream WINNOW_RUNS   one message per unfinished run
//	winnow.items.<run>.<phase>   stream WINNOW_ITEMS  work still to be done
//	winnow.done.<run>            stream WINNOW_DONE   one report per finished item
//	winnow.dead.<run>            stream WINNOW_DEAD   records and items given up
//	winnow_access                KV                   passwords and signatures of private files
//	winnow_progress              KV                   how far a failing item has come
//
// (The prefix is an option. A dot in a run's name is written "=" in subjects
// and keys, so that a name is always one token.)
//
// # What may be lost
//
// The output folder of a run is authoritative, and the broker is not: it holds work, and
// all of it can be published again. A run that the broker lost is published again by
// ingest (PublishRun). An item that it lost is published again by the aggregator
// (StartPhase, Missing). An item that the broker delivers twice is processed twice.
// Neither can lose or duplicate a row, because the aggregator accepts every item once,
// by its position in the chain of its file.
//
// # Runs
//
// WINNOW_RUNS is the work queue of the aggregators. Its message of a run is the head of
// the plan, which does not change; how far the run has come is in its folder alone. An
// aggregator leases a run as a worker leases an item (TakeRun), by one durable consumer
// per run, and removes it with all that belongs to it when the run is over (End). Workers
// read the stream to see which runs there are, and take nothing from it.
//
// # Items
//
// WINNOW_ITEMS has work-queue retention: a message is kept until it is settled. The
// stream refuses new messages when it is full (Discard New), because the server's
// default would delete work instead. There is one durable pull consumer per run and
// phase, because filters must not overlap in a work queue, and because every run has a
// lease of its own. The aggregator creates it when it has published the items of the
// phase (StartPhase), so it also shows which phase a run is in. Workers bind to consumers and create nothing, so they need no
// permission to create streams or consumers.
//
// Next returns a Lease. The caller has to settle it by exactly one call of Done, Retry
// or GiveUp. Until then a timer tells the broker three times per lease that the item is
// being worked on. Nothing is prefetched beyond the item that a free slot asked for,
// because a message that waits in a client's buffer has no heartbeat and would be
// delivered again to another worker. Prefetching would gain little: an item takes
// seconds, a round trip to the broker a fraction of a millisecond.
//
// Done first publishes the report and then acknowledges the item and waits for
// the broker to confirm that. A worker that dies between the two steps causes the item
// to be repeated. In the opposite order the item would be lost.
//
// # Reports
//
// WINNOW_DONE keeps every report until the run is over. A reader always
// replays it from the start and skips the items that the manifest names, so that the
// broker keeps no second record of what was committed. The message id of a report is
// made of the item and its first record, so that the stream drops a repeated report
// within its duplicate window. Later, or when two workers had the same item, there are
// two reports, and readers take the first one that fits.
//
// # Attempts
//
// The broker counts deliveries, but that count has been wrong after crashes and
// starts again when an item is republished. schemas.Progress therefore keeps a
// count of its own for every item whose first attempt did not succeed, and the notes of
// the worker's crash journal. An attempt that was not settled is not a sign of a crash,
// because the broker may have been unable to write. So the broker's deliveries have no limit.
//
// # Permissions
//
// Only ingest calls Setup. deploy/nats/roles.conf gives each program the least
// permissions that it needs, and the test of the programs runs them with these.
//
// Workers process hostile pages, so they need no permission to create consumers: a
// client that may create a consumer, or that shares an account with the streams, can
// make the broker publish to any subject. In the functions that workers call, this
// package therefore requests single messages where it could use a consumer.
//
// This package is internal to Winnow and may change in any release.
package queue
