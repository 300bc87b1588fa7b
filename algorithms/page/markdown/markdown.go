package markdown

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow/winnow/algorithms/page"
)

// DefaultMaxBytes is the default of Options.MaxBytes.
const DefaultMaxBytes = 64 << 20

// Options of Append. The zero value is useful.
type Options struct {
	// Markup are the options of the HTML that becomes Markdown.
	Markup page.MarkupOptions
	// MaxBytes is where the output ends; default DefaultMaxBytes. It may be exceeded by
	// one paragraph or table cell.
	MaxBytes int
}

// Append appends the selection s of p to dst as Markdown. The text ends with a
// newline if it is not empty. whole is false if it was cut at opt.MaxBytes.
func Append(dst []byte, p *page.Page, s *page.Selection, opt Options) (text []byte, whole bool) {
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = DefaultMaxBytes
	}
	opt.Markup.Footnotes = true
	return convert(dst, p.AppendHTMLWith(nil, s, opt.Markup), opt.MaxBytes)
}

// Escape returns text, such as the id of a page, as Markdown that reads as this text on
// one line and never as anything else. It may be anywhere but at the start of a line.
func Escape(text string) string {
	return string(appendText(nil, bytes.Join(bytes.Fields([]byte(text)), []byte{' '}), true, false))
}

// convert appends markup, as package page writes it, as Markdown.
func convert(dst, markup []byte, most int) ([]byte, bool) {
	w := &writer{out: slices.Grow(dst, len(markup)), start: len(dst), grids: grids(markup), formulas: hasTeX(markup), notes: notes(markup)}
	z := html.NewTokenizer(bytes.NewReader(markup))
	for {
		switch z.Next() {
		case html.ErrorToken:
			w.end()
			return w.out, true
		case html.TextToken:
			w.text(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			w.open(tagOf(z), attributes(z))
		case html.EndTagToken:
			w.close(tagOf(z))
		}
		if len(w.out)-w.start > most {
			w.end()
			return w.out, false
		}
	}
}

// attrs are the attributes that Markdown has a form for.
type attrs struct {
	href, src, alt, class, start, value, colspan, rowspan, note string
}

// tagOf returns the name of the element of a tag, as package page writes it. The
// tokenizer's TagName would copy it.
func tagOf(z *html.Tokenizer) atom.Atom {
	name := bytes.TrimLeft(z.Raw(), "</")
	return atom.Lookup(name[:bytes.IndexAny(name, " />")])
}

func attributes(z *html.Tokenizer) (a attrs) {
	for more := true; more; {
		var name, value []byte
		name, value, more = z.TagAttr()
		var to *string
		switch string(name) {
		case "href":
			to = &a.href
		case "src":
			to = &a.src
		case "alt":
			to = &a.alt
		case "class":
			to = &a.class
		case "start":
			to = &a.start
		case "value":
			to = &a.value
		case "colspan":
			to = &a.colspan
		case "rowspan":
			to = &a.rowspan
		case "data-note":
			to = &a.note
		default:
			continue
		}
		*to = string(value)
	}
	return a
}

// isBlock reports whether an element begins and ends lines of its own.
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd,
		atom.Pre, atom.Blockquote, atom.Hr, atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th,
		atom.Article, atom.Section, atom.Main, atom.Header, atom.Footer, atom.Aside, atom.Nav, atom.Address, atom.Figure, atom.Figcaption,
		atom.Details, atom.Summary, atom.Hgroup, atom.Center, atom.Dir, atom.Menu, atom.Fieldset, atom.Legend, atom.Form, atom.Search:
		return true
	}
	return false
}
