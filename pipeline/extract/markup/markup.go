// Package markup writes the chosen part of a page with its structure, as HTML or as
// Markdown: headings, paragraphs, lists, tables, code, emphasis, links and images, and
// nothing that could run. Addresses are absolute if the page's own address is known.
//
// Packages page and page/markdown do the work, in time that is linear in the page. This
// package adds the addresses, and for HTML a widely tested sanitiser, because the output
// may be opened in a browser.
//
// This package is internal to Winnow and may change in any release.
package markup

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/microcosm-cc/bluemonday"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/page/markdown"
)

// codeLanguage matches the class attribute that names the language of code.
var codeLanguage = regexp.MustCompile(`^language-[a-zA-Z0-9_+#.-]+$`)

// mathClass matches the class attribute of a formula.
var mathClass = regexp.MustCompile(`^math (inline|display)$`)

// Writer writes selections as markup. Goroutines may share it.
type Writer struct{ policy *bluemonday.Policy }

// NewWriter returns a Writer. Its policy lets through the markup that is safe in texts by
// strangers, and the numbers and languages that package page writes.
func NewWriter() *Writer {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("class").Matching(codeLanguage).OnElements("code", "pre")
	p.AllowAttrs("class").Matching(mathClass).OnElements("span")
	return &Writer{p}
}

// HTML returns the selection s of a page as a fragment of HTML. address is that of the
// page, "" if it is not known.
//
// What hide finds in the text is replaced, whatever elements divide it, and so is what
// it finds in alternative texts and titles. An address in which it finds something
// is left out: the text of the link stays. Numbers in addresses that are not numbers of
// persons may be taken for some.
func (w *Writer) HTML(p *page.Page, s *page.Selection, address string, hide Masking) []byte {
	return w.policy.SanitizeBytes(p.AppendHTMLWith(nil, s, hide.options(p, s, address)))
}

// Markdown is HTML as Markdown. whole is false if it was cut at markdown.DefaultMaxBytes.
func (w *Writer) Markdown(p *page.Page, s *page.Selection, address string, hide Masking) (text []byte, whole bool) {
	return markdown.Append(nil, p, s, markdown.Options{Markup: hide.options(p, s, address)})
}

// absolute returns a function that makes the addresses on a page absolute. It returns
// nil if the address of the page is not known. The function does not change an address
// that cannot be parsed.
func absolute(pg *page.Page, address string) func([]byte) []byte {
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	if href, ok := pg.BaseHref(); ok {
		if u, err := base.Parse(string(bytes.TrimSpace(href))); err == nil {
			base = u
		}
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil
	}
	return func(address []byte) []byte {
		u, err := base.Parse(string(bytes.TrimSpace(address)))
		if err != nil {
			return address
		}
		return []byte(u.String())
	}
}
