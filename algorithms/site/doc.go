// Package site is the ground that methods which learn from several pages of a
// website stand on: what a site is, in which order its pages are sampled, which
// pages may be, and what they link to.
//
// # Words
//
//	site    the pages of one host, or of one registered domain: Key
//	rank    a number drawn from a page's canonical address: RankOf; small is early
//	sample  the pages of a site with the smallest ranks that are Eligible and whose
//	        TextHash differs
//
// Ranks depend on nothing but the address, so every machine and every run of one
// crawl draws the same sample.
//
// # The methods
//
// Each method is a folder below this one, a learner and an extractor in one
// value: see algorithms.Learner. A sketch of a page is a pure function of its
// canonical tree (algorithms/feature/canon), its address and the method's
// settings; learning folds the sketches of a sample in the order of ranks.
//
// Where a method asks on how many pages something occurs, the page at hand does
// not count, whether or not it was in the sample (spec site-level, 1.4): so pages
// in and out of the sample are judged alike.
package site

// Notes that several methods leave on what they learned or chose.
const (
	// Truncated: what was learned was cut down to its size bound.
	Truncated = "truncated"
	// NoMatch: nothing of the page is template. Mostly the page has another one.
	NoMatch = "no_match"
)
