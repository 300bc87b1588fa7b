// Package worker takes items from the queue and processes them. It does not know what
// an item asks for. A Task knows that, and each phase of a run has one (packages
// extract and learn).
//
//	Queue --lease--> slot --Attempt--> Runner of the phase --report--> Queue
//	                  |                   |
//	                gate, faults      Attempt.Begin, End: crash journal
//
// A worker has slots, one goroutine each. A slot takes turns among the jobs (a job is
// one phase of one run). It leases one item at a time, lets the job's Runner make an
// attempt, and settles the item, which is reported, given back, or given up. A Runner
// keeps its memory from item to item, and the recipe's limits bound what an item needs.
// A worker's memory is therefore the number of its slots times a constant.
//
// An attempt writes its rows to files of its own (package shard), which appear
// completely or not at all. It reports them when all have appeared. The committer
// accepts the first valid report and removes the files that no accepted report names.
//
// # Faults
//
// Every error has a cause that determines how it is handled (fault.go). An error of a
// page or of a record becomes a row with a reason and stays inside the task. The other
// errors end the attempt:
//
//   - This machine or the output is at fault: every item of the run would meet the
//     error here, because a volume is not mounted, full or read-only, or rights or
//     descriptors are missing. The gate of the job closes: its items go back to the
//     broker, and no more are taken until a probe, and then one item, succeed. Health
//     and the log say why.
//   - The source is at fault: a file is missing though its neighbours are there, or a
//     web server refuses it. The item is tried again with growing delay by any worker.
//     It is given up when one worker had such an answer for Options.GiveUpAfter, or two
//     workers for a fifth of that.
//   - The broker is at fault: it is waited for. A report for which it has no room waits
//     with its item.
//   - The program is at fault: a task panicked outside of a page. The item is given up.
//
// # Crash journal
//
// What cannot be caught, such as a kill by the kernel or an exhausted stack, leaves the
// item unsettled. That alone proves nothing, because a broker that cannot write and a
// worker that is stopped leave items unsettled, too. The next attempt therefore keeps a
// crash journal (journal.go): before every record or site it notes its step in the
// broker (schemas.Progress). A note that is left behind makes the step suspect.
//
// A suspect step is taken while the worker works on nothing else, and after a rest: a
// process that ends in the rest is ended from outside, and the suspicion is dropped. A
// record at which the process ended three times alone is given up with a dead letter and
// a row of the failures table (stage "record", reason "crash"); everything else of the
// item is processed. A site is given up in the same way: its templates have the status
// of failed learning. The first such record costs its item five deliveries more than
// the last, each further one four.
//
// An item whose attempts end, alone, between two records, or whose input stays
// unreadable, is given up as a whole; the committer then lists its range as lost.
//
// Items are not split in halves to find such a record. That would change the plan while
// the run goes on, and would take a message for each half and log(n) rounds of crashes.
//
// # Ending
//
// When the context ends the worker takes no new items, finishes those it has, waits a
// minute for a broker that does not take their reports, and returns. A worker that is
// killed instead loses nothing: its items are delivered again.
//
// This package is internal to Winnow and may change in any release.
package worker
