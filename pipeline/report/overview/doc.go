// Package overview makes report.html: one page about a run that opens anywhere,
// without network or other files. Its one script sorts and filters tables, switches
// between figures and saves them; without it the page reads the same.
//
//	run.json                what was read, with what, and what became of it
//	packages.parquet        one table per package: figures, failures, speed
//	scores, documents       which extractors really differ (package compare)
//	agreement.parquet       who agrees with whom, as a coloured matrix
//	scores                  the pages that each extractor did worst on
//	documents               the pages on which extractors agree least, and those of which
//	                        an extractor expects least (documents.confidence)
//	failures.parquet        what became no page
//
// The page is a function of the tables: a second page of the same tables has the same
// bytes. People read it, so its size is bounded. It shows the largest packages, the
// worst pages and the first failures, says how many it leaves out, and names the tables
// that have all of them.
//
// Names and URLs come from a crawl. The page shows them as text without control
// characters, never as links or markup, and not in the plots. The page has a policy
// that forbids scripts and requests.
//
// The memory holds the package table and, for packages whose extractors are tested
// against each other, 8 bytes per extractor and page with gold.
package overview
