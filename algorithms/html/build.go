package html

// builder turns a document into the columns of a Tree and a Lex. The scanner (scan*.go)
// cuts the source into tokens, and the tree builder (build*.go) decides what each of
// them does, both as the HTML standard says (13.2, scripting off). It is part of a
// Document and keeps its memory from one document to the next.
type builder struct {
	doc    *Document
	src    []byte
	bounds Bounds

	// Scanner.
	pos      int // next byte of src
	tok      token
	readOn   bool           // see Document.ParseOn
	unclosed [TagOther]bool // elements of raw text that are known to have no further end tag
	lastText int            // where the last tag that neverClosed takes for markup of text is; negative: not looked for
	raw      Tag            // the element whose raw text or RCDATA comes next; 0 for data
	oddBytes bool           // src has a carriage return or NUL
	arrow    int            // where the first "-->" at or after some earlier position begins; -1: not searched yet
	name     []byte
	seen     attrSet // names of the current tag, if it has many

	// Output. The columns have at least clean (cleanLex) rows, all zero from n
	// (nlex) on. While the document is being built, Tree.End has the position
	// plus one of an element on the stack of open elements, 0 elsewhere.
	tree     Tree
	lex      Lex
	n        Node
	clean    Node
	nlex     int
	cleanLex int
	hit      Node // the node that the current token made or closed, for Lex

	// Tree builder.
	mode      mode
	original  mode // to return to from modeText
	templates []mode
	head      Node
	form      Node
	quirks    bool
	framesOK  bool // a frameset may still replace the body
	skipLine  bool // a line feed at the start of the next text is dropped
	foster    bool // "foster parenting" is enabled
	stack     []open
	top       []uint16 // by key: position plus one of the topmost open element
	active    []formatting
	actives   [TagOther]uint32 // entries of active by name
	forgot    bool             // an adoption left out an active element; only tests read this, because their reference parser does not do so
	rest      []open           // scratch
	htmlAttrs attrSet          // names on the html and body elements, filled when another
	bodyAttrs attrSet          // start tag html or body adds attributes to them
	textLeft  int              // bytes of text that Bounds.MaxText still allows

	// Order of the nodes; see renumber.go.
	runs     []Range // scratch of tableText
	order    order
	stale    Node // number of nodes when order became orderStale
	links    []link
	pieces   []piece
	rank     []Node
	sequence []Node
	spare    spareColumns

	// These belong to a fragment, see fragment.go.
	fragment   bool
	context    props // properties of the context element
	contextTag Tag   // its name if it is an HTML element
}

// mode is the insertion mode (standard, 13.2.4.1).
type mode uint8

const (
	modeInitial mode = iota
	modeBeforeHTML
	modeBeforeHead
	modeInHead
	modeInHeadNoscript
	modeAfterHead
	modeInBody
	modeText
	modeInTable
	modeInCaption
	modeInColumnGroup
	modeInTableBody
	modeInRow
	modeInCell
	modeInTemplate
	modeAfterBody
	modeInFrameset
	modeAfterFrameset
	modeAfterAfterBody
	modeAfterAfterFrameset
)

// These are the bounds of a document that Bounds may set, and the limits of these
// bounds.
const (
	minDepth = 2       // html, and head or body
	maxDepth = 1 << 15 // positions on the stack are 16 bits wide
	// sparedNodes plus one node for each byte of the source is more than any page needs
	// unless it was made to be large: formatting elements that are left open in one
	// paragraph are opened again in each following paragraph.
	sparedNodes = 4096
	// maxSource keeps every offset, also of expanded text, within 32 bits.
	maxSource = 1 << 29
)

// parse replaces what d holds by the document d.Source.
func (b *builder) parse(d *Document) {
	b.begin(d)
	b.run()
}

// run builds the document.
func (b *builder) run() {
	for {
		switch b.next() {
		case tokText:
			b.takeText()
			b.text()
		case tokStart:
			b.startTag()
		case tokEnd:
			b.endTag()
		case tokComment:
			b.comment()
		case tokDoctype:
			b.doctype()
		case tokEOF:
			b.end()
			b.finish()
			return
		}
		// One token may make more nodes than the bound has left; finish cuts them.
		most := b.bounds.MaxNodes
		if (int(b.n) >= most || b.nlex >= 2*most || len(b.tree.Attrs) >= 2*most) && b.pos < len(b.src) {
			b.doc.Cut |= CutNodes
			b.finish()
			return
		}
	}
}

// begin makes b ready for the document d.Source.
func (b *builder) begin(d *Document) {
	b.doc, b.src, b.bounds = d, d.Source, d.bounds
	b.bounds.MaxDepth = min(max(b.bounds.MaxDepth, minDepth), maxDepth)
	b.bounds.MaxNodes = min(b.bounds.MaxNodes, len(b.src)+sparedNodes)
	if len(b.src) > maxSource {
		b.src = b.src[:maxSource]
		d.Cut |= CutSource
	}

	b.pos, b.raw, b.arrow = 0, 0, -1
	clear(b.unclosed[:])
	b.lastText = -1
	b.tok = token{}
	b.oddBytes = hasOddBytes(b.src)

	b.startColumns()
	b.mode, b.original = modeInitial, modeInitial
	b.templates = b.templates[:0]
	b.head, b.form = 0, 0
	b.textLeft = b.bounds.MaxText
	b.quirks, b.framesOK, b.skipLine, b.foster = false, true, false, false
	b.stack, b.active, b.rest = b.stack[:0], b.active[:0], b.rest[:0]
	if len(b.top) < topKeys(TagOther) {
		b.top = make([]uint16, topKeys(TagOther))
	}
	clear(b.top)
	clear(b.actives[:])
	b.forgot = false
	b.htmlAttrs.reset()
	b.bodyAttrs.reset()
	b.order, b.stale, b.pieces = orderKept, 0, b.pieces[:0]
	b.fragment, b.context, b.contextTag = false, 0, 0

	b.newNode(KindDocument, 0)
}

// place returns the parent for a new child of the current node, and the sibling before
// which it is inserted. The sibling is 0 unless foster parenting inserts before a
// table.
func (b *builder) place() (parent, before Node) {
	e := &b.stack[len(b.stack)-1]
	if b.foster && e.props&propFostering != 0 {
		return b.fosterPlace()
	}
	return e.node, 0
}

// newElement makes the element of the current start tag at the appropriate
// place.
func (b *builder) newElement(tag Tag, space Space) Node {
	var n Node
	if !b.foster {
		n = b.newNode(KindElement, b.stack[len(b.stack)-1].node)
	} else {
		parent, before := b.place()
		n = b.newNodeAt(KindElement, parent, before)
	}
	b.describe(n, tag, space)
	return n
}

// describe sets the columns of n to those of the element of the current start tag.
func (b *builder) describe(n Node, tag Tag, space Space) {
	t := &b.tree
	t.Tag[n] = tag
	t.Space[n] = space
	t.AttrStart[n] = b.tok.attrs
	t.AttrEnd[n] = uint32(len(t.Attrs))
	t.Open[n] = Range{uint32(b.tok.start), uint32(b.tok.end)}
	b.tok.attrs = uint32(len(t.Attrs)) // they belong to an element now
	b.hit = n
}

// insert makes the HTML element of the current start tag and opens it. At the bound of
// open elements it ignores the tag and returns false.
func (b *builder) insert(tag Tag) bool {
	if !b.room(1) {
		return false
	}
	b.push(b.newElement(tag, SpaceHTML), tag, tag, tag.props())
	return true
}

// insertVoid makes an HTML element that has no content. It needs no room on
// the stack.
func (b *builder) insertVoid(tag Tag) { b.newElement(tag, SpaceHTML) }

// insertRaw makes an HTML element whose content is one text, and has the
// scanner read it as such. It may exceed the bound of open elements by one:
// nothing can be nested in it, and its text must not be taken for markup.
func (b *builder) insertRaw(tag Tag) {
	if b.readOn && tag != TagScript && (b.tok.selfClosing || b.neverClosed(tag)) {
		b.insertVoid(tag)
		return
	}
	b.push(b.newElement(tag, SpaceHTML), tag, tag, tag.props())
	b.raw = tag
	b.original, b.mode = b.mode, modeText
}

// insertImplied makes and opens an HTML element that the source does not contain.
func (b *builder) insertImplied(tag Tag) {
	parent, before := Node(0), Node(0)
	if len(b.stack) > 0 {
		parent, before = b.place()
	}
	n := b.newNodeAt(KindElement, parent, before)
	b.tree.Tag[n] = tag
	b.push(n, tag, tag, tag.props())
}

// room reports whether k more levels of elements are within the bound. Elements of a
// table come in fixed sequences that must be complete, so the bound is checked
// beforehand.
func (b *builder) room(k int) bool {
	if int(b.current().level)+k > b.bounds.MaxDepth {
		b.doc.Cut |= CutDepth
		return false
	}
	return true
}

// comment handles the current comment token.
func (b *builder) comment() {
	b.skipLine = false
	rules := b.mode
	if len(b.stack) > 0 && b.adjusted()&propForeign != 0 {
		rules = modeInBody // foreign content takes comments wherever it is
	}
	parent, before := Node(0), Node(0)
	switch rules {
	case modeInitial, modeBeforeHTML, modeAfterAfterBody, modeAfterAfterFrameset:
	case modeAfterBody:
		parent = b.stack[0].node
	default:
		parent, before = b.place()
	}
	n := b.newNodeAt(KindComment, parent, before)
	from := len(b.tree.Text)
	b.appendData(b.tok.from, b.tok.to, nulReplaced)
	b.tree.Data[n] = Range{uint32(from), uint32(len(b.tree.Text))}
	b.tree.Open[n] = Range{uint32(b.tok.start), uint32(b.tok.end)}
	b.addLex(LexComment, 0, n)
	switch rules {
	case modeAfterBody, modeAfterAfterBody, modeAfterAfterFrameset:
		b.markStale(n)
	}
}

// doctype handles the current doctype token.
func (b *builder) doctype() {
	b.skipLine = false
	n := Node(0)
	if b.mode == modeInitial {
		n = b.newNode(KindDoctype, 0)
		t := &b.tree
		t.Data[n] = b.tok.doctype.name
		t.Open[n] = Range{uint32(b.tok.start), uint32(b.tok.end)}
		t.AttrStart[n] = uint32(len(t.Attrs))
		b.addIdentifier("public", b.tok.doctype.public)
		b.addIdentifier("system", b.tok.doctype.system)
		t.AttrEnd[n] = uint32(len(t.Attrs))
		b.quirks = b.inQuirks(&b.tok.doctype)
		b.mode = modeBeforeHTML
	}
	b.addLex(LexDoctype, 0, n)
}

// addIdentifier appends an attribute for an identifier of a doctype.
func (b *builder) addIdentifier(name string, id identifier) {
	if !id.present {
		return
	}
	t := &b.tree
	at := uint32(len(t.Text))
	t.Text = append(t.Text, name...)
	t.Attrs = append(t.Attrs, Attr{
		Name:  Range{at, uint32(len(t.Text))},
		Value: id.text,
		Flags: AttrNameInText | AttrValueInText,
	})
}

// startTag handles the current start tag.
func (b *builder) startTag() {
	b.skipLine, b.hit = false, 0
	if len(b.stack) > 0 && b.adjusted()&propForeign != 0 && b.foreignStartApplies() {
		b.foreignStart()
	} else {
		b.htmlStart(b.tok.tag)
	}
	kind := LexStart
	if b.tok.selfClosing {
		kind = LexSelfClose
	}
	b.addLex(kind, b.tok.tag, b.hit)
	b.dropAttrs()
}

// htmlStart treats the current start tag, as if it were named tag, by the
// rules of the insertion mode.
func (b *builder) htmlStart(tag Tag) {
	for again := true; again; {
		switch b.mode {
		case modeInBody:
			b.bodyStart(tag)
			return
		case modeInitial:
			b.quirks = true
			b.mode = modeBeforeHTML
		case modeBeforeHTML:
			again = b.beforeHTMLStart(tag)
		case modeBeforeHead:
			again = b.beforeHeadStart(tag)
		case modeInHead:
			again = b.headStart(tag)
		case modeInHeadNoscript:
			again = b.headNoscriptStart(tag)
		case modeAfterHead:
			again = b.afterHeadStart(tag)
		case modeInTable:
			again = b.tableStart(tag)
		case modeInCaption:
			again = b.captionStart(tag)
		case modeInColumnGroup:
			again = b.columnGroupStart(tag)
		case modeInTableBody:
			again = b.tableBodyStart(tag)
		case modeInRow:
			again = b.rowStart(tag)
		case modeInCell:
			again = b.cellStart(tag)
		case modeInTemplate:
			again = b.templateStart(tag)
		case modeAfterBody, modeAfterAfterBody:
			if tag == TagHtml {
				b.bodyStart(tag)
				return
			}
			b.mode = modeInBody
		case modeInFrameset, modeAfterFrameset, modeAfterAfterFrameset:
			b.framesetStart(tag)
			return
		default: // modeText: the scanner yields no start tag there
			return
		}
	}
}

// endTag handles the current end tag.
func (b *builder) endTag() {
	b.skipLine, b.hit = false, 0
	if len(b.stack) == 0 || b.adjusted()&propForeign == 0 || b.foreignEnd() {
		b.htmlEnd(b.tok.tag)
	}
	b.addLex(LexEnd, b.tok.tag, b.hit)
}

// htmlEnd treats the current end tag by the rules of the insertion mode.
func (b *builder) htmlEnd(tag Tag) {
	for again := true; again; {
		switch b.mode {
		case modeInBody:
			again = b.bodyEnd(tag)
		case modeText:
			b.closeTop()
			b.mode = b.original
			return
		case modeInitial:
			b.quirks = true
			b.mode = modeBeforeHTML
		case modeBeforeHTML:
			again = b.beforeHTMLEnd(tag)
		case modeBeforeHead:
			again = b.beforeHeadEnd(tag)
		case modeInHead:
			again = b.headEnd(tag)
		case modeInHeadNoscript:
			again = b.headNoscriptEnd(tag)
		case modeAfterHead:
			again = b.afterHeadEnd(tag)
		case modeInTable:
			again = b.tableEnd(tag)
		case modeInCaption:
			again = b.captionEnd(tag)
		case modeInColumnGroup:
			again = b.columnGroupEnd(tag)
		case modeInTableBody:
			again = b.tableBodyEnd(tag)
		case modeInRow:
			again = b.rowEnd(tag)
		case modeInCell:
			again = b.cellEnd(tag)
		case modeInTemplate:
			if tag == TagTemplate {
				b.templateEnd()
			}
			return
		case modeAfterBody:
			again = b.afterBodyEnd(tag)
		case modeAfterAfterBody:
			b.mode = modeInBody
		case modeInFrameset, modeAfterFrameset:
			b.framesetEnd(tag)
			return
		default: // modeAfterAfterFrameset
			return
		}
	}
}

// end handles the end of the source.
func (b *builder) end() {
	for {
		switch b.mode {
		case modeInitial:
			b.quirks = true
			b.mode = modeBeforeHTML
		case modeBeforeHTML:
			b.impliedHTML()
		case modeBeforeHead:
			b.impliedHead()
		case modeInHead:
			b.pop()
			b.mode = modeAfterHead
		case modeInHeadNoscript:
			b.pop()
			b.mode = modeInHead
		case modeAfterHead:
			b.impliedBody()
		case modeText:
			b.pop()
			b.mode = b.original
		case modeInFrameset, modeAfterFrameset, modeAfterBody, modeAfterAfterBody, modeAfterAfterFrameset:
			return
		default: // "in body" and all modes that follow its rules
			if len(b.templates) == 0 || b.top[key(TagTemplate)] == 0 {
				return
			}
			b.popTo(int(b.top[key(TagTemplate)]) - 1)
			b.clearActive()
			b.templates = b.templates[:len(b.templates)-1]
			b.resetMode()
		}
	}
}
