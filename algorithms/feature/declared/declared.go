// Package declared reads what a page says about itself in its markup, once for all facts
// that need it: meta elements, links with a relation, and JSON-LD.
package declared

import (
	"bytes"
	"encoding/json"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
)

// Bounds on what is kept of a page. The declarations of ordinary pages stay far below.
const (
	maxMetas   = 1000
	maxLinks   = 1000
	maxScripts = 64
	maxLD      = 512 << 10 // bytes of JSON-LD of a page that are read
)

// Markup is what the elements of a page declare. All texts are views that are valid
// until the next page.
type Markup struct {
	Metas []Meta
	Links []Link
	// Scripts are the JSON-LD scripts of the page; LD parses them.
	Scripts [][]byte
}

// Meta is a meta element: a key and its content, trimmed. An element with several keys
// (name and property) is a Meta for each of them.
type Meta struct{ Key, Content []byte }

// Link is a link or a element that has a relation and an address.
type Link struct {
	Rel, Href []byte
	Anchor    bool // an a element
}

// Has says whether one of the link's relations is rel, in lower case.
func (l *Link) Has(rel string) bool {
	for word := range bytes.FieldsSeq(l.Rel) {
		if equalFold(word, rel) {
			return true
		}
	}
	return false
}

// Is says whether the key of the meta element is key, which is in lower case.
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

func (m *Markup) fill(p *algorithms.Pass) {
	m.Metas, m.Links, m.Scripts = m.Metas[:0], m.Links[:0], m.Scripts[:0]
	t := &p.Page.Tree
	for i, tag := range t.Tag {
		switch tag {
		case html.TagMeta, html.TagLink, html.TagA, html.TagScript:
		default:
			continue
		}
		n := html.Node(i)
		if t.Kind[n] != html.KindElement || t.Space[n] != html.SpaceHTML {
			continue
		}
		switch tag {
		case html.TagMeta:
			m.meta(p, n)
		case html.TagScript:
			m.script(p, n)
		default:
			m.link(p, n, tag == html.TagA)
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

func (m *Markup) link(p *algorithms.Pass, n html.Node, anchor bool) {
	l := Link{Anchor: anchor}
	for _, a := range p.Page.Attrs(n) {
		switch { // names are not read: a page has thousands of attributes
		case a.Flags&html.AttrRel != 0:
			l.Rel = bytes.TrimSpace(p.Page.AttrValue(a))
		case a.Flags&html.AttrHref != 0:
			l.Href = p.Page.AttrValue(a)
		}
	}
	if len(l.Rel) == 0 && !(anchor && ofCreativeCommons(l.Href)) || len(m.Links) == maxLinks {
		return
	}
	if l.Href = bytes.TrimSpace(l.Href); len(l.Href) > 0 {
		m.Links = append(m.Links, l)
	}
}

// ofCreativeCommons says whether a link leads to a licence, with or without a relation.
func ofCreativeCommons(href []byte) bool {
	const host = "creativecommons.org"
	for len(href) > 0 && href[0] <= ' ' {
		href = href[1:]
	}
	if len(href) < len("//")+len(host) {
		return false
	}
	for _, prefix := range [...]string{"https://", "http://", "//"} {
		if len(href) > len(prefix) && string(href[:len(prefix)]) == prefix {
			return bytes.HasPrefix(bytes.TrimPrefix(href[len(prefix):], []byte("www.")), []byte(host))
		}
	}
	return false
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

// Objects are the JSON-LD objects of a page, each before those that it holds, in the
// order of the page. The values are those of encoding/json.
type Objects []map[string]any

// LD is the JSON-LD of a page. A script that is no JSON is left out.
var LD = algorithms.Feature[Objects]{
	Name: "json-ld",
	Doc:  "the JSON-LD objects of the page",
	Compute: func(o *Objects, p *algorithms.Pass) {
		*o = (*o)[:0]
		left := maxLD
		for _, script := range Of.Of(p).Scripts {
			if left -= len(script); left < 0 {
				return
			}
			var v any
			if json.Unmarshal(tidy(script), &v) == nil {
				o.add(v, 0)
			}
		}
	},
}

// tidy removes what some pages put around JSON in a script: comment marks of HTML and
// XML, and a semicolon.
func tidy(script []byte) []byte {
	s := bytes.TrimSpace(script)
	for _, mark := range []string{"<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["} {
		s = bytes.TrimSpace(bytes.TrimPrefix(s, []byte(mark)))
	}
	for _, mark := range []string{"-->", "//]]>", "/*]]>*/", "]]>", ";"} {
		s = bytes.TrimSpace(bytes.TrimSuffix(s, []byte(mark)))
	}
	return s
}

// maxDepth bounds the nesting of objects that are listed; encoding/json bounds what it
// reads by itself.
const maxDepth = 32

func (o *Objects) add(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			o.add(e, depth+1)
		}
	case map[string]any:
		*o = append(*o, v)
		for _, key := range held {
			if e, ok := v[key]; ok {
				o.add(e, depth+1)
			}
		}
	}
}

// held are the properties whose objects are listed too: a graph, and what a page is
// mainly about.
var held = [...]string{"@graph", "mainEntity", "mainEntityOfPage"}
