// Package queue carries the messages between the stages of a run: work items, reports,
// and a few small records of the state of the run. It is the only package that imports
// nats.go. Pages, rows and texts never pass through it; they go through package blob.
//
//	winnow.items.<run>.<phase>   stream WINNOW_ITEMS  work still to be done
//	winnow.done.<run>            stream WINNOW_DONE   one report per finished item
//	winnow.dead.<run>            stream WINNOW_DEAD   records and items given up
//	winnow_runs                  KV                   the run's head: recipe, phase, state
//	winnow_progress              KV                   how far a failing item has come
//	winnow_holders               KV                   locks: which aggregator may commit a run
//	winnow_templates             KV                   copies of what was learned, by run and site
//	winnow_budget                KV                   until when requests to each server are reserved
//
// (The prefix is an option. A dot in a run's name is written "=" in subjects
// and keys, so that a name is always one token.)
//
// # What may be lost
//
// The manifest of a run (schemas.Manifest, run.json in the output folder) is
// authoritative, and the broker is not: everything that the broker holds can be rebuilt
// from the manifest. An item that the broker lost is published again (Missing,
// PublishItems). An item that the broker delivers twice is processed twice. Neither can
// lose or duplicate a row, because the aggregator accepts every item once, by its
// position in the chain of its file.
//
// # Items
//
// WINNOW_ITEMS has work-queue retention: a message is kept until it is settled. The
// stream refuses new messages when it is full (Discard New), because the server's
// default would delete work instead. There is one durable pull consumer per run and
// phase, because filters must not overlap in a work queue, and because every run has a
// lease of its own. Workers bind to consumers and create nothing, so they need no
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
// WINNOW_DONE keeps every report until the run is over and released. A reader always
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
// the worker's crash journal. An attempt that was not settled is no sign of a crash,
// because the broker may have been unable to write. MaxDeliver is a much higher second
// limit. A message that reaches it stays in the stream, where workers do not get it,
// until Requeue publishes the item again. The broker's advisories about such messages
// are not used: they are not stored, name a sequence number instead of an item, and are
// not sent when MaxDeliver is lowered. Requeue reads the stream itself.
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
package queue
