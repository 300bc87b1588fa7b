// Package compact merges and sorts the shards of items into the files of a part, and
// the parts of a run into its tables.
//
//	shards of pages, documents, scores, links, failures, agreement
//	                                                 --Part-->  one sorted file of each
//	shards of texts                                  --Part-->  files of bounded size, by group, in the recipe's format
//	shards of candidates                             --Candidates--> a sorted file for each item of the phase learn
//	shards of templates                              --Templates--> the same bytes under a part's name
//	parts  --RunTables-->  failures.parquet, agreement.parquet, packages.parquet, speed.parquet
//
// Nothing refers to the files of a part before the caller commits it. The tables of the
// run are a function of the committed parts only. They are equal, whichever aggregator
// makes them and however often.
//
// # Damage
//
// A shard may be gone or damaged, or have other rows than its item's report claims.
// Part then goes on to the end to find all such items, and returns them as a *Damage,
// so that they can all be run again at once. An error of the store or of this machine
// is not a Damage.
//
// # Memory
//
// Sorting (package extsort) holds a bounded number of rows and bytes, and writes further
// rows to local temporary files. It needs the same memory for a thousand pages and for a
// billion.
//
// This package is internal to Winnow and may change in any release.
package compact
