// Package links finds the links of a page, for a web graph or an index of anchor texts:
// the rows of the table of links, and how many there are.
//
// # What is a link
//
// The elements a and area with an href attribute, wherever they are in the body.
// Elements that load something (img, script, iframe) and the link elements of the head
// are none. The target is the href resolved against the base element of the page, or
// against the address of the page, in the canonical form of package address with its
// scheme, without a fragment. A link is counted and has no row if its target is none of
// the web (mailto, javascript, data), is not valid, has more than 8,192 bytes, or is a
// place on the page itself (#top).
//
// # The anchor text
//
// The text of the element, in one line; for an area, and for an element without text,
// the alternative text of the area or of the first image among its first 64 nodes.
//
// # Inside the main content or not
//
// The first extractor of the run that selected something of the page decides (see
// fact.Subject.Main). If it chose nodes, a link is inside if it is one of them,
// or contains one of them. If it chose text, a link is inside if its text is touched.
//
// # Bounds
//
// A page has at most 10,000 rows and 4 MiB of strings; further links are counted. An
// anchor text has at most 1,024 bytes and rel 256; what is longer is cut, and links_cut
// says so. Together, links, links_other and links_over are all links of the page.
//
// This package is internal to Winnow and may change in any release.
package links
