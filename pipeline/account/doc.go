// Package account adds up what became of the bytes, records and rows of a run, and
// verifies that none is missing or counted twice.
//
//	CheckDone, CheckScan   what the report of an item claims, against the recipe
//	CheckOutcomes          the rows of an item, against its report
//	Totals                 the parts of a run, against its plan
//	Files, Losses          how each input file was read, and what of it was not
//
// What does not add up is an ErrConservation: it is never published. The package
// computes, and reads no file. It stands apart from package stats because the stages
// that commit and compact need these checks, and none of the statistics.
package account
