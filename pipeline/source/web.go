package source

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"mime"
	"net/url"

	"github.com/winnow/winnow/pipeline/blob"
)

// webPage is the format of a single page on a web server. A URL that leads to an archive
// is recognised by its name, or else by the bytes that the server sends.
type webPage struct{}

func (webPage) Name() string { return "web page" }
func (webPage) Alone() bool  { return true }

// isWebPage reports whether a URL may lead to a page.
func isWebPage(name string) bool {
	u, err := url.Parse(name)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || blob.IsList(u.Path) || isExtracted(u.Path) {
		return false
	}
	f := formatByName(u.Path)
	return f == nil || f == htmlPage{}
}

func (webPage) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	got, err := blob.Fetch(ctx, name, in.Fetch)
	if err != nil {
		return broken(err)
	}
	public := blob.PublicURL(name)
	format, err := formatByBytes(bytes.NewReader(got.Body))
	switch {
	case err != nil:
		return broken(fmt.Errorf("%s: %w", public, err))
	case format != htmlPage{}:
		return in.archives(ctx, name)
	case got.Cut:
		return broken(fmt.Errorf("%s: the page has more than %d bytes (--max-page)", public, len(got.Body)))
	}
	charset, address := in.Charset, in.URL
	if _, parameters, err := mime.ParseMediaType(got.ContentType); err == nil && charset == "" {
		charset = parameters["charset"]
	}
	if err := in.text(got.Body, charset != ""); err != nil {
		return broken(fmt.Errorf("%s: %w", public, err))
	}
	if address == "" {
		address = got.URL
	}
	return Pages(ctx, public, NewHTML(public, got.Body, address, charset))
}
