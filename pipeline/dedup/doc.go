// Package dedup finds near-duplicates among the texts of one or several runs: which texts
// form a cluster, and which one of each is kept. Nothing is deleted; the answer is a table.
//
// Two texts are near-duplicates if the Jaccard similarity of their sets of shingles (five
// words in a row) reaches a threshold, and a cluster is what such pairs connect. Only
// texts of the same extractor are compared. The first text of a cluster, in the order of
// the runs and of their rows, is kept.
//
//	texts --> MinHash of each --> equal ones are joined
//	               |
//	               v  bands (signature.Bands), sorted: texts of one band are candidates
//	          candidates --> similarity, estimated or exact --> union-find --> clusters
//
// # Memory and disk
//
// Signatures, names and bands are files in a temporary folder, about a kilobyte for each
// text, and are sorted outside of memory. In memory are a few MB for sorting and 8 bytes
// for each text; with Exact, 8 more for each text and the shingles of two texts.
//
// # Determinism
//
// The same texts in the same order give the same rows.
//
// # Limits
//
// A pair at the threshold is found with a probability of at least .995 (signature.BandsFor).
// In a band that more than 65 different texts share, each is compared with the 64 before
// it; pairs that are left out there are counted in the Summary. Estimates have a standard
// error of at most 4.4 %, 3.5 % at a threshold of .8, so pairs near the threshold may fall
// on its other side; Exact compares the shingles themselves.
//
// This package is internal to Winnow and may change in any release.
package dedup
