// Package conex is ConEx, main content extraction from what is not template: Alarte,
// Insa, Silva and Tamarit 2018. After the template of temex is removed, a page still
// has comments, teasers and the article. The main content is the best block of these,
// with its siblings.
//
// # Learning
//
// The template is that of temex, and is learned once for both extractors.
//
// # Applying
//
//  1. The page is mapped to the template. A content leaf that is not mapped is
//     free; an element is pure if it has content leaves and all of them are free.
//  2. Q = the largest pure elements, and free texts in none of them.
//  3. b0 = the member of Q with most words outside of links, the first of several.
//     If there are no such words, the one with most media leaves; if there is no
//     medium either, nothing is found.
//  4. The main content is all members of Q with the parent of b0.
//
// Example: of T2 = body(h1(A) ul(li(x) li(y)) div(p(two)) p(three)), mapped to the
// template body(h1(A) ul(li(x) li(y)) p), the leaves two and three are free. So
// are all leaves of div, and of p(three), although p itself is mapped: Q = {div,
// p(three)}. b0 is div, with one word, and p(three) has the same parent.
//
// The selection is always a part of that of temex.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Notes: the same as those of temex.
//
// Cost: linear in the page and the template. Not for content in several
// containers, or with comments that are longer than the article.
//
// This package is internal to Winnow and may change in any release.
package conex
