// Package learn is what lies between the pages of a crawl and the templates of
// its sites: which pages a site is sampled by, how they are found again, what
// the methods make of them, and how templates are kept and looked up. It does
// not talk to the queue and reads no archives; package worker does both.
//
//	scan     pages      --Bottom-->  candidates of an item --Shard--> file, by bucket of the site
//	learn    candidates --Sites-->   one sample per site --Learner--> Bundle --Part--> file
//	extract  site       --Cache-->   opened templates
//
// # The sample
//
// Of each site the 64 eligible pages of smallest rank are candidates; of those,
// in the order of ranks and without pages that say what an earlier one says, the
// first 30 are the long list; the sample of a method is the first 25 of these
// that it could sketch (spec site-level, 2.3). A method may ask for another number than
// 25 (algorithms.Learner.Pages); its long list is a fifth longer than that. "The 64 smallest" of a union is
// that of the 64 smallest of its parts. So every item keeps its own 64, and any
// cut of the input into items, any order and any repetition give the same sample.
//
// An index of the crawl (CDX), where there is one, is not used: whether a page may
// be sampled only its body tells, and whoever reads that knows where it is.
//
// What is kept of a page beyond its rank and its text's hash is where it is.
// Learning reads it there again: at most 30 pages of a site, however large the
// site is. Records that cannot be read at their own cost (they share a compressed
// unit with others, as in files that were compressed as a whole) are copied next
// to the candidates, each in a unit of its own, so that there is one way to read.
//
// # Link candidates
//
// Methods that choose pages by links (algorithms.Learner.Linked) need to find any
// page by its rank. For them alone the shards also hold the location of every
// HTML page and of every redirect within a site, some 150 bytes each, and where
// records cannot be read at their own cost, a copy of each.
//
// # Templates
//
// A Bundle is all that was learned about one site, in deterministic bytes. It is
// kept twice: in a file of the output folder (Part), which outlives the broker and
// serves later runs, and as a copy in the broker, where workers look first. A copy
// counts only if it has the digest that the part's index has. A site without any template has no bundle: too few of its pages are
// eligible.
//
// Bundles are not compressed: they are hashes, which do not shrink.
//
// # Memory
//
// A shard is written in sections, so that what an item holds is bounded whatever
// its size; learning reads as many buckets at once as fit a bound, one at least.
package learn
