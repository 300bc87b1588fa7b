// Package temex is TemEx, template extraction from pages that link to each other:
// Alarte, Insa, Silva and Tamarit 2015. The part that a page has in common with pages
// of its site's menu is template, and the rest is content.
//
// # Learning
//
// A few pages that all link to each other are chosen, and their common part is
// found by an equal top-down mapping: pairs of nodes that are equal and whose
// parents are a pair as well. See packages menupages and equaltopdown, which
// conex shares.
//
// # Applying
//
// The page is mapped to the common part in the same way. A content leaf (text, image,
// media) that is mapped is dropped, and all others are kept. A chosen page is treated
// like any other, because the common part only holds nodes that at least two pages
// have.
//
// Example: with T1 = body(h1(A) ul(li(x) li(y)) p(one)) and
// T2 = body(h1(A) ul(li(x) li(y)) div(p(two)) p(three)) chosen, the common part is
// body(h1(A) ul(li(x) li(y)) p); two and three remain of T2.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// With eq=score, elements are equal if the tag is and the mean of three numbers is 0.75 at
// least: whether the ids are equal, the Jaccard coefficient of the classes, and the ratio of
// the numbers of children. Package equaltopdown says which of several equal children are
// paired. With cs=page every page chooses, of the site's 16 candidates, at most n that link
// to it, to each other, and are linked by it; where there are none, the site's choice is
// taken. With fold=exact, and with cs=page, a page keeps what is mapped through all of the
// chosen pages in turn, as published.
//
// Notes: "cs_fallback" on a template without pages that link to each other, and with cs=page
// on a page; "truncated" on a template of cs=page that has not all candidates; "no_match" on
// a page of which nothing is template.
//
// Cost: linear in the page and the template. Not for crawls that hold articles
// without the pages of the menu, and for menus that scripts write.
//
// This package is internal to Winnow and may change in any release.
package temex
