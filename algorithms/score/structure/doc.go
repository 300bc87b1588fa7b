// Package structure measures how much of the structure of a gold in Markdown an extraction
// has, after the metrics of WebMainBench (Liu et al., "Dripper: Token-Efficient Main HTML
// Extraction with a Lightweight LM", arXiv 2511.23119; the definitions are those of the
// program, github.com/opendatalab/WebMainBench):
//
//	md-code     code_edit: 1 - d/max(n, m) of the code of all fences, joined by line breaks
//	md-formula  formula_edit: the same of the formulas, without white space
//	md-heading  the same of the headings, each as its marks and its text
//	md-table    table_TEDS: 1 - t/max(nodes) of tables as trees of table, row and cell
//
// d is the edit distance (insertions, deletions and substitutions of characters) of two
// strings of n and m characters. t is the edit distance of ordered trees (Zhang and Shasha
// 1989), in which inserting or deleting a node costs 1 and replacing a cell the normalised
// edit distance of their texts: the similarity of Zhong, ShafieiBavani and Jimeno Yepes,
// "Image-based table recognition: data, model, and evaluation" (ECCV 2020).
//
// The extraction is the Markdown that Winnow writes of its selection. The gold is the
// Markdown that a package has for the page (ID.md). Without it there is no score
// (algorithms.ReasonNoGold). A page on which neither has such elements has no score either,
// as in WebMainBench; where one of them alone has some, the score is 0.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// # Bounds
//
// Strings of more than MaxChars characters, and pairs of tables of more than maxNodes nodes
// together, have no score (algorithms.ReasonTooLong). The edit distance takes n·m/64 steps (Myers
// 1999, in the form of Hyyrö 2003), and that of trees of depth three at most 9·n·m, so a
// page costs a second at most.
//
// This package is internal to Winnow and may change in any release.
package structure
