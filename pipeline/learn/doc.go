// Package learn holds the tasks of the phases before extract, in a run with site-level
// methods: which pages a site is sampled by, how they are found again, and what the
// methods make of them.
//
//	scan   item --records--> pages --BottomK--> candidates --Shard--> file, by bucket of the site
//	learn  range of sites --ShardReader--> candidates --gatherer--> sample pages
//	       --Engine--> templates --template.Part--> file, a copy in the broker, rows
//
// In the phase scan a page is judged by its address first: one that its site has enough
// earlier pages without is neither decoded nor parsed (scan.go). In the phase learn an
// item is a range of sites (learn.go, buckets.go); their sample pages are read at their
// location, parsed once each, and sketched by every method that learns (engine.go).
//
// # The sample
//
// Of each site the 64 eligible pages of smallest rank are candidates; of those,
// in the order of ranks and without pages that say what an earlier one says, the
// first 30 are the long list; the sample of a method is the first 25 of these
// that it could sketch (spec site-level, 2.3). A method may ask for another number than
// 25 (algorithms.Learner.Pages); its long list is a fifth longer than that.
//
// The 64 smallest of a union are among the 64 smallest of each of its parts. So every
// item keeps its own 64, and any cut of the input into items, any order and any
// repetition give the same sample.
//
// An index of the crawl (CDX) is not used for this: only the body of a page tells
// whether it may be sampled, and a reader of the body knows its location.
//
// Besides the rank and the hash of its text, only the location of a page is kept.
// Learning reads the page there again: at most 30 pages of a site, however large the
// site is. Records that cannot be read by themselves, because they share a compressed
// unit with others, are copied next to the candidates, each in a unit of its own, so
// that there is one way to read.
//
// # Link candidates
//
// Methods that choose pages by links (algorithms.Learner.Linked) need to find any
// page by its rank. For them alone the shards also hold the location of every
// HTML page and of every redirect within a site, some 150 bytes each, and, where
// records cannot be read by themselves, a copy of each.
//
// # Memory
//
// A shard is written in sections, so that what an item holds is bounded whatever its
// size: 131,072 candidates and 32 MiB of locations. Learning reads as many buckets at
// once as fit Options.GatherBytes, one at least, and holds 16 MiB of sketches for each
// method.
package learn
