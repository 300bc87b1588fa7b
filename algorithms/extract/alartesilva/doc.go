// Package alartesilva is the page-level extractor of Alarte and Silva 2021: nodes of
// the tree are points in a space of four ratios, and main content is among the points
// that lie farthest from the centre.
//
// # Steps (section 3 of the paper, Algorithms 1 to 5)
//
// Elements named a, nav, hr, span, em, body, script, header, h1 … h5, br or
// iframe are excluded; the others are eligible. An eligible element with
// children is rated.
//
//  0. If the longest path from body, counted in eligible elements, is shorter
//     than the number of eligible children of body, the page is all content.
//  1. Each rated node n at depth δ, in a page of greatest depth Δ, has (Definition 3.1)
//     wordRatio: the sum over texts k outside anchors of words(k)/(depth(k) − δ);
//     hyperlinkRatio: 1 without links, else 1/links;
//     childrenRatio: 1 with more than two children, else 0;
//     positionRatio: 1 if δ ≤ Δ/2, else Δ/δ − 1.
//  2. Each ratio is standardised over the rated nodes with the population
//     standard deviation (equation 1; 0 if all values are equal).
//  3. The distance (equation 2) is to the centroid, which after step 2 is the origin:
//     Algorithm 1, which is quadratic in the paper, is one pass.
//  4. The c-SET is the c nodes with the largest distance (Algorithm 2).
//  5. A member with the same text as a member above it leaves the set (Algorithm 3).
//  6. The members with the most words per tag win, together with the members
//     that have the same parent (Algorithm 4); members inside other members are dropped.
//  7. Below the winners, groups of links are removed (section 3.5, Algorithm 5): an
//     element (a) with more than hr links, and more than tr times the text that it has
//     outside links; or (b) whose at least two children all are elements of one name
//     with one child each, which is an a, and without images.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: column look-ups for all ratios except wordRatio, which adds every parent of
// text to its ancestors; O(c) for the set. The extractor does not suit discussions and
// pages with several content roots. A lone paragraph that enters the c-SET wins step 6,
// and its siblings are lost.
//
// This package is internal to Winnow and may change in any release.
package alartesilva
