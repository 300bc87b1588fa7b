// Package extract is the task of the phase extract: it runs the chosen extractors and
// scorers over every page of an item and writes the rows.
//
//	item --records--> page with its gold --driver--> extractions, scores --shard--> rows
//	                                        ^
//	             templates of the page's site (package template), in a run that learns
//
// The way of one page: attempt.read (task.go) asks the cache for the files of its host
// (files.go). If an earlier run has extracted the same page, no more is done (unchanged.go).
// Otherwise it asks the cache for the templates of the page's site, and loads those of the
// next page meanwhile (ahead.go), the driver runs the
// methods within their limits, consensus.go compares what they chose, and page.go turns
// the result into rows of documents, scores and texts. agreement rows are summed up per
// package and written at the end of the item, or earlier if they are many.
//
// A panic or an exceeded time limit of one method on one page is one row with its
// reason. A slot owns one driver, one page and one set of buffers, which it uses again
// for every page; the slots share the memory for scoring (budget.go) and the cache of
// templates.
//
// This package is internal to Winnow and may change in any release.
package extract
