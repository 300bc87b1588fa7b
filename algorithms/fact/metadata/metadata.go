package metadata

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/declared"
)

// Fact is the metadata of a page.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "metadata", Family: "metadata",
		Doc: "title, author, dates, name of the site, description and type, each with the source that it was found in",
		Cite: algorithms.Cite{Authors: "schema.org; Open Graph protocol; Dublin Core Metadata Initiative; WHATWG",
			Title: "Schema.org; The Open Graph protocol; DCMI Metadata Terms; HTML", Venue: "public specifications", Year: 2024, URL: "https://schema.org/Article"},
		Fidelity: algorithms.Partial, Cost: algorithms.Linear,
		Departures: []string{"The order in which sources are preferred is a choice of this package; its documentation states it."},
	},
	Default: true,
	Page:    &fact.Finder{Columns: columns(), Find: find},
}

// The values, in the order of their columns. Each is followed by its source.
const (
	title = iota
	author
	published
	modified
	siteName
	description
	kind
	values
)

func columns() []fact.Column {
	var list []fact.Column
	for _, c := range [values]struct{ name, doc string }{
		title:       {"title", "Title of the page."},
		author:      {"author", "Authors of the page, separated by semicolons."},
		published:   {"published", "Date on which the page was published: RFC 3339 with time and zone if the page states both, otherwise the day."},
		modified:    {"modified", "Date of the last change, in the form of `published`."},
		siteName:    {"site_name", "Name of the site."},
		description: {"description", "Description or teaser."},
		kind:        {"type", "Type of the page as it states it: `NewsArticle`, `article`, `product` ..."},
	} {
		list = append(list,
			fact.Column{Name: c.name, Kind: fact.KindText, Doc: c.doc, Null: "no source has it"},
			fact.Column{Name: c.name + "_source", Kind: fact.KindText, Null: "no source has it",
				Doc: "Source of `" + c.name + "`: json-ld, opengraph, dublincore, citation, meta, microdata, markup or url."})
	}
	return list
}

// finder fills the columns of a page.
type finder struct {
	*fact.Subject
	markup *declared.Markup
}

// set sets a value, unless a source before has it.
func (f *finder) set(value int, source, text string) {
	if f.Out[2*value].Known {
		return
	}
	switch value {
	case published, modified:
		text = day(text)
	default:
		text = fold(text)
	}
	if text != "" {
		f.Out[2*value].SetText(text)
		f.Out[2*value+1].SetText(source)
	}
}

func (f *finder) has(value int) bool { return f.Out[2*value].Known }

// fold joins runs of white space and removes it at both ends. Long texts are cut.
func fold(s string) string {
	if len(s) > maxText {
		n := maxText
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	if isFolded(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isFolded reports whether a text needs no folding, as most do not. It may say no of a text
// with characters that are not ASCII.
func isFolded(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == ' ' && last == ' ':
			return false
		case c >= utf8.RuneSelf && mayBeSpace(c, s[i+1:]):
			return false
		default:
			last = c
		}
	}
	return last != ' '
}

// mayBeSpace reports whether a character that begins with c may be white space for
// strings.Fields: U+0085, U+00A0, U+1680, U+2000 to U+205F or U+3000.
func mayBeSpace(c byte, rest string) bool {
	switch c {
	case 0xC2, 0xE1, 0xE3:
		return true
	case 0xE2: // quotes and dashes are not
		return len(rest) < 2 || rest[0] != 0x80 || rest[1] < 0x90 || rest[1] > 0xA7
	}
	return false
}

// maxText bounds the bytes of a value that are read.
const maxText = 4 << 10

func find(s *fact.Subject) error {
	f := &finder{s, declared.Of.Of(s.Pass)}
	f.jsonLD()
	f.metas()
	f.microdata()
	f.seen()
	if !f.has(published) {
		f.set(published, "url", dateOfURL(s.Pass.URL))
	}
	return nil
}

// sources are the keys of meta elements by source, in the order of trust, with the value
// that each states. Earlier keys of a source come first.
var sources = [...]struct {
	source string
	keys   map[string]key
}{
	{"opengraph", map[string]key{
		"og:title": {title, 0}, "article:author": {author, 0}, "og:article:author": {author, 1}, "article:published_time": {published, 0}, "og:published_time": {published, 1},
		"article:modified_time": {modified, 0}, "og:updated_time": {modified, 1}, "og:site_name": {siteName, 0}, "og:description": {description, 0}, "og:type": {kind, 0},
	}},
	{"dublincore", map[string]key{
		"dc.title": {title, 0}, "dcterms.title": {title, 1}, "dc.creator": {author, 0}, "dcterms.creator": {author, 1},
		"dcterms.issued": {published, 0}, "dc.date.issued": {published, 1}, "dc.date": {published, 2}, "dcterms.date": {published, 3}, "dcterms.created": {published, 4}, "dc.date.created": {published, 5},
		"dcterms.modified": {modified, 0}, "dc.date.modified": {modified, 1}, "dc.publisher": {siteName, 0}, "dcterms.publisher": {siteName, 1},
		"dc.description": {description, 0}, "dcterms.description": {description, 1}, "dc.type": {kind, 0}, "dcterms.type": {kind, 1},
	}},
	{"citation", map[string]key{
		"citation_title": {title, 0}, "citation_author": {author, 0}, "citation_publication_date": {published, 0}, "citation_date": {published, 1}, "citation_online_date": {published, 2},
		"citation_journal_title": {siteName, 0},
	}},
	{"meta", map[string]key{
		"twitter:title": {title, 0}, "author": {author, 0}, "byl": {author, 1}, "parsely-author": {author, 2}, "sailthru.author": {author, 3},
		"parsely-pub-date": {published, 0}, "sailthru.date": {published, 1}, "publishdate": {published, 2}, "publish-date": {published, 3}, "pubdate": {published, 4}, "date": {published, 5},
		"last-modified": {modified, 0}, "revised": {modified, 1}, "application-name": {siteName, 0}, "description": {description, 0}, "twitter:description": {description, 1},
	}},
}

// key is what a meta element states. Of several keys of a source for one value, the one
// of the lowest rank counts.
type key struct{ value, rank int }

// stated is a key with its source.
type stated struct {
	key
	source int // index into sources
}

// keys are those of all sources. None has two.
var keys = func() map[string]stated {
	all := map[string]stated{}
	for i, s := range sources {
		for name, k := range s.keys {
			all[name] = stated{k, i}
		}
	}
	return all
}()

// maxKey is more than the length of the longest of keys.
const maxKey = 40

// metas reads the meta elements.
func (f *finder) metas() {
	type choice struct{ number, rank int } // the number of the element, from 1 on
	var best [len(sources)][values]choice
	for i := range f.markup.Metas {
		m := &f.markup.Metas[i]
		if len(m.Key) > maxKey {
			continue
		}
		var lower [maxKey]byte
		k, known := keys[string(appendLower(lower[:0], m.Key))]
		if !known {
			continue
		}
		if b := &best[k.source][k.value]; (b.number == 0 || k.rank < b.rank) && f.fits(k.value, m.Content) {
			*b = choice{i + 1, k.rank}
		}
	}
	for i := range sources {
		for v, b := range best[i] {
			if b.number > 0 {
				f.set(v, sources[i].source, f.joined(v, b.number-1))
			}
		}
	}
}

// joined is the content of a meta element, and for authors of all elements of its key.
func (f *finder) joined(value, i int) string {
	m := &f.markup.Metas[i]
	if value != author {
		return string(m.Content)
	}
	var all []string
	for j := i; j < len(f.markup.Metas) && len(all) < maxAuthors; j++ {
		if o := &f.markup.Metas[j]; bytes.EqualFold(o.Key, m.Key) && f.fits(author, o.Content) {
			all = append(all, fold(string(o.Content)))
		}
	}
	return strings.Join(all, "; ")
}

// maxAuthors bounds the authors of a page that are kept.
const maxAuthors = 50

// fits reports whether a content can be the value. The author of Open Graph is often the
// address of a profile, which is not a name.
func (f *finder) fits(value int, content []byte) bool {
	return value != author || isName(string(content))
}

// isName reports whether a text can be the name of an author.
func isName(s string) bool {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "author", "the author", "admin", "administrator":
		return false
	}
	return s != "" && len(s) <= 300 && !strings.Contains(s, "://") && !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, "www.")
}

func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
