package html

import "bytes"

// This file has foreign content: SVG and MathML (standard, 13.2.6.5).

// foreignSpace is the namespace that the start tag svg or math opens.
func foreignSpace(tag Tag) Space {
	if tag == TagSvg {
		return SpaceSVG
	}
	return SpaceMathML
}

// adjusted has the properties of the adjusted current node.
func (b *builder) adjusted() props {
	if b.fragment && len(b.stack) == 1 {
		return b.context
	}
	return b.stack[len(b.stack)-1].props
}

// foreignStartApplies reports whether the current start tag is treated by the
// rules for foreign content; the adjusted current node is foreign.
func (b *builder) foreignStartApplies() bool {
	pr := b.adjusted()
	switch {
	case pr&propForeign == 0 || pr&propHTMLPoint != 0:
		return false
	case pr&propTextPoint != 0:
		name := b.nameOf(b.tok.tag)
		return string(name) == "mglyph" || string(name) == "malignmark"
	case pr&propAnnotation != 0:
		return b.tok.tag != TagSvg
	}
	return true
}

// foreignTextApplies does the same for text.
func (b *builder) foreignTextApplies() bool {
	pr := b.adjusted()
	return pr&propForeign != 0 && pr&(propTextPoint|propHTMLPoint) == 0
}

// breaksOut marks the start tags that end foreign content.
var breaksOut = [TagOther]bool{
	TagB: true, TagBig: true, TagBlockquote: true, TagBody: true, TagBr: true,
	TagCenter: true, TagCode: true, TagDd: true, TagDiv: true, TagDl: true,
	TagDt: true, TagEm: true, TagEmbed: true, TagH1: true, TagH2: true,
	TagH3: true, TagH4: true, TagH5: true, TagH6: true, TagHead: true,
	TagHr: true, TagI: true, TagImg: true, TagLi: true, TagListing: true,
	TagMenu: true, TagMeta: true, TagNobr: true, TagOl: true, TagP: true,
	TagPre: true, TagRuby: true, TagS: true, TagSmall: true, TagSpan: true,
	TagStrong: true, TagStrike: true, TagSub: true, TagSup: true, TagTable: true,
	TagTt: true, TagU: true, TagUl: true, TagVar: true,
}

func (b *builder) foreignStart() {
	tag := b.tok.tag
	if tag < TagOther && breaksOut[tag] || tag == TagFont && b.hasFontAttr() {
		b.leaveForeign()
		b.htmlStart(tag)
		return
	}
	space := SpaceMathML
	if b.adjusted()&propSVG != 0 {
		space = SpaceSVG
	}
	b.insertForeign(tag, space)
}

// leaveForeign pops until the current node takes HTML content.
func (b *builder) leaveForeign() {
	for b.current().props&propForeign != 0 && b.current().props&(propTextPoint|propHTMLPoint) == 0 {
		b.pop()
	}
}

// hasFontAttr reports whether the current tag has an attribute that only the
// HTML font element has.
func (b *builder) hasFontAttr() bool {
	for i := int(b.tok.attrs); i < len(b.tree.Attrs); i++ {
		switch string(b.attrName(&b.tree.Attrs[i])) {
		case "color", "face", "size":
			return true
		}
	}
	return false
}

// insertForeign makes the element of the current start tag in another
// namespace and opens it unless it closes itself.
func (b *builder) insertForeign(tag Tag, space Space) {
	if !b.tok.selfClosing && !b.room(1) {
		return
	}
	name := tag
	pr := props(propForeign)
	if space == SpaceSVG {
		pr |= propSVG
		if s := svgTagName(b.nameOf(tag)); s != "" {
			b.name = append(b.name[:0], s...)
			tag = b.doc.names.intern(b.name)
		}
		b.adjustAttrs(svgAttrName)
	} else {
		b.adjustAttrs(mathAttrName)
	}
	pr |= b.foreignProps(tag, space)
	n := b.newElement(tag, space)
	if !b.tok.selfClosing {
		b.push(n, tag, name, pr)
	}
}

// foreignProps are the properties of an element of SVG or MathML that depend
// on its name, and of annotation-xml on an attribute of the current tag.
func (b *builder) foreignProps(tag Tag, space Space) props {
	name := b.nameOf(tag)
	if space == SpaceSVG {
		switch string(name) {
		case "foreignObject", "desc", "title":
			return propSpecial | propScope | propHTMLPoint
		}
		return 0
	}
	switch string(name) {
	case "mi", "mo", "mn", "ms", "mtext":
		return propSpecial | propScope | propTextPoint
	case "annotation-xml":
		pr := propSpecial | propScope | propAnnotation
		for i := int(b.tok.attrs); i < len(b.tree.Attrs); i++ {
			a := &b.tree.Attrs[i]
			if string(b.attrName(a)) != "encoding" {
				continue
			}
			if v := b.attrValue(a); bytes.EqualFold(v, []byte("text/html")) ||
				bytes.EqualFold(v, []byte("application/xhtml+xml")) {
				pr |= propHTMLPoint
			}
		}
		return pr
	}
	return 0
}

// foreignEnd treats the current end tag by the rules for foreign content; the
// current node is foreign. It returns true if the rules of the insertion mode
// apply after all.
func (b *builder) foreignEnd() (html bool) {
	if b.adjusted()&propForeign == 0 {
		return true
	}
	tag := b.tok.tag
	if tag == TagBr || tag == TagP {
		b.leaveForeign()
		return true
	}
	// Search the foreign elements above the topmost HTML element.
	if k := foreignKey(tag); k < len(b.top) {
		if at := int(b.top[k]); at > int(b.current().walls.html)+1 {
			b.closeTo(at - 1)
			return false
		}
	}
	return len(b.stack) > 1
}

// nameOf is the name of tag, valid until the next use of b.name.
func (b *builder) nameOf(tag Tag) []byte {
	if tag >= TagOther && int(tag-TagOther) < len(b.doc.names.ends) {
		return b.doc.names.name(int(tag - TagOther))
	}
	b.name = b.name[:0]
	if tag < TagOther {
		b.name = append(b.name, tagNames[tag]...)
	}
	return b.name
}

// adjustAttrs changes the attribute names of the current tag to the spelling of its
// namespace. spelling returns "" for a name that stays in lower case.
func (b *builder) adjustAttrs(spelling func(name []byte) string) {
	t := &b.tree
	for i := int(b.tok.attrs); i < len(t.Attrs); i++ {
		a := &t.Attrs[i]
		s := spelling(b.attrName(a))
		switch {
		case s == "":
		case a.Flags&AttrNameInText != 0:
			copy(t.Text[a.Name.Start:a.Name.End], s) // only the case differs
		default:
			a.Flags |= AttrNameInText
			a.Name.Start = uint32(len(t.Text))
			t.Text = append(t.Text, s...)
			a.Name.End = uint32(len(t.Text))
		}
	}
}
