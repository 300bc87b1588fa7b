// Package manifest keeps the truth about a run in its output folder: what it is,
// and what is committed.
//
//	run.json                 the run as it was planned; when it is done, everything
//	commits/00000000.json    the first change: who makes the tables
//	commits/00000001.json    the next: a part, another phase, the end
//
// # One writer
//
// A change is published only if nothing bears its name (blob.WriteNew), so that of
// two aggregators that want to make one step, one makes it and the other finds
// out. Take writes a change, too: whoever took the log before has the number of
// its next change taken away, and can commit nothing any more, however long it
// slept and whatever it believes. No clock has a say in this. That two do not do
// the same work all the time is the queue's business (queue.Hold).
//
// # Cost
//
// A change costs as much as what it says, be it the first or the ten thousandth.
// Seal writes everything to run.json once and removes the changes.
//
// # Reading
//
// Load is what all of these say. It can be called at any time.
package manifest
