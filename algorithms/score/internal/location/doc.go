// Package location finds where gold and extraction lie on the page, for scorers
// that count words by place, blocks or nodes. The gold's side is made once a
// page:
//
//	labels   an annotated copy of the page says which texts are content; its
//	         words are aligned with the page's
//	text     otherwise the gold text is aligned with the page's words
//
// From the words found come the spans of the gold, the shares of every text row
// that they cover, and what a measure derives from those. An extraction brings
// its spans, or its rows where it chooses nodes.
package location
