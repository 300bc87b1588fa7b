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

// places are the elements of a page that may hold a value, found in one walk.
type places struct {
	items    []item      // with itemprop
	bylines  []html.Node // with a class of bylines
	dates    []html.Node // with a class of dates
	authors  []html.Node // links with the relation author
	times    []html.Node
	headings []html.Node
}

// item is an element with itemprop.
type item struct {
	node  html.Node
	props []byte
}

// maxPlaces bounds the elements of each kind that are looked at.
const maxPlaces = 1000

// walk finds the places of the page. Classes, of which pages have thousands, are read
// only if they can still say something.
func (s *places) walk(p *algorithms.Pass, byClass bool) {
	*s = places{s.items[:0], s.bylines[:0], s.dates[:0], s.authors[:0], s.times[:0], s.headings[:0]}
	note := func(list *[]html.Node, n html.Node) {
		if len(*list) < maxPlaces {
			*list = append(*list, n)
		}
	}
	t := &p.Page.Tree
	for i, tag := range t.Tag {
		n := html.Node(i)
		switch tag {
		case html.TagH1:
			note(&s.headings, n)
		case html.TagTime:
			note(&s.times, n)
		}
		for _, a := range t.Attrs[t.AttrStart[n]:t.AttrEnd[n]] {
			switch {
			case a.Flags&html.AttrItemprop != 0:
				if len(s.items) < maxPlaces {
					s.items = append(s.items, item{n, p.Page.AttrValue(a)})
				}
			case a.Flags&html.AttrRel != 0:
				if tag == html.TagA && hasWord(p.Page.AttrValue(a), "author") {
					note(&s.authors, n)
				}
			case byClass && a.Name.Len() == len("class") && a.Value.Len() >= shortestClass && string(p.Page.AttrName(a)) == "class":
				switch byline, date := classes(p.Page.AttrValue(a)); {
				case byline:
					note(&s.bylines, n)
				case date:
					note(&s.dates, n)
				}
			}
		}
	}
}

// microdata reads elements with itemprop. Of several elements with a property the first
// counts.
func (f *finder) microdata(items []item) {
	for _, it := range items {
		for word := range bytes.FieldsSeq(it.props) {
			if v, known := properties[string(word)]; known && !f.has(v) {
				if s := f.property(it.node); v != author || isName(s) {
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

// bylines are classes of elements that name the author.
var bylines = []string{"author", "author-name", "byline", "byline-name", "post-author", "entry-author", "article-author", "author_name", "p-author"}

// dates are classes of elements that hold the date on which the page was published.
var dates = []string{"published", "entry-date", "post-date", "dt-published", "article-date", "publish-date", "date-published", "posted-on"}

// seen reads what readers see: the only heading of the first level, the title element,
// the author's link or a byline, and a date.
func (f *finder) seen(s *places) {
	const source = "markup"
	p := f.Pass.Page
	if !f.has(title) {
		if len(s.headings) == 1 {
			f.set(title, source, f.textOf(s.headings[0]))
		}
		f.set(title, source, string(p.Title()))
	}
	for _, list := range [][]html.Node{s.authors, s.bylines} {
		for _, n := range list {
			if !f.has(author) {
				f.byline(source, f.textOf(n))
			}
		}
	}
	for _, n := range s.dates {
		if f.has(published) {
			return
		}
		if at, ok := p.Attr(n, "datetime"); ok {
			f.set(published, source, string(at))
		} else {
			f.set(published, source, f.textOf(n))
		}
	}
	for _, n := range s.times {
		if at, ok := p.Attr(n, "datetime"); ok && !f.has(published) {
			f.set(published, source, string(at))
		}
	}
}

// byline sets the author from a text such as "By Ada Lovelace". Longer texts are more
// than a name.
func (f *finder) byline(source, s string) {
	s = fold(s)
	for _, by := range []string{"Written by ", "written by ", "Posted by ", "By ", "by ", "BY ", "Von ", "von ", "Par ", "par ", "Por ", "por "} {
		s = strings.TrimPrefix(s, by)
	}
	if len(s) <= 80 && isName(s) {
		f.set(author, source, strings.Trim(s, " :,|·"))
	}
}

// The shortest and the longest of bylines and dates.
const (
	shortestClass = len("author")
	longestClass  = len("article-author")
)

// classes says whether one of the words of a class is that of a byline or a date.
func classes(class []byte) (byline, date bool) {
	for i := 0; i < len(class); i++ {
		from := i
		for i < len(class) && class[i] > ' ' {
			i++
		}
		if i-from < shortestClass || i-from > longestClass {
			continue
		}
		switch word := class[from:i]; word[0] {
		case 'a', 'b', 'd', 'e', 'p':
			byline = byline || slices.Contains(bylines, string(word))
			date = date || slices.Contains(dates, string(word))
		}
	}
	return byline, date
}

func hasWord(list []byte, word string) bool {
	for w := range bytes.FieldsSeq(list) {
		if strings.EqualFold(string(w), word) {
			return true
		}
	}
	return false
}
