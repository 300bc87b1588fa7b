// Package rtdmtd is RTDM-TD, template detection by a restricted top-down mapping
// of trees: Vieira, da Silva, Pinto, de Moura, Cavalcanti and Freire 2006, after
// the mapping RTDM of Reis, Golgher, da Silva and Laender 2004.
//
// # The mapping
//
// A mapping is a set of pairs of nodes of two trees, one to one, that keeps the order
// of siblings. The parents of a pair are a pair, and there are no pairs below a pair of
// different labels: nodes are replaced at the fringe only. A node that is inserted,
// deleted or replaced costs 1, and a pair of equal labels costs nothing. For two lists
// of children a1…am, b1…bn the cheapest mapping costs M[m][n]:
//
//	M[0][0] = 0,  M[i][0] = M[i-1][0] + size(ai),  M[0][j] = M[0][j-1] + size(bj)
//	M[i][j] = min( M[i-1][j-1] + s,  M[i-1][j] + size(ai),  M[i][j-1] + size(bj) )
//
//	s = 0                          identical subtrees
//	    size(ai) + size(bj) - 1    labels differ
//	    size(ai) + size(bj) - 2    labels are equal, one is a leaf
//	    the same of their children otherwise
//
// Of mappings with the same cost, the chosen one pairs equal subtrees at the end of
// both lists, then at the beginning of the rest. Between these it prefers replacing to
// deleting, and deleting to inserting. The roots are a pair whatever their labels.
//
// # Learning
//
// The template starts as the first page. For each further page, in the order of ranks,
// it keeps the nodes that the cheapest mapping to that page pairs at no cost. At the
// end, nodes whose content was lost on the way are removed. Nodes that never had any,
// such as a br, stay.
//
// Example: body(h1(A) ul(li(x) li(y)) p(one)) and
// body(h1(A) ul(li(x) li(y)) div(p(two)) p(three)): div(p(two)) is inserted, 3, and
// three replaces one, 1. The template is body(h1(A) ul(li(x) li(y)) p), and without
// the p that removes nothing: 8 nodes.
//
// # Applying
//
// The template is mapped to the page. A content leaf that is paired at no cost is
// dropped, all others are kept. With remove=hash nothing is mapped: a subtree of
// the page goes if the template has an equal one at the same tag path. That is the
// cheap removal step of the abstract.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// # Cost
//
// M has a cell for each pair of children of each pair of nodes: |T|·|P| in the worst
// case, which no order of evaluation avoids. The equal ends and beginnings of two lists
// are paired without a matrix, and the cost of two subtrees is computed once, however
// often they occur, so pages of similar structure take a few steps a node. A mapping
// may take 20 million steps (about a quarter of a second). Beyond that, equal subtrees
// at equal paths are looked up instead, as with remove=hash (note "budget", on the
// template or the page).
//
// The extractor does not suit sites where a label near the root differs from page to
// page, because everything below it is cut off. One page of a different structure
// empties the template.
//
// This package is internal to Winnow and may change in any release.
package rtdmtd
