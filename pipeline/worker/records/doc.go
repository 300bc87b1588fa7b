// Package records reads the records of an item for a task, and determines the name of
// each page. The tasks scan and extract share it. It opens the range of the item, decodes
// records, refuses those that should be pages and are not, leaves out those that ended
// the process before (see the crash journal of package worker), and keeps the account.
//
//	item --blob, source--> Reader --Candidate, Decode, Ready--> pages with their gold --Namer--> names
//	                             \--Failed--> refused records, damage
//
// This package is internal to Winnow and may change in any release.
package records
