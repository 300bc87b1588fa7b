package links

import (
	"bytes"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/address"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

const (
	maxLinks  = 10_000
	maxBytes  = 4 << 20
	maxTarget = 8 << 10
	maxAnchor = 1 << 10
	maxRel    = 256
	// maxNodes bounds the search for an image in a link. Links may be nested, so a search
	// without a bound could visit a node once for each of them.
	maxNodes = 64
)

// Fact is the links of a page.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "links", Family: "links",
		Doc: "the links of the page: a table of their targets, anchor texts and relations, inside the main content or not",
		Cite: algorithms.Cite{Authors: "WHATWG", Title: "HTML Standard, 4.6 Links; URL Standard", Venue: "living standards", Year: 2024,
			URL: "https://html.spec.whatwg.org/multipage/links.html"},
		Fidelity: algorithms.Partial,
		Departures: []string{"Fragments are removed, and so is what the canonical form of addresses leaves out: user, password, default port.",
			"Links in the head, and elements that load something, are left out."},
		Cost: algorithms.Linear,
	},
	Page: &fact.Finder{Columns: columns, Find: find, Links: true},
}

// The columns, in order.
const (
	rows = iota
	other
	over
	cut
)

const failed = "the fact failed"

var columns = []fact.Column{
	rows:  {Name: "links", Kind: fact.KindInt, Unit: "count", Doc: "Rows that the page has in the table `links`.", Null: failed},
	other: {Name: "links_other", Kind: fact.KindInt, Unit: "count", Doc: "Links without a row because their address is none of the web (mailto, javascript, data), is not valid, is longer than 8,192 bytes, or is a place on the page itself.", Null: failed},
	over:  {Name: "links_over", Kind: fact.KindInt, Unit: "count", Doc: "Links without a row because the page has more than 10,000 of them, or more than 4 MiB of addresses and texts.", Null: failed},
	cut:   {Name: "links_cut", Kind: fact.KindBool, Doc: "Whether an anchor text (1,024 bytes) or the relations (256 bytes) of a link were cut.", Null: failed},
}

func find(s *fact.Subject) error {
	f := finder{Links: s.Links, p: s.Pass.Page, b: &s.Pass.Body.All, base: address.Of.Of(s.Pass)}
	f.Reset()
	inside := within{main: s.Main, b: f.b}
	var others, beyond int64
	for r, tag := range f.b.Tag {
		if tag != html.TagA && tag != html.TagArea || f.b.Flags[r]&page.HasHref == 0 {
			continue
		}
		if f.full = f.full || len(f.List) == maxLinks || len(f.Text) > maxBytes; f.full {
			beyond++
		} else if !f.add(page.Row(r), &inside) {
			others++
		}
	}
	s.Out[rows].SetInt(int64(len(f.List)))
	s.Out[other].SetInt(others)
	s.Out[over].SetInt(beyond)
	s.Out[cut].SetBool(f.cut)
	return nil
}

// finder collects the links of a page.
type finder struct {
	*fact.Links
	p    *page.Page
	b    *page.Table // with the links in noscript elements last
	base *address.Base
	full bool // further links have no row
	cut  bool // a string was cut
}

// add adds the link at row r. It reports whether the link has a target of the web.
func (f *finder) add(r page.Row, inside *within) bool {
	var href, rel []byte
	attrs := f.p.Attrs(f.b.Node[r])
	for i := range attrs {
		switch a := &attrs[i]; { // names are not read: a page has thousands of attributes
		case a.Flags&html.AttrHref != 0:
			href = f.p.AttrValue(*a)
		case a.Flags&html.AttrRel != 0:
			rel = f.p.AttrValue(*a)
		}
	}
	if len(href) > maxTarget || isPlace(href) {
		return false
	}
	start, ok := len(f.Text), false
	if f.Text, ok = f.base.AppendURL(f.Text, href); !ok || len(f.Text)-start > maxTarget {
		f.Text = f.Text[:start]
		return false
	}
	l := fact.Link{Target: f.since(start), InMain: inside.has(r)}
	start = len(f.Text)
	f.anchor(r)
	l.Anchor = f.since(start)
	start = len(f.Text)
	if len(rel) > 0 { // as few have
		f.line(rel, maxRel)
		lower(f.Text[start:])
	}
	l.Rel = f.since(start)
	f.List = append(f.List, l)
	return true
}

// isPlace reports whether an address is a place on the page itself.
func isPlace(href []byte) bool {
	if len(href) > 0 && href[0] > ' ' && href[0] < utf8.RuneSelf {
		return href[0] == '#'
	}
	return bytes.HasPrefix(bytes.TrimSpace(href), []byte("#"))
}

// since returns the range of what was appended to the text from start on.
func (f *finder) since(start int) page.Span {
	return page.Span{Start: int32(start), End: int32(len(f.Text))}
}

// anchor appends what a reader sees of the link at row r.
func (f *finder) anchor(r page.Row) {
	if text := f.b.Text[f.b.TextStart[r]:f.b.TextEnd[r]]; len(text) > 0 {
		f.line(text, maxAnchor)
		return
	}
	for k := r; k < min(f.b.End[r], r+maxNodes); k++ {
		if tag := f.b.Tag[k]; tag == html.TagArea || tag == html.TagImg {
			if alt, ok := f.p.Attr(f.b.Node[k], "alt"); ok {
				f.line(alt, maxAnchor)
				return
			}
		}
	}
}

// line appends s in one line, its white space folded to single blanks, and at most n
// bytes of it.
func (f *finder) line(s []byte, n int) {
	start := len(f.Text)
	if len(s) <= n && isFolded(s) { // as most texts are
		f.Text = append(f.Text, s...)
		return
	}
	for len(s) > 0 {
		if s[0] <= ' ' {
			s = s[1:]
			continue
		}
		end := visible(s[:min(len(s), n+1)])
		if len(f.Text) > start {
			f.Text = append(f.Text, ' ')
		}
		f.Text, s = append(f.Text, s[:end]...), s[end:]
		if len(f.Text)-start > n {
			f.cut = true
			break
		}
	}
	if len(f.Text)-start <= n {
		return
	}
	at := start + n
	for at > start && !utf8.RuneStart(f.Text[at]) {
		at--
	}
	for at > start && f.Text[at-1] == ' ' {
		at--
	}
	f.Text = f.Text[:at]
}

// isFolded reports whether s has no white space but single blanks between words.
func isFolded(s []byte) bool {
	last := byte(' ')
	for _, c := range s {
		if c < ' ' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return len(s) == 0 || last != ' '
}

// visible returns how many bytes s begins with that are above a blank.
func visible(s []byte) (n int) {
	for n < len(s) && s[n] > ' ' {
		n++
	}
	return n
}

// lower puts the letters of ASCII in s into lower case.
func lower(s []byte) {
	for i, c := range s {
		if 'A' <= c && c <= 'Z' {
			s[i] = c | 0x20
		}
	}
}

// within tells of rows, in ascending order, whether they are in the main content.
type within struct {
	main *page.Selection // nil if no extractor chose anything
	b    *page.Table
	at   int // index of the first range that may touch the next row
}

func (w *within) has(r page.Row) bool {
	if w.main == nil {
		return false
	}
	if rows := w.main.Rows; len(rows) > 0 {
		for w.at < len(rows) && rows[w.at].End <= r {
			w.at++
		}
		return w.at < len(rows) && rows[w.at].Start < w.b.End[r]
	}
	spans, start, end := w.main.Spans, w.b.TextStart[r], w.b.TextEnd[r]
	for w.at < len(spans) && spans[w.at].End <= start {
		w.at++
	}
	return w.at < len(spans) && spans[w.at].Start < end
}
