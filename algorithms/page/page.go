package page

// Options bound what a document may cost. The zero Options are the defaults.
type Options struct {
	MaxDepth int // open elements; default 512
	MaxNodes int // nodes of the tree; default 4<<20
	MaxAttrs int // attributes of one element; default 1000
}

// Cut says which bounds a document met. A page that was cut is still a page:
// what lies beyond the bound is left out.
type Cut uint8

const (
	CutDepth Cut = 1 << iota // start tags nested deeper than MaxDepth were ignored
	CutNodes                 // the document ends at MaxNodes nodes
	CutAttrs                 // attributes beyond MaxAttrs were ignored
)

// Page is one parsed document. See the package comment.
type Page struct {
	Source []byte // the UTF-8 document given to Parse; not copied
	Tree   Tree
	Lex    Lex
	Cut    Cut

	body      Body
	bodyReady bool
	parser    parser
}
