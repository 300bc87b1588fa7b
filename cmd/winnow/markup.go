package main

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/microcosm-cc/bluemonday"

	"github.com/winnow/winnow/algorithms/page"
)

// codeLanguage matches the class attribute that names the language of code.
var codeLanguage = regexp.MustCompile(`^language-[a-zA-Z0-9_+#.-]+$`)

// newPolicy returns the sanitiser's policy. It lets through the markup that is safe in
// texts by strangers, and the numbers and languages that package page writes.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("class").Matching(codeLanguage).OnElements("code", "pre")
	return p
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
