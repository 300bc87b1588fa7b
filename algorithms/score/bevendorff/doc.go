// Package bevendorff holds the two measures of Bevendorff, Gupta, Kiesel and
// Stein, "An Empirical Comparison of Web Content Extraction Algorithms" (SIGIR
// 2023), as their program computes them. Words are what white space separates,
// in the text as it is.
//
// levenshtein is labelled a distance there, but is the ratio of
// python-Levenshtein over the two lists of words: 1 - d/(|E|+|G|) where d counts
// insertions and deletions. With L the longest common subsequence d is
// |E|+|G|-2L, so the ratio is 2L/(|E|+|G|), the F1 of the words in order.
//
// rouge-lsum is ROUGE-L at summary level (Lin 2004) as in Google's rouge-score
// with split summaries: for each gold sentence the positions that lie on a
// longest common subsequence with any extracted sentence count as found, each
// word no more often than both texts have it. Moved paragraphs cost nothing.
// Two blank texts score 1; with a blank gold alone recall is 1 and F1 is 0.
//
// # How rouge-lsum is computed
//
// The program fills a table for every pair of sentences. Here a gold sentence of up to
// 64 words is one machine word (package lcs explains the step). For a longer sentence a
// 64th of its table is kept, and the rest is computed again where the backtracking
// passes (lcs.Table). A pair is compared only if it shares a word whose position has
// not been found yet, and nothing is compared when the sentence itself was extracted.
// The subsequence is the one that the program's backtracking takes, so the counts are
// the program's.
//
// # Sentences and bounds
//
// Sentences are NLTK's (package punkt), whatever the language, as in the program. The
// setting sentences=lite uses a plain rule instead, for speed. Where the pairs of
// sentences to be compared are too many or too long (setting cells) there is no score.
//
// This package is internal to Winnow and may change in any release.
package bevendorff
