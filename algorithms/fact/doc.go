// Package fact holds the facts that are known about a page besides its main content, each
// in a folder of its own. A Fact is a value: its columns with their
// meaning, and a function that finds them.
//
// Facts of the page fill columns of the table pages; facts of the text, which are found
// in the text of each extractor, fill columns of the table documents. Nothing is ever
// removed because of a fact.
//
// This package is internal to Winnow and may change in any release.
package fact
