// Package overview makes report.html: one page about a run that opens anywhere,
// without network, scripts or other files.
//
//	run.json                what was read, with what, and what became of it
//	packages.parquet        one table per package: figures, failures, speed
//	scores, documents       which extractors really differ (package compare)
//	agreement.parquet       who agrees with whom, as a coloured matrix
//	documents               the pages on which extractors agree least, and those of which
//	                        an extractor expects least (documents.confidence)
//	failures.parquet        what became no page
//
// The page is a function of the tables: made again it has the same bytes. It is
// for people, so it is bounded: it shows the largest packages, the worst pages
// and the first failures, says how many it leaves out, and where all of them are.
//
// Names and URLs come from a crawl. They stand on the page as text, never as
// links or markup, without control characters, and not at all in the plots; the
// page forbids itself scripts and requests.
//
// Memory: the package table, and for packages that are tested against each other
// 8 bytes per page with gold and extractor.
package overview
