// Package declared reads what a page says about itself in its markup, in one walk over the
// page for all facts that need it: meta elements, links with a relation, JSON-LD, and the
// elements that may hold metadata.
//
// This package is internal to Winnow and may change in any release.
package declared

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
)

// Bounds on what is kept for a page. The declarations of ordinary pages stay far below.
const (
	maxMetas   = 1000
	maxLinks   = 1000
	maxScripts = 64
	maxPlaces  = 1000      // headings, and so on, of each kind
	maxLD      = 512 << 10 // bytes of JSON-LD of a page that are read
)

// Markup is what the elements of a page declare. All texts are views that are valid
// until the next page.
type Markup struct {
	Metas []Meta
	Links []Link
	// Scripts are the JSON-LD scripts of the page; LD reads them.
	Scripts [][]byte

	Headings []html.Node // headings of the first level
	Times    []html.Node // time elements
	Authors  []html.Node // a elements with the relation author
	Items    []Item      // elements with itemprop
}

// Item is an element of microdata.
type Item struct {
	Node  html.Node
	Props []byte // the names of its properties, separated by white space
}

// Meta is a meta element: a key and its content, trimmed. An element with several keys
// (name and property) is a Meta for each of them.
type Meta struct{ Key, Content []byte }

// Link is a link or a element that has a relation and an address.
type Link struct {
	Rel, Href []byte
	Anchor    bool // an a element
}

// Has reports whether one of the link's relations is rel, in lower case.
func (l *Link) Has(rel string) bool { return hasWord(l.Rel, rel) }

// hasWord reports whether one of the words of list is word, in lower case.
func hasWord(list []byte, word string) bool {
	if len(list) <= len(word) { // as most relations are
		return equalFold(list, word)
	}
	if !isASCII(list) { // the white space of Unicode separates words, too
		return slices.ContainsFunc(bytes.Fields(list), func(w []byte) bool { return equalFold(w, word) })
	}
	for at := 0; at < len(list); at++ {
		from := at
		for at < len(list) && !asciiSpace[list[at]] {
			at++
		}
		if at-from == len(word) && equalFold(list[from:at], word) {
			return true
		}
	}
	return false
}

var asciiSpace = [256]bool{'\t': true, '\n': true, '\v': true, '\f': true, '\r': true, ' ': true}

func isASCII(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Is reports whether the key of the meta element is key, which is in lower case.
func (m *Meta) Is(key string) bool { return equalFold(m.Key, key) }

// equalFold compares b with a text in lower case, without regard to the case of ASCII.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// Of is the Markup of a page.
var Of = algorithms.Feature[Markup]{
	Name:    "declared",
	Doc:     "what the page declares about itself: meta elements, links with a relation, JSON-LD",
	Compute: func(m *Markup, p *algorithms.Pass) { m.fill(p) },
}

// watched are the elements that fill looks at.
var watched = func() (is [html.TagOther]bool) {
	for _, tag := range []html.Tag{html.TagMeta, html.TagLink, html.TagA, html.TagScript, html.TagH1, html.TagTime} {
		is[tag] = true
	}
	return is
}()

func (m *Markup) fill(p *algorithms.Pass) {
	*m = Markup{m.Metas[:0], m.Links[:0], m.Scripts[:0], m.Headings[:0], m.Times[:0], m.Authors[:0], m.Items[:0]}
	t := &p.Page.Tree
	for i, tag := range t.Tag {
		if tag >= html.TagOther || !watched[tag] {
			continue
		}
		n := html.Node(i)
		own := t.Kind[n] == html.KindElement && t.Space[n] == html.SpaceHTML
		switch {
		case tag == html.TagH1:
			note(&m.Headings, n)
		case tag == html.TagTime:
			note(&m.Times, n)
		case tag == html.TagA || own && tag == html.TagLink:
			m.link(p, n, tag == html.TagA, own)
		case own && tag == html.TagMeta:
			m.meta(p, n)
		case own && tag == html.TagScript:
			m.script(p, n)
		}
	}
	m.items(p)
}

// note adds n to a list, unless it is long.
func note(list *[]html.Node, n html.Node) {
	if len(*list) < maxPlaces {
		*list = append(*list, n)
	}
}

// items finds the elements of microdata. Most pages have none, and no attribute that says so.
func (m *Markup) items(p *algorithms.Pass) {
	t := &p.Page.Tree
	if t.AttrNames&html.AttrItemprop == 0 {
		return
	}
	for i, from := range t.AttrStart {
		for k := from; k < t.AttrEnd[i]; k++ {
			if a := &t.Attrs[k]; a.Flags&html.AttrItemprop != 0 && len(m.Items) < maxPlaces {
				m.Items = append(m.Items, Item{html.Node(i), p.Page.AttrValue(*a)})
			}
		}
	}
}

func (m *Markup) meta(p *algorithms.Pass, n html.Node) {
	from := len(m.Metas)
	var content []byte
	for _, a := range p.Page.Attrs(n) {
		switch string(p.Page.AttrName(a)) {
		case "name", "property", "http-equiv", "itemprop":
			if key := bytes.TrimSpace(p.Page.AttrValue(a)); len(key) > 0 && len(m.Metas) < maxMetas {
				m.Metas = append(m.Metas, Meta{Key: key})
			}
		case "content":
			content = bytes.TrimSpace(p.Page.AttrValue(a))
		}
	}
	if len(content) == 0 {
		m.Metas = m.Metas[:from]
	}
	for i := from; i < len(m.Metas); i++ {
		m.Metas[i].Content = content
	}
}

// link reads an a or link element. Only one of HTML itself is kept as a Link.
func (m *Markup) link(p *algorithms.Pass, n html.Node, anchor, own bool) {
	l := Link{Anchor: anchor}
	attrs := p.Page.Attrs(n)
	for i := range attrs {
		switch a := &attrs[i]; { // names are not read: a page has thousands of attributes
		case a.Flags&html.AttrRel != 0:
			l.Rel = bytes.TrimSpace(p.Page.AttrValue(*a))
		case a.Flags&html.AttrHref != 0:
			l.Href = p.Page.AttrValue(*a)
		}
	}
	if anchor && len(l.Rel) > 0 && hasWord(l.Rel, "author") {
		note(&m.Authors, n)
	}
	if !own || len(l.Rel) == 0 && !(anchor && ofCreativeCommons(l.Href)) || len(m.Links) == maxLinks {
		return
	}
	if l.Href = bytes.TrimSpace(l.Href); len(l.Href) > 0 {
		m.Links = append(m.Links, l)
	}
}

// ofCreativeCommons reports whether a link may lead to a licence, with or without a relation.
func ofCreativeCommons(href []byte) bool {
	const host, path = "creativecommons.org", "/licenses/" // the other path is longer
	if len(href) < len("//")+len(host)+len(path) {
		return false // without a look at it: memory is slow, and a page has hundreds of links
	}
	for len(href) > 0 && href[0] <= ' ' {
		href = href[1:]
	}
	if len(href) > 0 && href[0] == 'h' {
		if rest, ok := bytes.CutPrefix(href, []byte("https:")); ok {
			href = rest
		} else {
			href = bytes.TrimPrefix(href, []byte("http:"))
		}
	}
	rest, ok := bytes.CutPrefix(href, []byte("//"))
	return ok && bytes.HasPrefix(bytes.TrimPrefix(rest, []byte("www.")), []byte(host))
}

func (m *Markup) script(p *algorithms.Pass, n html.Node) {
	kind, ok := p.Page.Attr(n, "type")
	if !ok || len(m.Scripts) == maxScripts || !equalFold(bytes.TrimSpace(kind), "application/ld+json") {
		return
	}
	t := &p.Page.Tree
	for c := n + 1; c < t.End[n]; c++ {
		if t.Kind[c] == html.KindText {
			m.Scripts = append(m.Scripts, t.Text[t.Data[c].Start:t.Data[c].End])
		}
	}
}

// Meta returns the content of the first meta element with that key, nil if there is none.
func (m *Markup) Meta(key string) []byte {
	for i := range m.Metas {
		if m.Metas[i].Is(key) {
			return m.Metas[i].Content
		}
	}
	return nil
}
