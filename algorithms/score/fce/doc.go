// Package fce holds the two measures of FastContentExtractor, after Debnath,
// Mitra, Pal and Giles, "Automatic Identification of Informative Sections of Web
// Pages" (IEEE TKDE 17, 2005):
//
//	block-f  blocks: of those extracted and those that are content, the ones in common
//	word-f   words by place on the page
//
// A block is a table, tr, hr, ul, p, span or div (or what blocks=… names, or the
// body) with the text that lies in it and in no other block inside; blocks without
// text do not count. It is content if more than two thirds of its characters, white
// space aside, are gold, and extracted if more than two thirds are selected.
//
// A word of the page is in common if it is both gold and selected. All words of the
// gold count, including those that are not on the page, which every extraction misses.
//
// # Departures
//
// The authors labelled blocks by hand. Here the gold text is aligned with the page
// (package align), or the labels of an annotated page are used. The paper gives ratios
// of word counts without saying how words are matched; here they are matched by
// location. An extraction without locations on the page has no block-f, and its word-f
// counts bags of words (Method "bag").
package fce
