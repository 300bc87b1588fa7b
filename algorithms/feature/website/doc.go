// Package website says how pages belong together: which site a page belongs to, in
// which order the pages of a site are sampled, which pages may be sampled, and which
// pages of its site a page links to.
//
//	site    the pages of one host, or of one registered domain: Key
//	rank    a number computed from a page's canonical address: RankOf; small is early
//	sample  the pages of a site with the smallest ranks that are Eligible and whose
//	        TextHash differs
//
// Ranks depend on nothing but the address, so every machine and every run over one
// crawl draws the same sample.
//
// This package is internal to Winnow and may change in any release.
package website
