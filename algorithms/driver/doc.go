// Package driver runs chosen extractors and scorers on one page after the
// other: it parses once, gives each method its turn in a fixed order, keeps its
// own clock, contains panics, bounds wrapped libraries in time, leaves behind methods
// that never end (watch.go), and names every outcome. It knows no queue and no disk.
//
// A Driver belongs to one goroutine and is used again for every page; what a
// Result holds is valid until the next page.
//
// Time is told apart as the tables report it: ParseNS for the page, FeatureNS
// for columns and features that extractors share (charged to the page, whoever
// asked first), ExtractNS for what an extractor itself needs. So the cost of
// adding an extractor to a run is its own ExtractNS. It is that of one execution,
// or with Timing Window the mean of the ten last of several; ParseNS and FeatureNS
// are always of one.
package driver
