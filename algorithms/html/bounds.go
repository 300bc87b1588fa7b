package html

// Bounds limit what a document may cost. The zero Bounds are the defaults.
type Bounds struct {
	MaxDepth int // levels of elements; default 512
	// MaxNodes bounds the nodes of the tree, and at twice as many the lexical items
	// and the attributes, each; default DefaultNodes, never more than 4096 + len(source).
	MaxNodes int
	// MaxText bounds the bytes of text as the source has it, without the text of
	// title, script, style and iframe elements; default DefaultText.
	MaxText  int
	MaxAttrs int // attributes of one element; default 1000
}

// The defaults bound the memory of a document, whose columns have one entry for each
// node, lexical item or byte of text. They are about ten times what the largest pages
// of real crawls need.
const (
	DefaultNodes = 1 << 20
	DefaultText  = 4 << 20
)

// withDefaults replaces zeros by the defaults.
func (b Bounds) withDefaults() Bounds {
	if b.MaxDepth <= 0 {
		b.MaxDepth = 512
	}
	if b.MaxNodes <= 0 {
		b.MaxNodes = DefaultNodes
	}
	if b.MaxText <= 0 {
		b.MaxText = DefaultText
	}
	if b.MaxAttrs <= 0 {
		b.MaxAttrs = 1000
	}
	return b
}

// Cut records which bounds a document exceeded. A document that was cut is still a
// document, without the part beyond the bound.
type Cut uint8

const (
	CutDepth  Cut = 1 << iota // start tags nested deeper than MaxDepth were ignored
	CutNodes                  // the document ends at MaxNodes nodes, or twice as many items or attributes
	CutText                   // the document ends at MaxText bytes of text
	CutAttrs                  // attributes beyond MaxAttrs were ignored
	CutSource                 // the document ends at 512 MiB, the bound of offsets
)
