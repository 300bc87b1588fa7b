// Package score is the folder of the scorers. It has one folder for each published
// family, each with a list of algorithms.Scorer values, and what several of them share:
//
//	internal/forms      the items of gold and extraction, computed once for all scorers
//	internal/substring  longest common substring
//	internal/punkt      sentences, as NLTK splits them
//	internal/location   where gold and extraction lie on the page
//
// Packages that compare texts without being scorers are elsewhere: compare/align finds
// where a text lies on a page, compare/agreement says how far extractors agree without
// gold, and compare/complexity says how hard a page is. Tokens and longest common
// subsequences, which scorers and comparisons both need, are in algorithms/internal.
//
// The gold's side of a scorer is computed once per page and shared by all extractions.
// The items of an extraction are computed once for all scorers, from what the words of
// the page's other extractions became. A text that several extractors return is scored
// once. Nothing here may be skipped silently: a scorer with a bound says how its score
// was computed (Score.Method) or why there is none (Score.Reason).
//
// Memory is bounded by the longest text that the driver scores
// (driver.DefaultScoreBytes), times 130, and by the budget that the drivers of a
// process share (driver.Budget). Pages beyond the budget are scored one after the
// other.
//
// # Cost
//
// All scorers together cost about four and a half times as much as all the page-level
// extractors of Winnow's own that they score (60 pages of wcxb-dev, 28 different texts a page;
// BenchmarkCost, processor time of one thread on a shared machine with AVX-512; what
// several scorers share is charged to the first):
//
//	extraction                                            1
//	characters in order   str 0.9, lcsequence 0.5         1.4
//	alignments            cleaneval 0.7,
//	                      cleaneval-evert 0.5             1.2
//	words in order        seq, cetd-lcs-word,
//	                      levenshtein, cleaneval-lcs      0.7
//	sentences             rouge-lsum                      0.4
//	longest substring     lcstring                        0.2
//	all other scorers                                     0.7
//
// Each scorer costs less than extraction. The most expensive one, str, costs 0.85 to 0.90
// of it in several runs of the benchmark. A crawl has gold for few pages or none. Where it
// has gold, --scorers chooses: vec, set, word-f, nodes, words and web2text-blocks together
// cost less than extraction.
//
// The texts of a page have most of their lines in common, so what a line becomes in a form
// is found once for all of them.
//
// Comparing characters in order already leaves out nine tenths of the table (package
// lcs). Knowing beforehand what the texts lack of each other would save another eighth.
// Continuing from an earlier text of the page with the same beginning or end would save
// a fifth of a whole table, but whole tables are already avoided. To know the length
// beforehand would save a third. These scorers would cost still less if there were a
// tighter bound than the length on what the rest of a text cannot match.
//
// A lower bound for lcsequence follows from str where that is computed too, so it needs
// no guess. Texts that contain one another's words in order bound each other's common
// length. That decides few comparisons and saves about 5 % of str.
//
// Half of the cost of cleaneval-evert is listing runs of equal tokens and splitting
// them at each block.
//
// Beyond that, each of the 28 texts is compared separately, although they are pieces of
// one page. Counts of words could be added up from counts of the pieces, and comparisons
// in order could be assembled from comparisons of the pieces with the gold (semi-local
// subsequences, Tiskin 2008). Neither has been tried. Assembling takes at least a step for
// each item of the gold and piece of a text, where 512 cells at a time are compared now,
// so it can only pay for pieces of more than 512 items, which few pages have.
//
// This package is internal to Winnow and may change in any release.
package score
