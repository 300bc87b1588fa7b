// Package results writes the tables of a finished run in forms that people and
// scripts read: tab-separated, comma-separated, or JSON lines.
//
// Besides the tables as they are there is the result file of Gottron 2007: for
// each package and extractor one line per document with the time of extraction
// and precision, recall and F1 by each scorer, then a line with the means and
// one with the standard deviation of F1.
package results
