// Package overview makes report.html: one page about a run that opens anywhere, without
// network or other files. It begins with the result in one sentence (stats.NewResult) and
// ends with the settings of the run. Its one script draws figures from data in the page,
// opens the worst pages of a cell, and sorts, filters and saves tables; without it the page
// has its tables as they are.
//
//	run.json                what was read, with what, and what became of it
//	packages.parquet        the leaderboard of each package, and its figures by page type
//	scores, pages           which extractors really differ (package compare), the
//	                        distribution of scores, the worst pages of each extractor
//	agreement.parquet       who agrees with whom
//	documents               what was kept by site, language and type; the pages on which
//	                        extractors agree least, and those of which an extractor
//	                        expects least (documents.confidence)
//	texts                   pages at random, before and after
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
// The memory holds the package table, the hashes of a million texts at most and, for
// packages whose extractors are tested against each other, 8 bytes per extractor and page
// with gold.
//
// This package is internal to Winnow and may change in any release.
package overview
