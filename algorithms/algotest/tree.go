package algotest

import (
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Node is a row of a page.Body as a node of a plain tree. The slow twins of extractors
// walk this tree, because they must not use columns and prefix sums.
type Node struct {
	Row    page.Row
	Tag    html.Tag // TagText for text
	Parent *Node    // nil for body
	Kids   []*Node

	Chars, Words int // counts in a visible text
	Hidden       bool
	Href         bool // has the attribute href
	Depth        int  // body 0
}

// Tree returns the body of b as a tree; nil for a page without a body.
func Tree(b *page.Body) *Node {
	nodes := make([]*Node, b.Len())
	for i := range nodes {
		n := &Node{Row: page.Row(i), Tag: b.Tag[i],
			Hidden: b.Flags[i]&page.Hidden != 0, Href: b.Flags[i]&page.HasHref != 0}
		if n.Tag == html.TagText {
			n.Chars, n.Words = int(b.Chars[i+1]-b.Chars[i]), int(b.TextWords[i+1]-b.TextWords[i])
		}
		if i > 0 {
			n.Parent = nodes[b.Parent[i]]
			n.Depth = n.Parent.Depth + 1
			n.Parent.Kids = append(n.Parent.Kids, n)
		}
		nodes[i] = n
	}
	if len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

// IsText reports whether n is a text node.
func (n *Node) IsText() bool { return n.Tag == html.TagText }

// All returns the nodes of the subtree of n in document order, n first.
func (n *Node) All() []*Node {
	all := []*Node{n}
	for i := 0; i < len(n.Kids); i++ {
		all = append(all, n.Kids[i].All()...)
	}
	return all
}

// Sum adds f over the subtree of n, n included.
func (n *Node) Sum(f func(*Node) int) int {
	sum := f(n)
	for _, k := range n.Kids {
		sum += k.Sum(f)
	}
	return sum
}

// Under reports whether a proper ancestor of n is one of the tags.
func (n *Node) Under(tags ...html.Tag) bool {
	for a := n.Parent; a != nil; a = a.Parent {
		for _, t := range tags {
			if a.Tag == t {
				return true
			}
		}
	}
	return false
}

// Elements returns the element children of n.
func (n *Node) Elements() []*Node {
	var e []*Node
	for _, k := range n.Kids {
		if !k.IsText() {
			e = append(e, k)
		}
	}
	return e
}

// Subtrees returns the rows of all subtrees of the nodes as ranges of a selection of b.
// The nodes must be in document order.
func Subtrees(b *page.Body, nodes []*Node) page.Selection {
	var s page.Selection
	for _, n := range nodes {
		s.AddRow(b, n.Row)
	}
	return s
}
