// Package wcxb holds the measures of WCXB, the web content extraction benchmark
// of Foley (2026), as its evaluate.py computes them:
//
//	wcxb-word-f1      bag of words: Python's \w+ of the text in lower case
//	wcxb-with         share of the snippets that must appear and do
//	wcxb-without      share of the snippets that must not appear and do: lower is better
//	wcxb-without-adj  the same over the pages that have such snippets
//
// A snippet appears if it is a substring of the extraction, both in lower case.
// A page without snippets of a kind counts 1 in the program, which for
// wcxb-without is a penalty; wcxb-without-adj leaves such pages out and is the
// one to read.
//
// wcxb-with-ws and wcxb-without-ws fold white space on both sides first, so that
// a snippet which the extraction breaks into lines is found.
//
// Each snippet is looked for on its own: a page has a dozen, and bytes.Contains
// passes several gigabytes a second, where an automaton over all of them would
// take a step for every byte.
//
// This package is internal to Winnow and may change in any release.
package wcxb
