// Package compare is the folder of comparisons that are neither extractor nor scorer:
//
//	align       where a text lies on a page
//	agreement   how far the extractors of a page agree, without gold
//	complexity  which share of a page's words is not main content
//
// This package is internal to Winnow and may change in any release.
package compare
