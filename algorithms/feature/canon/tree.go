package canon

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Bounds of a page.
const (
	MaxNodes = 20_000
	MaxDepth = 512
)

// Memory that an unusually large page needed is released at the next one. A tree has
// few nodes, but its texts may be long.
const (
	keepText  = 4 << 20
	keepWords = 1 << 18
)

// Node numbers the nodes of a Tree in preorder; node 0 is body.
type Node = int32

// Tree is the canonical tree of one page. It is empty if the page has no body.
type Tree struct {
	// The columns that follow have one entry a node.
	Row     []page.Row // its row in the Body; of a text its first
	Tag     []html.Tag // TagText for texts
	Parent  []Node     // parent of each node; -1 for body
	End     []Node     // the subtree of n is [n, End[n])
	Depth   []int32    // body 0
	Scripts []int32    // script elements that were left out directly below it
	Path    []uint64   // hash of the names from body down
	TagHash []uint64   // hash of its name
	// First is the first leaf at or after each node, so the leaves of the subtree of n
	// are [First[n], First[End[n]]). It has one entry more than there are nodes.
	First []int32

	Leaves []Leaf

	page   []byte // the text of the page
	text   []byte // texts of leaves whose own bytes differ from the page's
	large  bool
	nodeAt []Node // for each row, its node; -1 if it is not a node
	names  names
	kept   []int32 // filled by Select: for each leaf, the number of leaves kept before it
}

// Leaf is a content leaf.
type Leaf struct {
	Node   Node
	Rows   page.Rows // rows of the Body that are the leaf: texts that met, or media with its insides
	Media  bool
	InLink bool // below an a element
	Hidden bool // kept or not, it cannot be selected

	start, end int32 // range of its text in Tree.page, or in Tree.text if own
	own        bool
}

var tree = algorithms.Feature[Tree]{
	Name:    "canonical-tree",
	Doc:     "the page as methods that compare pages see it",
	Compute: func(t *Tree, p *algorithms.Pass) { t.fill(p) },
}

// Of is the canonical tree of the page, valid until the next page. The error is
// algorithms.ErrPageTooLarge or nil.
func Of(p *algorithms.Pass) (*Tree, error) {
	t := tree.Of(p)
	if t.large {
		return nil, algorithms.ErrPageTooLarge
	}
	return t, nil
}

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.Tag) }

// Text returns the text of a leaf, which is empty for media. It is a view that must not
// be changed.
func (t *Tree) Text(leaf int) []byte {
	l := &t.Leaves[leaf]
	if l.own {
		return t.text[l.start:l.end:l.end]
	}
	return t.page[l.start:l.end:l.end]
}

// IsMedia reports whether elements of this name are content leaves.
func IsMedia(t html.Tag) bool {
	switch t {
	case html.TagImg, html.TagSvg, html.TagVideo, html.TagAudio, html.TagCanvas,
		html.TagIframe, html.TagObject, html.TagEmbed:
		return true
	}
	return false
}
