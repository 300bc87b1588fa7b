// Package crf is Victor: Spousta, Marek and Pecina, "Victor: the Web-Page Cleaning
// Tool", WAC-4 2008, first of the CleanEval 2007 competition.
//
// # Steps
//
// Every visible text of the page body is a block. It is described by the elements
// around it, the tags since the block before, its characters, tokens and sentences,
// patterns such as dates, repetitions of its text, and its share of the page's words
// (internal/blocks). A conditional random field over the sequence of blocks finds the
// likeliest labels (internal/chain). It also sees the features of two neighbours to
// each side, where they say something about a block's surroundings. The blocks labelled
// content are selected.
//
// # Training
//
// The command in train learns the weights from gold test packages, by L-BFGS on the
// penalised likelihood, in under a minute:
//
//	go -C eval run ./train/crf --packages DIR
//
// The shipped model is of the development pages of WCXB. The setting of the paper,
// CleanEval's development pages, is crf-cleaneval in eval/reproduction.md; CleanEval
// states no licence, so that model is not part of the program.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: a pass over the rows, one over the values of each feature, and two labels for
// each block. It is linear, and nothing is allocated in the steady state. Weights are
// summed in the order of features, so the result is the same on all machines.
//
// This package is internal to Winnow and may change in any release.
package crf
