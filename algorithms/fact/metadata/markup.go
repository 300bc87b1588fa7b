package metadata

import (
	"bytes"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
)

// properties are those of microdata, with the value that each states.
var properties = map[string]int{
	"headline": title, "author": author, "creator": author, "datePublished": published, "dateCreated": published, "dateModified": modified, "description": description,
}

// microdata reads elements with itemprop. Of several elements with a property the first
// counts.
func (f *finder) microdata() {
	for _, it := range f.markup.Items {
		for word := range bytes.FieldsSeq(it.Props) {
			if v, known := properties[string(word)]; known && !f.has(v) {
				if s := f.property(it.Node); v != author || isName(s) {
					f.set(v, "microdata", s)
				}
			}
		}
	}
}

// property returns the value of an element with itemprop, as the HTML standard has it:
// an attribute of some elements, the text of others. Of an item it is the name.
func (f *finder) property(n html.Node) string {
	p := f.Pass.Page
	for _, name := range []string{"content", "datetime"} {
		if v, ok := p.Attr(n, name); ok {
			return string(v)
		}
	}
	if _, item := p.Attr(n, "itemscope"); item {
		t := &p.Tree
		for c := n + 1; c < t.End[n]; c++ {
			if prop, ok := p.Attr(c, "itemprop"); ok && string(prop) == "name" {
				return f.property(c)
			}
		}
	}
	return f.textOf(n)
}

// textOf returns the text of an element, bounded.
func (f *finder) textOf(n html.Node) string {
	t := &f.Pass.Page.Tree
	var b []byte
	for c := n + 1; c < t.End[n] && len(b) < maxText; c++ {
		switch {
		case t.Kind[c] == html.KindElement && (t.Tag[c] == html.TagScript || t.Tag[c] == html.TagStyle):
			c = t.End[c] - 1
		case t.Kind[c] == html.KindText:
			b = append(b, t.Text[t.Data[c].Start:t.Data[c].End]...)
		case t.Kind[c] == html.KindElement:
			b = append(b, ' ')
		}
	}
	return string(b)
}

// seen reads what readers see: the only heading of the first level, the title element,
// the author's link or a byline, and a date.
func (f *finder) seen() {
	p := f.Pass.Page
	if !f.has(title) {
		if len(f.markup.Headings) == 1 {
			f.set(title, markup, f.textOf(f.markup.Headings[0]))
		}
		f.set(title, markup, string(p.Title()))
	}
	for _, n := range f.markup.Authors {
		if !f.has(author) {
			f.byline(f.textOf(n))
		}
	}
	if !f.has(author) || !f.has(published) {
		f.byClass()
	}
	for _, n := range f.markup.Times {
		if at, ok := p.Attr(n, "datetime"); ok && !f.has(published) {
			f.set(published, markup, string(at))
		}
	}
}

// markup is the name of the source that readers see.
const markup = "markup"

// maxPlaces bounds the elements with a class of bylines that are looked at, and of dates.
const maxPlaces = 1000

// byClass reads the elements whose class is one of bylines or of dates.
func (f *finder) byClass() {
	p := f.Pass.Page
	t := &p.Tree
	hits := algorithms.Scratch[classHits](f.Pass).find(p)
	if len(hits) == 0 {
		return
	}
	first, last := hits[0], hits[len(hits)-1]
	authors, days := maxPlaces, maxPlaces // how many more of each may be examined
	for i, from := range t.AttrStart {
		to := t.AttrEnd[i]
		if from > last || to <= first {
			continue
		}
		at, _ := slices.BinarySearch(hits, from)
		for ; at < len(hits) && hits[at] < to; at++ {
			switch byline, date := classes(p.AttrValue(t.Attrs[hits[at]])); {
			case byline && authors > 0:
				if authors--; !f.has(author) {
					f.byline(f.textOf(html.Node(i)))
				}
			case byline:
			case date && days > 0:
				if days--; f.has(published) {
					break
				}
				if at, ok := p.Attr(html.Node(i), "datetime"); ok {
					f.set(published, markup, string(at))
				} else {
					f.set(published, markup, f.textOf(html.Node(i)))
				}
			default:
				continue
			}
			if f.has(author) && f.has(published) {
				return
			}
		}
	}
}

// byline sets the author from a text such as "By Ada Lovelace". Longer texts are more
// than a name.
func (f *finder) byline(s string) {
	s = fold(s)
	for _, by := range []string{"Written by ", "written by ", "Posted by ", "By ", "by ", "BY ", "Von ", "von ", "Par ", "par ", "Por ", "por "} {
		s = strings.TrimPrefix(s, by)
	}
	if len(s) <= 80 && isName(s) {
		f.set(author, markup, strings.Trim(s, " :,|·"))
	}
}
