package html

// Document is one parsed HTML document. See the package comment.
type Document struct {
	Source []byte // the UTF-8 document given to Parse; not copied
	Tree   Tree
	Lex    Lex
	Cut    Cut // the bounds that the document met

	bounds  Bounds
	names   names
	builder builder
}

// Parse replaces what d holds by the document src, which must be valid UTF-8
// (other bytes pass as they are) and must not change while d is in use. Parsing
// never fails: every input is a document, and d.Cut says what was left out of it.
func (d *Document) Parse(src []byte, bounds Bounds) {
	d.builder.readOn = false
	d.reset(src, bounds)
	d.builder.parse(d)
}

// ParseOn is Parse but for a title, iframe or other element of raw text that is written as
// XML, with a closing slash, or never closed. By the standard, it takes the source up to the
// next end tag of its name or to the end, so that the rest of the page is lost. Here it is
// empty, if it has a slash or if there is markup of text after it. A script stays as it is.
func (d *Document) ParseOn(src []byte, bounds Bounds) {
	d.builder.readOn = true
	d.reset(src, bounds)
	d.builder.parse(d)
}

// reset forgets the previous document and keeps its memory.
func (d *Document) reset(src []byte, bounds Bounds) {
	d.Source, d.Cut, d.bounds = src, 0, bounds.withDefaults()
	d.names.reset()
}

// AttrName is the name of a in lower case, as a view that must not be changed.
func (d *Document) AttrName(a Attr) []byte {
	if a.Flags&AttrNameInText != 0 {
		return d.Tree.Text[a.Name.Start:a.Name.End:a.Name.End]
	}
	return d.Source[a.Name.Start:a.Name.End:a.Name.End]
}

// AttrValue is the decoded value of a, as a view that must not be changed.
func (d *Document) AttrValue(a Attr) []byte {
	if a.Flags&AttrValueInText != 0 {
		return d.Tree.Text[a.Value.Start:a.Value.End:a.Value.End]
	}
	return d.Source[a.Value.Start:a.Value.End:a.Value.End]
}

// Attrs are the attributes of the element n in source order; none for other
// nodes. Valid until the next Parse.
func (d *Document) Attrs(n Node) []Attr {
	return d.Tree.Attrs[d.Tree.AttrStart[n]:d.Tree.AttrEnd[n]]
}

// Attr returns the value of the attribute of n with the given lower-case name,
// as a view that is valid until the next Parse; ok is false if n has none.
func (d *Document) Attr(n Node, name string) (value []byte, ok bool) {
	for _, a := range d.Attrs(n) {
		if a.Name.Len() == len(name) && string(d.AttrName(a)) == name {
			return d.AttrValue(a), true
		}
	}
	return nil, false
}

// Find returns the first HTML element named tag in [from, end), 0 if there is
// none.
func (d *Document) Find(tag Tag, from, end Node) Node {
	t := &d.Tree
	for n := from; n < end; n++ {
		if t.Tag[n] == tag && t.Kind[n] == KindElement && t.Space[n] == SpaceHTML {
			return n
		}
	}
	return 0
}

// Child returns the first child of n that is an HTML element named tag, 0 if
// there is none.
func (d *Document) Child(n Node, tag Tag) Node {
	t := &d.Tree
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		if t.Tag[c] == tag && t.Kind[c] == KindElement && t.Space[c] == SpaceHTML {
			return c
		}
	}
	return 0
}

// HeadElement returns the head element, 0 if there is none.
func (d *Document) HeadElement() Node { return d.section(TagHead) }

// BodyElement returns the body element, 0 if there is none, as in a document
// with a frameset.
func (d *Document) BodyElement() Node { return d.section(TagBody) }

// section returns the child of the html element that is named tag, 0 if there is
// none.
func (d *Document) section(tag Tag) Node {
	if d.Tree.Len() == 0 {
		return 0
	}
	if root := d.Child(0, TagHtml); root != 0 {
		return d.Child(root, tag)
	}
	return 0
}
