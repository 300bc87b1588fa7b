// Package cleaneval holds the measures of the CleanEval competition (Baroni,
// Chantree, Kilgarriff and Sharoff, "Cleaneval: a Competition for Cleaning Web
// Pages", LREC 2008), by both programs that exist:
//
//	cleaneval-to          text only, official scorer
//	cleaneval-tm          text and markup, official scorer
//	cleaneval             final score: the mean of the two
//	cleaneval-evert       cleaneval.py 1.0 of Evert (2008), the usual "CleanEval F1"
//	cleaneval-evert-tags  its segmentation score: the same counts over tags alone
//	cleaneval-lcs         Evert's tokens by longest common subsequence: never less
//
// The first three scorers return numbers from 0 to 100 (Score.Value), the others
// counts.
//
// # Submissions and golds
//
// CleanEval compares segments, one a line, marked <p> paragraph, <h> heading or <l>
// list item. An extraction with locations on the page is written that way: a line is
// <h> in h1 to h6, <l> in li, dd and dt, else <p>, by the nearest block-level element.
// Every line of a text without locations is a <p>.
//
// Golds are taken with their marks if they have any. A gold without marks says
// only where segments end: text and markup is then computed with every line on
// both sides a <p> (Method "lines"), Evert's measures on the plain text, and the
// segmentation score is not defined.
//
// # Official scorer
//
// Tokens are what white space and tags separate, in lower case, without the
// characters , ; : . ? ! (a token of nothing else stays, as an empty one). The
// program aligns by edit distance with substitutions at twice the price and
// divides the distance by the length of the alignment, where a substitution
// takes two places. With L the longest common subsequence that is
// 100·L/(|E|+|G|-L), so text only needs no alignment.
//
// Chinese (by the language of the gold, or tokens=pairs) is cut differently: white
// space is left out of each line, and every two characters are a token; the dropped
// characters are dropped after that. The publications do not say in which order this is
// done; here the order is that of the other tokens.
//
// Text and markup is the mean of that number over tokens with tags and of the
// segment validity: six F-measures, of the beginnings and ends of each kind of
// segment, where a tag is right if the places beside it in the alignment are.
//
// # Evert's program
//
// It aligns with Python's difflib: the longest block of equal tokens, then the
// same left and right of it, where tokens that make up more than a hundredth of
// a long gold begin no block. A text that begins with a tag has an empty token
// before it.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package cleaneval
