// Package equaltopdown is the equal top-down mapping of Alarte, Insa, Silva and
// Tamarit 2015: pairs of nodes of two trees with equal labels, one to one, the
// parents of every pair being a pair too. The roots are a pair whatever their
// labels. Nothing is replaced, and siblings may change places.
//
// # Which children are paired
//
// The papers do not say which. Under a pair of nodes they are paired in this order:
//
//  1. Equal subtrees: the first of one kind on one side with the first of that
//     kind on the other, the second with the second.
//  2. Equal labels: each remaining child of the first tree, in order, takes the
//     nearest remaining child of the second tree, by index among all siblings; of
//     two equally near, the one before it.
//
// Equal subtrees are mapped whole. Below nodes with equal labels the children are
// mapped in turn.
//
// A Side's groups and Mapper.Like define equality other than that of labels: of the
// children of one group, the 32 nearest are tried.
//
// Cost: children are looked up by hash and those with one label are kept as a
// list whose nearest entry only moves forward, so a mapping is linear in the
// nodes of both trees. A Mapper allocates nothing on trees of a size it has seen.
package equaltopdown
