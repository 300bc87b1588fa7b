package page

import "bytes"

// AttrName is the name of a in lower case, as a view that must not be changed.
func (p *Page) AttrName(a Attr) []byte {
	if a.Flags&AttrNameInText != 0 {
		return p.Tree.Text[a.Name.Start:a.Name.End:a.Name.End]
	}
	return p.Source[a.Name.Start:a.Name.End:a.Name.End]
}

// AttrValue is the decoded value of a, as a view that must not be changed.
func (p *Page) AttrValue(a Attr) []byte {
	if a.Flags&AttrValueInText != 0 {
		return p.Tree.Text[a.Value.Start:a.Value.End:a.Value.End]
	}
	return p.Source[a.Value.Start:a.Value.End:a.Value.End]
}

// Attrs are the attributes of the element n in source order; none for other
// nodes. Valid until the next Parse.
func (p *Page) Attrs(n Node) []Attr {
	return p.Tree.Attrs[p.Tree.AttrStart[n]:p.Tree.AttrEnd[n]]
}

// Attr returns the value of the attribute of n with the given lower-case name,
// as a view that is valid until the next Parse; ok is false if n has none.
func (p *Page) Attr(n Node, name string) (value []byte, ok bool) {
	for _, a := range p.Attrs(n) {
		if a.Name.Len() == len(name) && string(p.AttrName(a)) == name {
			return p.AttrValue(a), true
		}
	}
	return nil, false
}

// find returns the first HTML element named tag in [from, end), 0 if there is
// none.
func (p *Page) find(tag Tag, from, end Node) Node {
	t := &p.Tree
	for n := from; n < end; n++ {
		if t.Tag[n] == tag && t.Kind[n] == KindElement && t.Space[n] == SpaceHTML {
			return n
		}
	}
	return 0
}

// child returns the first child of n that is an HTML element named tag, 0 if
// there is none.
func (p *Page) child(n Node, tag Tag) Node {
	t := &p.Tree
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		if t.Tag[c] == tag && t.Kind[c] == KindElement && t.Space[c] == SpaceHTML {
			return c
		}
	}
	return 0
}

// root returns the child of the html element that is named tag (head, body),
// 0 if there is none.
func (p *Page) root(tag Tag) Node {
	if p.Tree.Len() == 0 {
		return 0
	}
	if html := p.child(0, TagHtml); html != 0 {
		return p.child(html, tag)
	}
	return 0
}

// Title is the text of the first title element with white space folded, empty
// if there is none. Valid until the next call or Parse.
func (p *Page) Title() []byte {
	p.title = p.title[:0]
	t := &p.Tree
	n := p.find(TagTitle, 0, Node(t.Len()))
	if n == 0 {
		return p.title
	}
	for c := n + 1; c < t.End[n]; c++ {
		if t.Kind[c] == KindText {
			p.title = appendFolded(p.title, t.Text[t.Data[c].Start:t.Data[c].End])
		}
	}
	return p.title[:trimSpaceEnd(p.title)]
}

// appendFolded appends s to dst with each run of white space as one blank and
// none at the start of dst.
func appendFolded(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if j := skipSpace(s, i); j > i {
			if len(dst) > 0 && dst[len(dst)-1] != ' ' {
				dst = append(dst, ' ')
			}
			i = j
			continue
		}
		j := wordEnd(s, i, WordsBySpace)
		dst = append(dst, s[i:j]...)
		i = j
	}
	return dst
}

// BaseHref is the address that addresses on the page are relative to, as its
// first base element with one has it; that may be relative to the page's own
// address. Valid until the next Parse.
func (p *Page) BaseHref() (href []byte, ok bool) {
	t := &p.Tree
	for n, tag := range t.Tag {
		if tag == TagBase && t.Kind[n] == KindElement && t.Space[n] == SpaceHTML {
			if href, ok := p.Attr(Node(n), "href"); ok {
				return href, true
			}
		}
	}
	return nil, false
}

// Lang is the language the page declares, as written: the lang attribute of
// the html element, else the content-language that a meta element stands for;
// empty if there is none. Valid until the next Parse.
func (p *Page) Lang() []byte {
	if p.Tree.Len() == 0 {
		return nil
	}
	if html := p.child(0, TagHtml); html != 0 {
		if v, ok := p.Attr(html, "lang"); ok && len(bytes.TrimSpace(v)) > 0 {
			return bytes.TrimSpace(v)
		}
	}
	return p.Meta("content-language")
}

// Meta is the content of the first meta element whose name, property,
// http-equiv or itemprop is key, compared without case; empty if there is
// none. Valid until the next Parse.
func (p *Page) Meta(key string) []byte {
	t := &p.Tree
	for n := p.find(TagMeta, 0, Node(t.Len())); n != 0; n = p.find(TagMeta, n+1, Node(t.Len())) {
		var content []byte
		match := false
		for _, a := range p.Attrs(n) {
			switch string(p.AttrName(a)) {
			case "name", "property", "http-equiv", "itemprop":
				match = match || bytes.EqualFold(bytes.TrimSpace(p.AttrValue(a)), []byte(key))
			case "content":
				content = bytes.TrimSpace(p.AttrValue(a))
			}
		}
		if match && len(content) > 0 {
			return content
		}
	}
	return nil
}
