package main

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/microcosm-cc/bluemonday"

	"github.com/winnow/winnow/algorithms/page"
)

// codeLanguage is what names the language of code in a class attribute.
var codeLanguage = regexp.MustCompile(`^language-[a-zA-Z0-9_+#.-]+$`)

// newPolicy is what of a page's markup is let through: that of text by strangers,
// and the numbers and languages that package page writes.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("class").Matching(codeLanguage).OnElements("code", "pre")
	return p
}

// absolute returns what makes the addresses on a page absolute, nil if it is not
// known what they are relative to. An address that cannot be read stays as it is.
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
