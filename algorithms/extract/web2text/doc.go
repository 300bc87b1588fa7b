// Package web2text is Web2Text: Vogels, Ganea and Eickhoff, "Web2Text: Deep
// Structured Boilerplate Removal", ECIR 2018, with details from the authors'
// program.
//
// # Steps
//
// The page is collapsed to a tree whose elements have two children or more, and
// whose leaves are the blocks. Each block has 128 features, of its own text and of
// its parent, grandparent and root; each pair of neighbours has 25
// (internal/collapsed). A convolutional network of five layers gives the
// probability that a block is content, another the probabilities of the four labels
// of a pair (internal/nets). The labels with the highest product of both are found
// by Viterbi's algorithm; the blocks labelled content are the answer.
//
// # Training
//
// The command in train learns both networks from gold test packages, with the
// authors' settings (Adam, dropout on weights, 2,000 steps over random windows of
// nine blocks); λ, the weight of pairs, is chosen on a tenth of the domains:
//
//	go -C eval run ./train/web2text --packages DIR
//
// The shipped model is of the development pages of WCXB. The setting of the paper,
// the first 61 pages of CleanEval, is web2text-cleaneval in eval/reproduction.md;
// CleanEval states no licence, so that model is not part of the program.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: up to 31,000 multiplications a block, which makes it the slowest of
// Winnow's own extractors. It is linear, and nothing is allocated in the steady
// state. Every product is rounded and every sum is computed in one order, so the result
// is the same on all machines.
//
// This package is internal to Winnow and may change in any release.
package web2text
