// Package estimate predicts what a planned run needs. It cuts a sample out of the input, of
// a bounded size and always the same, carries out a run of it in a temporary folder with
// all stages and tables, and multiplies what that run took by the bytes that the sample
// represents.
//
//	bytes of the input   |----xx--------xx--------xx--------xx----|
//	                          ranges of whole records, processed for real
//
// Work is measured as CPU time, of this process and of the child processes that
// extractors run in. It therefore depends on the machine, but hardly on its load. Rows and
// bytes of the tables are those that the sample gave. An input that is not larger than the
// sample is processed completely, so that its pages and rows are counted, not predicted.
//
// Limits: a file that can only be read as a whole is part of the sample if it fits in it,
// and is otherwise taken to be like the rest. The tables of a small sample compress less
// than those of a run. The time of a child process to start is part of the measured time.
// Waiting for the network is not, nor are requests to a store.
package estimate
