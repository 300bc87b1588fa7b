// Package account adds up what became of the bytes, records and rows of a run, and
// verifies that none is missing or counted twice.
//
//	CheckDone, CheckScan   what the report of an item claims, against the recipe
//	CheckOutcomes          the rows of an item, against its report
//	Totals                 the parts of a run, against its plan
//	Files, Losses          how each input file was read, and what of it was not
//
// Sums that do not agree are an ErrConservation, and the run is not published. The
// package reads no files. It is separate from package stats, because committing and
// compacting need these checks and no statistics.
//
// This package is internal to Winnow and may change in any release.
package account
