// Package sst is the site style tree of Yi, Liu and Li 2003: the pages of a site are
// laid over each other, and elements with the same look and the same content on many of
// them are noise.
//
// # The tree
//
// Element nodes and style nodes alternate. An element node represents a tag with its
// look at one place of the pages. A style node is one sequence of elements that are the
// children at that place, with the number of pages that have them there.
//
//	body ── style, 3 pages ── div.head  p  div.foot        importance 0.1, 0.9, 0
//	     └─ style, 1 page ─── div.head  table
//
// A page is added from body down. Where the sequence of an element's children is a
// known style, its number of pages is incremented and the children are added pairwise;
// otherwise it is a new style. Elements without content are left out. Leaves of the
// tree are media, elements that contain only text, and runs of text beside elements.
//
// # Importance
//
// For an element on m pages with l styles, p_i = share of the pages with style i:
//
//	node importance       −Σ p_i log_m p_i, and 1 if m = 1
//	inner element         (1 − γ^l)·node importance + γ^l·Σ p_i·importance of style i
//	style                 the mean over its elements
//	leaf, m > 1           1 − the mean of H(a) over its features a, H(a) = −Σ q_j log_m q_j,
//	                      q_j = share of a's occurrences that are on page j; 0 without features
//	leaf, m = 1           1
//
// Features are words, sources of media, and the link a leaf lies in. γ = 0.9.
//
// An element is noisy if it and all below it have less importance than t = 0.25;
// it is meaningful if nothing noisy is at or below it; otherwise it is mixed.
//
// Example: m = 4; style 1, on three pages, has a leaf of importance 0 and one of
// 2/3, style 2, on one, a leaf. Node importance 0.40564, style 1 has 1/3, style 2
// has 1; the element has 0.19·0.40564 + 0.81·(0.75·1/3 + 0.25·1) = 0.48207.
//
// # Applying
//
// Applying goes from body down: a noisy element is dropped and a meaningful one is
// kept. For a mixed one, the style with the page's sequence of children is looked up,
// and the children are paired. If there is no such style the element is kept.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// The look is canon.Looks, and never id, href or src. Logarithms are whole numbers of units
// of 2^-32 and sums run in a fixed order, so that every machine learns the same template.
// The template holds mixed elements with those styles that have a noisy part; over the
// bound the styles that the fewest pages use go. align=lcs compares two million cells a page
// at most.
//
// Notes: "truncated" on a template; "budget" (align=lcs) and "no_match" on a page, the
// latter if nothing of it is dropped.
//
// Cost: each node of each page is visited once. Applying a template reads no words. The
// extractor does not suit pages where an additional child of body, such as an
// advertisement, makes an unknown style: the whole page is kept.
//
// This package is internal to Winnow and may change in any release.
package sst
