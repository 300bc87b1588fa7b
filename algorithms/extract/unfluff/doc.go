// Package unfluff is the article extractor of Geitgey's program unfluff (2014),
// a descendant of Goose (Gravity Labs, 2011): the page is cleaned and rewritten
// into paragraphs, the paragraphs that look like running text by their function
// words vote for their parents, and the parent with most votes is the article.
//
// # Steps
//
//	read   the body as nodes that can be moved (read.go, tree.go)
//	clean  unwrap em, u and drop caps; flatten code; remove what its id, class or
//	       name condemns (clean.go, names.go); make a p of every div and span, or
//	       several (paragraphs.go)
//	lay    the tree laid flat once more, with prefix sums: links, characters,
//	       blanks, function words (flat.go, words.go)
//	vote   p, pre and td with more than two function words that are not mostly
//	       links; each gives its count, and a boost if text precedes it, to
//	       its parent and half to its grandparent (best.go)
//	gather paragraphs of the siblings before the winner; children of the winner
//	       that are links, or without paragraphs, or without votes, go (prune.go)
//	format elements with fewer than three function words go, and lines without a
//	       letter or digit (format.go)
//
// A text keeps its row through all rewriting, so that what is left at the end
// is a selection of the page. Text that the program would print twice, or in
// another order, is selected once and in the page's order.
//
// This is version 3.2.0. The first versions joined the texts of links without a
// blank, dropped lists and quotations without votes, and printed lists whole.
//
// Function words are counted as the program does: some punctuation is deleted
// first and words are separated by U+0020 alone, so words on either side of a
// line end are one word, which no list has.
//
// # What the program does and its text does not say
//
// The program rewrites by writing HTML down and parsing it again. What follows
// from that is kept, because it decides results:
//
//   - only the outermost div (or span, em, u, code) is rewritten: those inside
//     are new elements after the first one was parsed again;
//   - a paragraph that is written around a heading or a paragraph ends before
//     it, and an empty one follows it;
//   - the element that was replaced stays between its neighbours for those who
//     walk from sibling to sibling, so that the walk ends there;
//   - elements with a negative score stay: the program means to remove them, but
//     the attribute it looks for is in lower case and the one it wrote is not;
//   - a link beside a bare text appears in that text's paragraph and once more
//     by itself.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: a fixed number of passes over nodes and text; a link is copied at most
// twice, anything else never. Chosen texts are sorted at the end. Not for pages
// without running text, nor for scripts without blanks between words: such
// pages have no function words, and nothing is found.
//
// This package is internal to Winnow and may change in any release.
package unfluff
