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
// The Departures of the description list them, with their reasons.
//
// This package is internal to Winnow and may change in any release.
package fce
