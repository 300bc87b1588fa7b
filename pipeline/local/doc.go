// Package local runs all stages of a run in one process: a NATS server that listens on
// no port, the planner, a worker with a slot per core, and the aggregator. They are the
// same stages that run as separate programs on a cluster, and exchange the same
// messages; only the connection to the broker is in memory.
//
//	                    +-- broker (in process, store below the output folder) --+
//	ingest.Plan/Submit -+-> items --> worker (slots) --> reports --> aggregate --+--> tables
//
// A run that is started again with the same run id and output folder continues where it
// stopped. Items that the manifest holds, or that the broker's store has a report of,
// are not processed again. The store is kept (below OUT/.winnow) until the run is
// finished. For output that is not on a local disk the store is temporary unless a
// folder is given; everything after the last committed part is then processed again.
//
// If a disk is full or read-only, the worker takes no items until the output can be
// written, and a broker whose store failed is started again. After two minutes the run
// ends with the error, and the same call continues it later. If an input cannot be read
// although others can, it is retried for a minute (24 minutes if a server does not
// answer), and then given up with a reason.
//
// When the context ends, slots finish the items they have, and Run returns.
//
// This package is internal to Winnow and may change in any release.
package local
