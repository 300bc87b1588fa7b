// Package score is the folder of the scorers: one folder for each published family,
// each a list of algorithms.Scorer values, and what several of them share:
//
//	internal/forms      the items of gold and extraction, computed once for all scorers
//	internal/substring  longest common substring
//	internal/punkt      sentences, as NLTK splits them
//	internal/location   where gold and extraction lie on the page
//
// What compares texts without being a scorer is elsewhere: package compare/align finds
// where a text lies on a page, compare/agreement says how far extractors agree without
// gold, compare/complexity how hard a page is. Tokens and longest common subsequences,
// which both need, are in algorithms/internal.
//
// A measure's gold side is prepared once a page and shared by all extractions;
// an extraction's items are made once for all measures, from what the words of
// the page's other extractions became; a text that several extractors agree on is
// scored once. Nothing here may be skipped silently: a measure that is bounded
// says how it was computed (Score.Method) or why it was not (Score.Reason).
//
// Memory is bounded by the longest text that the driver scores
// (driver.DefaultScoreBytes), 130 bytes for each of its own, and by what the
// drivers of a process share for that (driver.Budget): beyond it large pages are
// scored one after the other.
//
// # Cost
//
// All measures together cost some ten times what all own extractors cost that
// they measure (60 pages of wcxb-dev, 31 extractors, 25 different texts a page of
// 9,800 characters on average; BenchmarkCost, processor time of one thread on a
// shared machine with AVX-512; what several share is charged to the first):
//
//	extraction                                            1
//	characters in order   str 2.2, lcsequence 1.0         3.2
//	alignments            cleaneval 1.3,
//	                      cleaneval-evert 0.9             2.2
//	words in order        seq, cetd-lcs-word,
//	                      levenshtein, cleaneval-lcs      1.4
//	sentences             rouge-lsum                      0.9
//	longest substring     lcstring                        0.4
//	all other measures                                    2.1
//
// Two measures alone cost more than extraction, str and cleaneval, and lcsequence as
// much. The others cost less, each.
// A crawl has gold for few pages or none; where it has, --scorers chooses: vec, set,
// word-f, nodes, words and web2text-blocks together cost less than extraction.
//
// Characters in order leave out nine tenths of the table (package lcs); to know
// beforehand what the texts lack of each other would bring another eighth. Going on
// from where an earlier text of the page has the same beginning or end would save a
// fifth of a whole table, and whole tables are what leaving out avoids. What would
// bring these measures below extraction is a bound of what the rest of a text
// cannot match that is nearer than its length.
//
// What lcsequence must find at least follows from str where that is measured too, so it
// needs no guess. Texts that hold one another's words in order bound each other's
// common length; that decides few comparisons and saves some 5 % of str.
//
// A half of cleaneval-evert is to list runs of equal tokens and part them at each
// block.
//
// Beyond that, each of the 25 texts is compared for itself, whereas they are pieces
// of one page. Counts of words could be added up from counts of the pieces, and
// comparisons in order be put together from comparisons of the pieces with the gold
// (semi-local subsequences, Tiskin 2008). Neither has been tried, so what it would
// bring is not known.
package score
