// Package learn holds the tasks of the phases scan and learn, which precede the phase
// extract in a run with site-level extractors, or in one that reads the files of hosts. They
// choose a sample of pages for each site, read these pages again, and let the extractors learn templates from them.
//
//	scan   item --records--> pages --BottomK--> rows of the table candidates
//	       package compact sorts the rows of all items by site and rank
//	learn  file of sorted candidates --siteStream--> candidates --gatherer--> sample pages
//	       --Engine--> templates --> rows of the table templates
//
// The phase scan checks the address of a page first. If its site has enough earlier
// pages without it, the page is neither decoded nor parsed (scan.go). An item of the
// phase learn is a range of sites (learn.go, site.go). The sample pages of these
// sites are read at their location and parsed once each. Every extractor that learns
// makes its sketch of them (engine.go).
//
// # The sample
//
// The candidates of a site are its 64 eligible pages of smallest rank. The long list
// has the first 30 of these in the order of ranks, without pages whose text equals that
// of an earlier one. The sample of an extractor has the first 25 pages of the long list
// that it could sketch. An extractor may ask for another number than 25
// (algorithms.Learner.Pages). Its long list is a fifth longer than that number.
//
// The 64 smallest ranks of a union are among the 64 smallest of each of its parts.
// Every item therefore keeps its own 64 candidates, and the sample does not depend on
// how the input is divided into items, on their order, or on repetitions.
//
// The tasks do not use an index of the crawl (CDX), because only the body of a page
// shows whether it may be sampled, and reading the body gives its location anyway.
//
// Besides the rank and the hash of its text, only the location of a page is kept. The
// phase learn reads the page there again. These are at most 30 pages of a site, however
// large the site is. Some records cannot be read by themselves, because they share a
// compressed unit with others. They are copied to a file beside the candidates, each in
// a unit of its own, so that all pages are read in the same way. The file of a candidate is
// set by the committer and not by the worker that found the candidate.
//
// # Link candidates
//
// Extractors that choose pages by links (algorithms.Learner.Linked) need to find any
// page by its rank. For them alone, the candidates also have the location of every HTML
// page and of every redirect within a site, some 150 bytes each. Records that cannot be
// read by themselves are copied too.
//
// # Files of hosts
//
// A run that names robots (schemas.Learn.Agents) keeps the location of every robots.txt and
// tdmrep.json, as candidates of a site that is a scheme, host and port. The phase learn makes
// one row of each such site (package robots). Without extractors that learn, the phase scan
// decodes no other record.
//
// # Memory
//
// An item of the phase scan holds 131,072 candidates at most; rows of locations are
// written as they come. The phase learn reads the sorted candidates from front to back.
// It holds the pages for the sample of one site, the pages that its sample links to, and
// 16 MiB of sketches for each extractor.
//
// This package is internal to Winnow and may change in any release.
package learn
