// Package manifest keeps the authoritative record of a run in its output folder: the plan,
// and what has been committed.
//
//	run.json                 the run as it was planned; when it is done, everything
//	commits/00000000.json    the first change: the aggregator that has the run
//	commits/00000001.json    the next: a part, another phase, the end
//	ended.json               the mark of a run that was canceled or failed (End)
//
// # One writer
//
// A change is written only if no file has its name (blob.WriteNew), so that of two
// aggregators that want to write the change of one number, one succeeds and the other
// gets an error. Take writes a change, too, under the number that the process that
// took the log before would use next: that one can commit nothing any more, however
// long it slept. This depends on no clock. The lease of the run keeps two aggregators
// from doing the same work; the log keeps them from committing it twice.
//
// # Cost
//
// The cost of a change depends on its size alone, not on how many there were before.
// Seal writes everything to run.json once and removes the changes.
//
// # Reading
//
// Load returns the manifest that these files make up together. It can be called at any time.
//
// This package is internal to Winnow and may change in any release.
package manifest
