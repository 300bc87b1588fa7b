package page

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
)

// Title returns the text of the first title element with white space folded, which is
// empty if there is none. It is valid until the next call of Title or Parse.
func (p *Page) Title() []byte {
	p.title = p.title[:0]
	t := &p.Tree
	n := p.Find(html.TagTitle, 0, html.Node(t.Len()))
	if n == 0 {
		return p.title
	}
	for c := n + 1; c < t.End[n]; c++ {
		if t.Kind[c] == html.KindText {
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

// BaseHref returns the address against which addresses on the page are resolved, from
// the first base element that has one. It may be relative to the page's own address. It
// is valid until the next Parse.
func (p *Page) BaseHref() (href []byte, ok bool) {
	t := &p.Tree
	if !t.HasBase {
		return nil, false
	}
	for n, tag := range t.Tag {
		if tag == html.TagBase && t.Kind[n] == html.KindElement && t.Space[n] == html.SpaceHTML {
			if href, ok := p.Attr(html.Node(n), "href"); ok {
				return href, true
			}
		}
	}
	return nil, false
}

// Lang returns the language that the page declares, as written: the lang attribute of the
// html element, or else the content-language of a meta element. It is empty if there is
// none, and valid until the next Parse.
func (p *Page) Lang() []byte {
	if p.Tree.Len() == 0 {
		return nil
	}
	if root := p.Child(0, html.TagHtml); root != 0 {
		if v, ok := p.Attr(root, "lang"); ok && len(bytes.TrimSpace(v)) > 0 {
			return bytes.TrimSpace(v)
		}
	}
	return p.Meta("content-language")
}

// Meta returns the content of the first meta element whose name, property, http-equiv or
// itemprop equals key without regard to case. It is empty if there is none, and valid
// until the next Parse.
func (p *Page) Meta(key string) []byte {
	t := &p.Tree
	for n := p.Find(html.TagMeta, 0, html.Node(t.Len())); n != 0; n = p.Find(html.TagMeta, n+1, html.Node(t.Len())) {
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
