package html

// Node numbers the rows of a Tree in preorder. Node 0 is the document itself;
// it has no parent, so in links between nodes 0 also means "none".
type Node int32

// Kind is the kind of a node of the Tree.
type Kind uint8

const (
	KindDocument Kind = iota
	KindElement
	KindText
	KindComment
	KindDoctype
)

// Space is the namespace of an element.
type Space uint8

const (
	SpaceHTML Space = iota
	SpaceSVG
	SpaceMathML
)

// Range is a half-open range of bytes [Start, End).
type Range struct{ Start, End uint32 }

// Len is the number of bytes in r.
func (r Range) Len() int { return int(r.End - r.Start) }

// Attr is one attribute of an element. Name and Value are ranges of
// Document.Source, or of Tree.Text when the scanner had to change them (upper case
// in a name, a character reference or a carriage return in a value): see
// Document.AttrName and Document.AttrValue, which know the difference.
type Attr struct {
	Name, Value Range
	Flags       AttrFlags
}

// AttrFlags say where the bytes of an attribute are, and whether its name is one that
// package page and the facts look for on every element.
type AttrFlags uint8

const (
	// AttrNameInText: Name is a range of Tree.Text, not of Source.
	AttrNameInText AttrFlags = 1 << iota
	// AttrValueInText: Value is a range of Tree.Text, not of Source.
	AttrValueInText
	AttrHref     // the name is href
	AttrStyle    // … style
	AttrHidden   // … hidden
	AttrRel      // … rel
	AttrItemprop // … itemprop
	AttrClass    // … class
)

// attrFlagOf returns the flag of an attribute name, which is 0 for most. The scanner
// sets it because it has just read the name; the node table would have to read it
// again.
func attrFlagOf(name []byte) AttrFlags {
	switch string(name) {
	case "href":
		return AttrHref
	case "style":
		return AttrStyle
	case "hidden":
		return AttrHidden
	case "rel":
		return AttrRel
	case "itemprop":
		return AttrItemprop
	case "class":
		return AttrClass
	}
	return 0
}

// Tree is the whole document as the HTML standard builds it, in preorder: the
// html, head and body elements with everything in them, scripts and comments
// included. All slices but Attrs and Text have one entry for each node.
type Tree struct {
	Kind   []Kind
	Space  []Space
	Tag    []Tag  // elements; 0 otherwise
	Parent []Node // 0 for children of the document
	End    []Node // the subtree of n is [n, End[n])

	// Data is the character data of a text or comment node, as a range of Text:
	// decoded, with line ends normalised and NUL handled as the standard says. Of
	// a doctype it is the name; its identifiers are attributes named public and
	// system.
	Data []Range
	// Text holds the character data of all nodes. Not in document order where
	// the parser had to move nodes.
	Text []byte

	// AttrStart and AttrEnd delimit an element's attributes in Attrs.
	AttrStart, AttrEnd []uint32
	Attrs              []Attr
	// AttrNames has the flags of the names of all attributes. An attribute of a tag that
	// made no element may have left its flag.
	AttrNames AttrFlags
	// HasBase: there is a base element, among those of HTML. One that was cut off may have
	// left its mark.
	HasBase bool

	// Open is the source range of an element's start tag, Close that of its end
	// tag; both are empty for an element or an end that the source does not
	// write down. For a text node Open covers the source of its first run.
	Open, Close []Range
}

// Len is the number of nodes, the document included.
func (t *Tree) Len() int { return len(t.Kind) }

// LexKind is the kind of an item that the scanner saw.
type LexKind uint8

const (
	LexStart     LexKind = iota // start tag
	LexSelfClose                // start tag written with a closing slash
	LexEnd                      // end tag
	LexText                     // a run of characters between two other items, or its part in one text node
	LexComment                  // comment, bogus comment, processing instruction, CDATA outside foreign content
	LexDoctype
)

// Lex is the source as the scanner cut it, one entry an item, in source order;
// it also has the end tags that match nothing and the tags the tree ignored.
// The content of script, style and other raw text elements is LexText.
//
// The parser records where each item went in the tree, so the words of the source need
// not be aligned with those of the page afterwards.
type Lex struct {
	Kind []LexKind
	Tag  []Tag   // tags; 0 otherwise
	Src  []Range // range of Document.Source
	// Node is the node that this item made or, for text, was appended to; for an
	// end tag the element it closed; 0 if it had no effect on the tree.
	Node []Node
	// Data is, for text that reached the tree, its decoded range of Tree.Text.
	Data []Range
}

// Len is the number of lexical items.
func (l *Lex) Len() int { return len(l.Kind) }
