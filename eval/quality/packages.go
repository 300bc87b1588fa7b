package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/payload"
)

// Page has what figures need to know of a page.
type Page struct {
	ID        string `json:"id"`
	Domain    string `json:"domain"`         // registered domain, or a unique name
	Type      string `json:"type,omitempty"` // if the package has it
	Bytes     int    `json:"bytes"`          // of HTML, in UTF-8
	HasText   bool   `json:"text,omitempty"` // whether the gold has a text
	GoldEmpty bool   `json:"empty,omitempty"`
	With      int    `json:"with,omitempty"` // number of segments that the answer must contain
}

// packagesOf returns the names of the packages in the folder dir: all of them, or only
// those in only.
func packagesOf(dir string, only []string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name, archive := strings.CutSuffix(e.Name(), ".tar.xz")
		if !archive && !e.IsDir() || len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		names = append(names, name)
	}
	if len(names) == 0 || len(only) > len(names) {
		return nil, fmt.Errorf("find packages %v in %s: there is %v", only, dir, names)
	}
	return names, nil
}

// pathOf returns the folder or archive of a package.
func pathOf(dir, name string) string {
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return path + ".tar.xz"
}

// digestOf returns a hash of the content of a package.
func digestOf(path string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(path, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(sum, f)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil)[:16]), err
}

// document is a page as extractors read it.
type document struct {
	Page
	html []byte // UTF-8
	url  string
	gold driver.Gold
}

// documents yields the pages of a package that have gold. The caller may keep them. The
// element that CleanEval put around pages is removed.
func documents(ctx context.Context, path string) iter.Seq2[*document, error] {
	return func(yield func(*document, error) bool) {
		p, err := gold.Open(path, gold.Limits{})
		if err != nil {
			yield(nil, err)
			return
		}
		defer p.Close()
		var decoder payload.Decoder
		var parsed page.Page
		for d, err := range p.Documents(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !d.Gold.Known() {
				continue
			}
			read := decoder.Decode(payload.Message{Kind: payload.Resource, ContentType: p.ContentType(d), Block: gold.Unwrap(d.HTML)})
			if read.Outcome != payload.Page {
				continue
			}
			g := driver.Gold{Text: d.Gold.Content(), SnippetsOnly: d.Gold.SnippetsOnly(), Language: d.Gold.Language,
				With: slices.Clone(d.Gold.With), Without: slices.Clone(d.Gold.Without)}
			x := &document{html: bytes.Clone(read.HTML), url: d.Gold.URL, gold: g}
			parsed.Parse(x.html, page.Options{})
			x.Page = Page{ID: d.ID, Type: d.Gold.PageType, Bytes: len(x.html), HasText: !g.SnippetsOnly,
				GoldEmpty: strings.TrimSpace(g.Text) == "", With: len(g.With), Domain: domainOf(&parsed, x.url, p.Info.Name+"/"+d.ID)}
			if !yield(x, nil) {
				return
			}
		}
	}
}

// domainOf returns the registered domain of a page from its address, or from the
// address that the page states. A page without any address gets own.
func domainOf(p *page.Page, url, own string) string {
	addresses := []string{url}
	for n, tag := range p.Tree.Tag {
		if tag != html.TagLink {
			continue
		}
		if rel, _ := p.Attr(html.Node(n), "rel"); strings.EqualFold(string(rel), "canonical") {
			href, _ := p.Attr(html.Node(n), "href")
			addresses = append(addresses, string(href))
		}
	}
	for _, a := range append(addresses, string(p.Meta("og:url"))) {
		if s := website.Domain(a); s != "" && s != website.None {
			return s
		}
	}
	return own
}
