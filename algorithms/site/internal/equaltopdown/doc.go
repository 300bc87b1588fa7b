// Package equaltopdown is the equal top-down mapping of Alarte, Insa, Silva and
// Tamarit 2015: pairs of nodes of two trees with equal labels, one to one, the
// parents of every pair being a pair too. The roots are a pair whatever their
// labels. Nothing is replaced, and siblings may change places.
//
// # Which children are paired
//
// The papers leave it open. Under a pair of nodes, in this order:
//
//  1. Equal subtrees: the first of one kind on one side with the first of that
//     kind on the other, the second with the second.
//  2. Equal labels: each child left of the first tree, in order, takes the
//     nearest child left of the second tree, by place among all siblings; of two
//     as near, the one in front.
//
// Equal subtrees are mapped as they are. Equal labels are looked into further.
//
// Other ideas of equality than that of labels are a Side's groups and Mapper.Like:
// of the children of one group, the 32 nearest are tried.
//
// Cost: children are looked up by hash and those with one label are kept as a
// list whose nearest entry only moves forward, so a mapping is linear in the
// nodes of both trees. A Mapper allocates nothing on trees of a size it has seen.
package equaltopdown
