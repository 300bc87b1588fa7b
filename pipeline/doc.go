// Package pipeline has one folder for each stage of a run, and for what the stages share.
//
//	ingest --> queue --> worker --> queue --> commit --> stats, tables --> report
//	              (task: extract, learn)
//
// # The way of one page
//
//  1. A slot of a worker leases an item: a byte range of an input file (worker, queue).
//  2. The range is read through a window (blob), and cut into records (warc).
//  3. The recipe says which records are candidates; the others are counted (source).
//  4. HTTP, content codings and the charset of a candidate are decoded (source/payload), and
//     the page is joined with its gold if it has any.
//  5. The driver parses the page once, into columns (algorithms/driver, algorithms/page).
//  6. Every chosen extractor answers with a selection of the page, or fails with a reason.
//  7. Text, Markdown, HTML, links and facts are made of the selection; scorers compare it with
//     gold.
//  8. These become rows, and the filter of the recipe decides whether the text is kept
//     (extract, recipe/keep).
//  9. Rows are appended to a shard for each table. At the end of the item the shards appear in
//     the output folder, and a report names them (worker/shard).
//  10. Shards of accepted items are compacted into parts, which one change of the manifest
//     commits (commit, manifest). Tables and reports are made of parts alone.
//
// The way of one item is described by package commit. Runs with site-level extractors have two
// phases before: workers sample the pages of each site, then learn templates from the samples
// (learn). Package local runs all stages in one process.
//
// This package is internal to Winnow and may change in any release.
package pipeline
