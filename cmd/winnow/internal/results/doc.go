// Package results writes the tables of a finished run in forms that people and
// scripts read: tab-separated, comma-separated, or JSON lines.
//
// Package results also writes the result file of Gottron 2007. For each package and
// extractor it has one line per document with the time of extraction and precision,
// recall and F1 by each scorer. A line with the means and a line with the standard
// deviation of F1 follow.
//
// This package is internal to Winnow and may change in any release.
package results
