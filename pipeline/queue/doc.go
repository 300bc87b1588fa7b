// Package queue is how the stages of a run talk: work items out, reports in,
// and the few small records that say where a run stands. It is the only
// importer of nats.go. Pages, rows and texts never pass through it; those go
// through package blob.
//
//	winnow.items.<run>.<phase>   stream WINNOW_ITEMS  work still to be done
//	winnow.done.<run>            stream WINNOW_DONE   one report per finished item
//	winnow.dead.<run>            stream WINNOW_DEAD   records and items given up
//	winnow_runs                  KV                   the run's head: recipe, phase, state
//	winnow_progress              KV                   how far a failing item has come
//	winnow_holders                KV                   which aggregator makes the tables of a run
//	winnow_templates             KV                   copies of what was learned, by run and site
//
// (The prefix is an option. A dot in a run's name is written "=" in subjects
// and keys, so that a name is always one token.)
//
// # What may be lost
//
// The truth about a run is its manifest (schemas.Manifest, run.json in the
// output folder), never the broker: whatever is here can be rebuilt from it.
// An item that the broker lost costs a republish (Missing, PublishItems), an
// item that it delivers twice costs the work of doing it twice. Neither can
// cost a row, because the aggregator accepts an item once, by its place in the
// chain of its file.
//
// # Items
//
// WINNOW_ITEMS has work-queue retention: a message lives until it is settled.
// It refuses new messages when it is full (Discard New), because the server's
// default would delete work instead. There is one durable pull consumer per run
// and phase; filters must not overlap in a work queue, and one per run lets
// runs have their own lease. Workers bind to consumers but never create
// anything, so they need no rights to.
//
// Next hands out a Lease, and with it the duty to settle: Done, Retry or
// GiveUp, once. Until then a timer tells the broker three times per lease that
// the item is being worked on. Nothing is prefetched beyond the item that a
// free slot asked for: a message that waits in a client's buffer ages without
// anyone's heartbeat and would be delivered again to somebody else, and an item
// is worth seconds of work against the round trip's fraction of a millisecond.
//
// Done first publishes the report and then acknowledges the item and waits for
// the broker to confirm that. Dying between the two repeats the item; dying the
// other way round would lose it.
//
// # Reports
//
// WINNOW_DONE keeps every report until the run is over and released. A reader always
// replays it from the start and skips what its manifest names; so there is no
// second place, in the broker, that claims to know what was committed. Reports
// bear a message id made of item and first record, so that a repeated one
// collapses within the window of the stream; beyond it, or when two workers
// held the same item, there are two, and readers take the first that fits.
//
// # Attempts
//
// The broker counts deliveries, but that count has been wrong after crashes and
// starts again when an item is republished. schemas.Progress therefore keeps a
// count of its own for every item that did not succeed at first, and the notes of
// the worker's crash journal. That an attempt was not settled is no sign of a crash:
// the broker may have been unable to write. MaxDeliver
// is a fence far behind it; what runs into it stays in the stream, unseen by
// workers, until Requeue publishes it anew. The broker's own advisories of such
// messages are not listened to: they are plain publishes that nobody keeps, name a
// sequence number and no item, and do not come when MaxDeliver is lowered. Requeue
// looks at what lies in the stream, whatever brought it there.
//
// # Rights
//
// Setup is ingest's alone. deploy/nats/roles.conf has the least rights of each
// program, and the programs' test runs them with no others.
//
// Workers read pages of strangers, so this package lets them do with requests for
// single messages what others do with consumers: whoever may create a consumer, or
// shares an account with the streams, can have the broker publish to any subject.
package queue
