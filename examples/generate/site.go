package main

import (
	"embed"
	"fmt"
	"html"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

//go:embed sites
var files embed.FS

// site is one of the sites of the crawl.
type site struct {
	pkg      string // name of its gold package, and its folder
	host     string
	pageType string
	docs     []*doc
	layouts  *template.Template
	markup   map[string]*markup       // by layout
	url      func(d *doc) string      // path of a page
	http     func(d *doc) transported // how the server sends it
}

// transported holds the HTTP headers that a server sends with a page, and what it does
// to the body.
type transported struct {
	contentType string
	coding      string // Content-Encoding
	chunked     bool
}

// loadSites returns the sites in the order of the crawl.
func loadSites() ([]*site, error) {
	utf8 := func(*doc) transported { return transported{contentType: "text/html; charset=utf-8"} }
	sites := []*site{
		{
			pkg: "news", host: "http://wexmouth-ledger.example", pageType: "article",
			markup: map[string]*markup{"article": &semantic, "brs": &brs, "table": &fonts},
			url: func(d *doc) string {
				if d.meta["layout"] == "table" {
					return "/" + d.meta["date"][:4] + "/" + d.name + ".htm"
				}
				return "/" + strings.ReplaceAll(d.meta["date"], "-", "/") + "/" + d.name
			},
			http: func(d *doc) transported {
				if d.meta["layout"] == "table" { // the page declares its own charset
					return transported{contentType: "text/html"}
				}
				return transported{contentType: "text/html; charset=utf-8", chunked: d.meta["layout"] == "brs"}
			},
		},
		{
			pkg: "forum", host: "http://forum.kiln-talk.example", pageType: "forum",
			markup: map[string]*markup{"phpbb": &brs, "modern": &semantic},
			url:    func(d *doc) string { return "/t/" + d.name },
			http: func(d *doc) transported {
				if d.meta["layout"] == "phpbb" { // only the server declares the charset
					return transported{contentType: "text/html; charset=ISO-8859-1"}
				}
				return utf8(d)
			},
		},
		{
			pkg: "wiki", host: "https://fenwiki.example", pageType: "documentation",
			markup: map[string]*markup{"sections": &encyclopedia},
			url:    func(d *doc) string { return "/wiki/" + d.name },
			http:   utf8,
		},
		{
			pkg: "shop", host: "https://www.brass-and-bristle.example", pageType: "product",
			markup: map[string]*markup{"grid": &divs, "table": &semantic},
			url:    func(d *doc) string { return "/p/" + strings.ToLower(d.meta["sku"]) + "/" + d.name },
			http: func(d *doc) transported {
				t := utf8(d)
				if d.meta["layout"] == "grid" {
					t.coding = "gzip"
				}
				return t
			},
		},
		{
			pkg: "lights", host: "http://small-lights.example", pageType: "article",
			markup: map[string]*markup{"plain": &semantic},
			url:    func(d *doc) string { return "/" + d.meta["language"] + "/" + d.name + ".html" },
			http: func(d *doc) transported {
				t := transported{contentType: "text/html"}
				if d.meta["language"] == "el" { // only the server declares the charset
					t.contentType += "; charset=" + d.meta["charset"]
				}
				return t
			},
		},
	}
	for _, s := range sites {
		if err := s.load(); err != nil {
			return nil, fmt.Errorf("site %s: %w", s.pkg, err)
		}
	}
	return sites, nil
}

// load reads the site's texts and layouts.
func (s *site) load() error {
	folder := path.Join("sites", s.pkg)
	names, err := fs.Glob(files, folder+"/*.txt")
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		d, err := parseDoc(strings.TrimSuffix(path.Base(name), ".txt"), string(text))
		if err != nil {
			return err
		}
		if s.markup[d.meta["layout"]] == nil {
			return fmt.Errorf("%s: no layout %q", d.name, d.meta["layout"])
		}
		s.docs = append(s.docs, d)
	}
	s.layouts, err = template.ParseFS(files, folder+"/*.tmpl")
	return err
}

// page is a rendered page with its gold.
type page struct {
	url  string
	html []byte
	gold string
	transported
}

// page renders the page called name.
func (s *site) page(name string) (*page, error) {
	i := slices.IndexFunc(s.docs, func(d *doc) bool { return d.name == name })
	if i < 0 {
		return nil, fmt.Errorf("site %s has no page %s", s.pkg, name)
	}
	return s.render(i)
}

// render renders the page of the i-th text.
func (s *site) render(i int) (*page, error) {
	d := s.docs[i]
	var out strings.Builder
	if err := s.layouts.ExecuteTemplate(&out, d.meta["layout"]+".tmpl", s.view(i)); err != nil {
		return nil, err
	}
	encoded, err := encode(out.String(), d.meta["charset"])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	return &page{url: s.host + s.url(d), html: encoded, gold: d.gold(), transported: s.http(d)}, nil
}

// index returns the page that lists the others; it has no main content.
func (s *site) index() ([]byte, error) {
	if s.layouts.Lookup("index.tmpl") == nil {
		return nil, nil
	}
	var out strings.Builder
	err := s.layouts.ExecuteTemplate(&out, "index.tmpl", s.view(0))
	return []byte(out.String()), err
}

// encode writes text in a charset. A character that the charset lacks becomes a
// character reference.
func encode(text, charset string) ([]byte, error) {
	if charset == "" || charset == "utf-8" {
		return []byte(text), nil
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("charset %q: %w", charset, err)
	}
	return encoding.HTMLEscapeUnsupported(enc.NewEncoder()).Bytes([]byte(text))
}

func escape(s string) string { return html.EscapeString(s) }
