// Package location finds the locations of gold and extraction on the page, for scorers
// that count words by location, blocks or nodes. The gold's side is computed once per
// page:
//
//	labels   an annotated copy of the page says which texts are content; its
//	         words are aligned with the page's
//	text     otherwise the gold text is aligned with the page's words
//
// The words found give the spans of the gold, the share of every text row that they
// cover, and what a scorer derives from those. An extraction has its own spans, or rows
// where its extractor chooses nodes.
package location
