package pages

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// Page is one HTML page with its names. It is valid until the function that
// received it returns.
type Page struct {
	*source.Page
	Package, ID string
	// ID is what the tables of a run call a page without gold, Other are what they
	// may call it where other files of the run have the same name.
	Other []string
}

// Named returns a page with its names.
func Named(p *source.Page) *Page {
	switch {
	case p.Gold != nil:
		return &Page{Page: p, Package: p.Gold.Package, ID: p.Gold.ID}
	case p.Whole:
		return &Page{Page: p, ID: p.File}
	}
	names, at := schemas.FileNames(p.File), fmt.Sprintf(":%d:%d", p.Location.Offset, p.Location.Ordinal)
	out := &Page{Page: p, Package: names[0], ID: names[0] + at}
	for _, longer := range names[1:] {
		out.Other = append(out.Other, longer+at)
	}
	return out
}

// CheckSingle checks the flags for pages that come without the headers of a server.
func CheckSingle(charset, address string, formats ...source.Format) error {
	if charset != "" {
		if _, err := htmlindex.Get(charset); err != nil {
			return service.Usagef("--charset %q: no encoding of the web has this name (such as utf-8, windows-1252, shift_jis)", charset)
		}
	}
	if address == "" {
		return nil
	}
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return service.Usagef("--url %q: want the full address of the page, such as https://example.org/news/", address)
	}
	if len(formats) != 1 || !formats[0].Alone() {
		return service.Usagef("--url is for a single HTML file: pages of packages and archives have their own")
	}
	return nil
}

// Each calls do for every page of an input. It calls refuse for every record that
// was meant to be a page, or the gold of a page, but is not one.
func Each(ctx context.Context, in *source.Inputs, name string, f source.Format, refuse func(where, why string), do func(*Page) error) error {
	for p, err := range in.Pages(ctx, name, f) {
		var lost *source.Failure
		switch {
		case errors.As(err, &lost):
			refuse(lost.Where, lost.Why())
			continue
		case err == nil:
			err = do(Named(p))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
