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
//   - Step 0 counts the tags that are not listed: the paper's text names the
//     excluded ones.
//   - depth in positionRatio is the depth from body; the paper's definition
//     (depth of the subtree) contradicts its prose and its formula.
//   - A text under any anchor is excluded from wordRatio, not only one whose
//     parent is the anchor.
//   - The farthest nodes are taken on both sides: links far above the mean count
//     as far, too. Ties go to the larger wordRatio, then to document order.
//   - Step 6 counts words and elements, n included. All nodes with the best
//     value win, as the prose says; the pseudo-code keeps the first. If no
//     member has words, nothing is selected.
//   - Step 7 works inside the winners; winners stay. The guard of rule
//     (a) is ours: it spares a node that holds more than half (guard=0.5) of its
//     winner's words outside anchors, without which whole wrappers vanish; guard=1
//     spares none, as printed. Rule (b) follows the prose, whose pseudo-code is
//     inverted. If no text is left, step 7 is taken back.
//   - Section 3.1 speaks of a rule about a third of the page's text, which
//     discards nodes with little text, and prints it nowhere. alarte-silva has no
//     such rule. That of alarte-silva-third is ours: step 4 considers only nodes
//     with at least a third of the page's words, and the whole page is taken if
//     there are none.
//   - A hidden element is a node like any other: it is rated, and counts as a child of
//     its parent. It has no words, links or elements, so it wins nothing.
//   - wordRatio walks at most 256 ancestors; beyond, a text adds less than 0.4 %
//     of its words.
//
// Cost: column look-ups for all ratios except wordRatio, which adds every parent of
// text to its ancestors; O(c) for the set. The extractor does not suit discussions and
// pages with several content roots. A lone paragraph that enters the c-SET wins step 6,
// and its siblings are lost.
package alartesilva
