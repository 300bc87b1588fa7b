// Package driver runs chosen extractors and scorers on pages, one page after the other:
// it parses a page once, runs the extractors in a fixed order, measures their time,
// contains panics, limits the time of programs of other projects, abandons extractors that never
// return (watch.go), and names every outcome. It knows no queue and no disk.
//
// A Driver belongs to one goroutine and is used again for every page; what a
// Result holds is valid until the next page.
//
// Time is divided as the tables report it: ParseNS for the page; FeatureNS for columns
// and features that extractors share, charged to the page whichever extractor asked
// first; ExtractNS for the work of an extractor alone. Adding an extractor to a run
// therefore costs its own ExtractNS. ExtractNS is the time of one execution, or with Timing
// Window the mean of the last ten executions; ParseNS and FeatureNS are always of one.
//
// This package is internal to Winnow and may change in any release.
package driver
