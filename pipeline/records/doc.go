// Package records reads the records of an item for a task, and finds out what each
// page is called. It is what the tasks scan and extract share: opening the range,
// decoding records, refusing those that cannot be pages, leaving out those that ended
// the process before (the crash journal of package worker), and the account of it all.
//
//	item --blob, source--> records --Visitor.Skip, Decoded--> pages with their gold --Visitor.Page--> the task
//	                             \--> refused records, damage --Visitor.Failure--> the task
package records
