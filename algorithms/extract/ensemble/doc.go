// Package ensemble combines the answers of other extractors, its members, on the
// same page (Bevendorff, Gupta, Kiesel, Stein, SIGIR 2023). Members are run by the
// driver, once a page whether or not they are chosen; nothing is parsed again.
//
//	ensemble-majority   words that most of many members chose
//	ensemble-best       the same over the better ones
//	ensemble-weighted   the same, winnow with a double vote
//	ensemble-ngram      the study's own vote, over 5-grams of texts, for comparison
//	ensemble-oracle     upper bound: the member's answer that is nearest to the gold
//	ensemble-cascade    no vote: a second extractor for pages on which the first is not sure
//
// # Vote
//
// A member votes for a word of the page if the word lies wholly in its selection.
// Programs vote by the words that their text was aligned with. The weight of
// a vote is the member's, divided by the number of members of its family that
// answered: variants of an algorithm would vote for themselves. A word is kept if the
// weight for it is at least the setting share of the weight of all members that
// answered. With unit=block, the mean over the words of a block decides for all of
// them.
//
//	page words     the  grain  was  late   Home  News      share .66 of 3 votes: 1.98
//	bte             1     1     1     1     .     .
//	cetd-ds         1     1     .     1     1     1
//	justext         1     .     .     .     .     .
//	                3     2     1     2     1     1
//	kept            x     x     .     x     .     .
//	smoothed        x     x     x     x     .     .
//
// Words are smoothed within each block, a run of words that have the same innermost
// block-level element: up to fill dropped words between kept ones are kept, then
// the only kept words of a block, if they are one run of up to lone and not all of
// the block, are dropped.
//
// A member that failed or was skipped abstains. If all members abstain, the page is
// skipped (no_members).
//
// # Upper bound
//
// ensemble-oracle reads the gold text as aligned with the page, so it shows what
// choosing among the members could reach at best. It is not for use on a crawl: pages
// without gold text are skipped (no_gold). With by=page it gives the answer of the
// member with the best word F1 by location, the first of equals; with by=word it gives
// all gold words that some member chose. It is left out of every consensus.
//
// # 5-grams
//
// ensemble-ngram divides the page into words at white space. It keeps a word if the
// 5-gram that begins with it, or the one that ends with it, occurs in the texts of
// enough members: their weights must reach the integer part of share times the number
// of members. Members that failed abstain but are counted in that number, as in the
// study.
//
// # Cascade
//
// ensemble-cascade answers as its first extractor does, unless that reports a confidence below
// the setting below, or does not answer: then as the second. The driver runs the second only on
// these pages, so that it may be expensive: a program with a language model, for example. Its
// time counts in the row of such a page alone.
//
// # Default members
//
// The defaults are what every Winnow has; programs (--extractor-command) can be named as
// members. The study's best systems, Readability and Trafilatura, are such programs, and
// winnow votes in their place. The mean word F1 with the libraries for Go of winnow-peers as
// members, without them, and with winnow in their place:
//
//	                   cleaneval-final  cleanportaleval  dragnet         l3s-gn1
//	ensemble-best      .889 .878 .873   .959 .952 .956   .887 .852 .872  .939 .928 .934
//	ensemble-weighted  .883  -   .870   .958  -   .955   .892  -   .874  .938  -   .934
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// # Notes
//
// aligned_members: the answer of a program was used by alignment. second: the second extractor
// of a cascade answered. members_abstained: a member
// failed, was skipped, or its answer has no location on the page.
//
// Cost: linear in the page and in the selections, or texts, of the members. The time in
// a row is that of the vote and of all members, chosen or not. An ensemble is not meant
// for members of a single family: they share one vote.
//
// This package is internal to Winnow and may change in any release.
package ensemble
