// Package web2text holds the block measure of Vogels, Ganea and Eickhoff,
// "Web2Text: Deep Structured Boilerplate Removal" (ECIR 2018), with details from
// their program: every text of the page that is not blank is a block, and each is
// content or not, by the gold and by the extraction. Counts are pooled over the
// package.
//
// A block of n UTF-16 units, blanks at its ends aside, is content if more than
// ⌊2n/3⌋ of them are aligned with the gold; the same rule labels the extraction.
// Score.Value is the accuracy over blocks. A page on which no block is predicted
// has precision 0, one without content blocks recall 0.
//
// Golds are prepared as in the program: without a first URL line, the segment
// marks of CleanEval, list bullets and ruled lines.
//
// # Departures
//
// The program aligns the cleaned text with the source by its own rules of
// characters; here words are aligned with the page text (package align), and
// punctuation goes with the words it touches. Skipped tags are those of the page
// text, a few more than the program's. A page that an extractor fails on is left
// out by the program and counts as empty here, as for every measure.
package web2text
