// Package labeltree holds the ordered labelled trees that the tree-mapping extractors
// fold: a page reduced to the labels of its nodes.
//
//	body(h1(A) p)    Label  body h1 A  p      hashes
//	                 End    4    3  3  4      the subtree of n is [n, End[n])
//
// Nodes are in preorder, node 0 is the root. [Tree.Hashes] gives every subtree a
// hash, so that two subtrees are compared by one number and their size.
//
// # Encoding
//
//	nodes Uint, and for each its label Hash, the size of its subtree Uint    (see codec)
//
// A tree has exactly one encoding. Read accepts bytes from outside: it checks that
// subtrees nest, and bounds nodes and depth, before it allocates anything.
package labeltree
