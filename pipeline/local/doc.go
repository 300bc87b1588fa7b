// Package local runs all stages of a run in one process: a NATS server that
// listens nowhere, the planner, a worker with a slot per core, and the
// aggregator. They are the very same stages that run as programs of their own on
// a cluster, and talk in the same way; only the broker's pipe is in memory.
//
//	                    +-- broker (in process, store below the output folder) --+
//	ingest.Plan/Submit -+-> items --> worker (slots) --> reports --> aggregate --+--> tables
//
// Go on where it stopped is what it does when it is run again with the same run
// id and output folder: what the manifest holds is done, what the broker's store
// still knows as reported is not done again either, and all else is. The store
// is kept (below OUT/.winnow) until the run is finished. For output that is not
// on a disk it is temporary unless a folder is given, and then everything since
// the last committed part is done again.
//
// A disk that is full or read-only is waited for: the worker takes no items until
// the output can be written, and a broker whose store failed is started again. After
// two minutes the run ends with the error instead, and the same call goes on from
// there. An input that cannot be read, though others can, is tried again for a minute
// (24 minutes if a server does not answer), and then given up with its reason.
//
// When the context ends, slots finish the items they have, and Run returns.
package local
