// Package supervise makes the tables of many runs, one after the other, as they
// appear in the queue.
//
//	err := supervise.Run(ctx, supervise.Options{Queue: q, Blobs: blobs, Done: print})
//
// Each run is committed by package commit. What one run meets leaves the others going:
//
//   - A run that another process has locked, or took over, is looked at again after
//     two seconds.
//   - A run that failed, or met a defect of this program, is looked at again after a
//     minute, and other runs are worked on meanwhile.
//   - When a run is over, whoever ended it, the broker is told to delete its items and
//     reports: its streams would be full of finished runs one day.
//
// With Options.Run, one run alone is worked on, and its failure is the error of Run.
package supervise
