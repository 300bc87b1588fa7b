package canon

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/html"
)

// Labels are what nodes are compared by under one policy: one entry a node of
// the page's Tree. They are empty if the page is too large.
type Labels struct {
	Label []uint64 // hash of the node's label
	Sub   []uint64 // hash of its subtree's labels

	bytes  []byte // scratch: a label
	attrs  []html.Attr
	base   *address.Base
	tokens [][]byte
	masked []byte
}

// The label policies.
var (
	Tags = algorithms.Feature[Labels]{
		Name: "canonical-tags", Doc: "nodes by name",
		Compute: func(l *Labels, p *algorithms.Pass) { l.fill(p, nil) },
	}
	IDC = algorithms.Feature[Labels]{
		Name: "canonical-idc", Doc: "nodes by name, id and classes; texts by what they say",
		Compute: func(l *Labels, p *algorithms.Pass) { l.fill(p, (*Labels).idc) },
	}
	Full = algorithms.Feature[Labels]{
		Name: "canonical-full", Doc: "nodes by name and attributes; texts by what they say",
		Compute: func(l *Labels, p *algorithms.Pass) { l.fill(p, (*Labels).full) },
	}
	// Looks leaves Sub empty.
	Looks = algorithms.Feature[Labels]{
		Name: "canonical-looks", Doc: "nodes by name, classes and attributes that say how they look; all texts alike",
		Compute: func(l *Labels, p *algorithms.Pass) { l.looks(p) },
	}
)

// fill labels the nodes. attributes appends what a policy adds to a name; nil stands
// for the policy that reads names alone.
func (l *Labels) fill(p *algorithms.Pass, attributes func(l *Labels, p *algorithms.Pass, t *Tree, n Node)) {
	l.Label, l.Sub = l.Label[:0], l.Sub[:0]
	t, err := Of(p)
	if err != nil {
		return
	}
	l.base = address.Of.Of(p)
	leaf := 0
	for n := range t.Len() {
		text := t.Tag[n] == html.TagText
		switch {
		case attributes == nil:
			l.Label = append(l.Label, t.TagHash[n])
		case text:
			l.bytes = append(append(l.bytes[:0], "#text\x00"...), t.Text(leaf)...)
			l.Label = append(l.Label, xxhash.Sum64(l.bytes))
		default:
			l.Label = append(l.Label, l.element(p, t, Node(n), attributes))
		}
		if leaf < len(t.Leaves) && t.Leaves[leaf].Node == Node(n) {
			leaf++
		}
	}
	l.subtrees(t)
}

// looks labels the nodes by how they look to a reader.
func (l *Labels) looks(p *algorithms.Pass) {
	l.Label, l.Sub = l.Label[:0], l.Sub[:0]
	t, err := Of(p)
	if err != nil {
		return
	}
	for n, tag := range t.Tag {
		if tag == html.TagText {
			l.Label = append(l.Label, t.TagHash[n])
		} else {
			l.Label = append(l.Label, l.element(p, t, Node(n), (*Labels).presentation))
		}
	}
}

// presentation appends the classes and the attributes that HTML had for presentation
// before there were style sheets.
func (l *Labels) presentation(p *algorithms.Pass, t *Tree, n Node) {
	var class []byte
	l.attrs = l.attrs[:0]
	for _, a := range p.Page.Attrs(p.Body.Node[t.Row[n]]) {
		switch string(p.Page.AttrName(a)) {
		case "class":
			class = p.Page.AttrValue(a)
		case "align", "valign", "bgcolor", "color", "face", "size", "width", "height", "border", "cellpadding", "cellspacing":
			l.attrs = append(l.attrs, a)
		}
	}
	for _, token := range l.classes(class) {
		l.bytes = append(append(l.bytes, "\x00."...), token...)
	}
	slices.SortFunc(l.attrs, func(a, b html.Attr) int {
		return bytes.Compare(p.Page.AttrName(a), p.Page.AttrName(b))
	})
	for _, a := range l.attrs {
		l.bytes = append(append(append(append(l.bytes, 0), p.Page.AttrName(a)...), '='), p.Page.AttrValue(a)...)
	}
}

// element returns the label of an element. For one without relevant attributes it is
// the hash of its name.
func (l *Labels) element(p *algorithms.Pass, t *Tree, n Node, attributes func(l *Labels, p *algorithms.Pass, t *Tree, n Node)) uint64 {
	l.bytes = l.bytes[:0]
	if len(p.Page.Attrs(p.Body.Node[t.Row[n]])) > 0 {
		attributes(l, p, t, n)
	}
	if len(l.bytes) == 0 {
		return t.TagHash[n]
	}
	return Join(t.TagHash[n], xxhash.Sum64(l.bytes))
}

// idc appends id, classes and, of media leaves, src.
func (l *Labels) idc(p *algorithms.Pass, t *Tree, n Node) {
	var id, class, src []byte
	for _, a := range p.Page.Attrs(p.Body.Node[t.Row[n]]) {
		switch string(p.Page.AttrName(a)) {
		case "id":
			id = p.Page.AttrValue(a)
		case "class":
			class = p.Page.AttrValue(a)
		case "src":
			src = p.Page.AttrValue(a)
		}
	}
	if len(id) > 0 {
		l.bytes = appendMasked(append(l.bytes, "\x00#"...), id)
	}
	for _, token := range l.classes(class) {
		l.bytes = append(append(l.bytes, "\x00."...), token...)
	}
	if IsMedia(t.Tag[n]) && len(src) > 0 {
		l.bytes, _ = l.base.Append(append(l.bytes, "\x00@"...), src)
	}
}

// classes are the distinct tokens of a class attribute, masked and sorted.
func (l *Labels) classes(class []byte) [][]byte {
	l.masked, l.tokens = appendMasked(l.masked[:0], class), l.tokens[:0]
	rest := l.masked
	for len(rest) > 0 {
		end := bytes.IndexAny(rest, " \t\n\f\r")
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			l.tokens = append(l.tokens, rest[:end])
		}
		rest = rest[min(end+1, len(rest)):]
	}
	slices.SortFunc(l.tokens, bytes.Compare)
	l.tokens = slices.CompactFunc(l.tokens, bytes.Equal)
	return l.tokens
}

// Names returns the id of an element and its classes, in order, as hashes of what IDC
// sees of them. It is for extractors that compare how many of them are equal. An
// element without an id has 0. The classes are appended to dst.
func (l *Labels) Names(p *algorithms.Pass, t *Tree, n Node, dst []uint64) (id uint64, classes []uint64) {
	var class []byte
	for _, a := range p.Page.Attrs(p.Body.Node[t.Row[n]]) {
		switch string(p.Page.AttrName(a)) {
		case "id":
			if value := p.Page.AttrValue(a); len(value) > 0 {
				l.bytes = appendMasked(l.bytes[:0], value)
				id = xxhash.Sum64(l.bytes)
			}
		case "class":
			class = p.Page.AttrValue(a)
		}
	}
	for _, token := range l.classes(class) {
		dst = append(dst, xxhash.Sum64(token))
	}
	return id, dst
}

// full appends all attributes, sorted by name, that do not differ by accident.
func (l *Labels) full(p *algorithms.Pass, t *Tree, n Node) {
	pg := p.Page
	l.attrs = l.attrs[:0]
	for _, a := range pg.Attrs(p.Body.Node[t.Row[n]]) {
		name := pg.AttrName(a)
		if accidental(name) {
			continue
		}
		l.attrs = append(l.attrs, a)
		// Elements have few attributes, so insertion sort is enough.
		for j := len(l.attrs) - 1; j > 0 && bytes.Compare(name, pg.AttrName(l.attrs[j-1])) < 0; j-- {
			l.attrs[j], l.attrs[j-1] = l.attrs[j-1], l.attrs[j]
		}
	}
	for _, a := range l.attrs {
		name, value := pg.AttrName(a), pg.AttrValue(a)
		l.bytes = append(append(append(l.bytes, 0), name...), '=')
		switch string(name) {
		case "id", "class":
			l.bytes = appendMasked(l.bytes, value)
		case "href", "src":
			l.bytes, _ = l.base.Append(l.bytes, value)
		default:
			l.bytes = append(l.bytes, value...)
		}
	}
}

// accidental reports whether an attribute may differ between two copies of the same
// element.
func accidental(name []byte) bool {
	return len(name) > 2 && name[0] == 'o' && name[1] == 'n' ||
		bytes.HasPrefix(name, dataPrefix) || string(name) == "nonce" || string(name) == "integrity"
}

var dataPrefix = []byte("data-")

// appendMasked appends s with each run of three or more digits as one 0.
func appendMasked(dst, s []byte) []byte {
	from := 0 // what is not appended yet
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		j := i + 1
		for j < len(s) && isDigit(s[j]) {
			j++
		}
		if j-i >= 3 {
			dst = append(append(dst, s[from:i]...), '0')
			from = j
		}
		i = j
	}
	return append(dst, s[from:]...)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// subtrees hashes the subtrees, from the last node to the first: children
// before their parents.
func (l *Labels) subtrees(t *Tree) {
	l.Sub = slices.Grow(l.Sub, t.Len())[:t.Len()]
	for n := t.Len() - 1; n >= 0; n-- {
		l.bytes = binary.LittleEndian.AppendUint64(l.bytes[:0], l.Label[n])
		for c := Node(n) + 1; c < t.End[n]; c = t.End[c] {
			l.bytes = binary.LittleEndian.AppendUint64(l.bytes, l.Sub[c])
		}
		l.Sub[n] = xxhash.Sum64(l.bytes)
	}
}
