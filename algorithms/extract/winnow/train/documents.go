package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/payload"
)

// document is one page with its gold.
type document struct {
	pkg, id       string
	url, domain   string
	kind          string // page type, as the package states it
	language      string
	html          []byte // UTF-8
	gold          string
	known         bool // whether there is a gold text
	with, without []string
	spoiled       bool // the package says that it cannot be answered
	made          made
}

// made says where a document comes from.
type made uint8

const (
	real    made = iota
	grafted      // with sections of other pages
	aged         // without the names and elements of today
)

// corpus is a package that was read.
type corpus struct {
	info      gold.Info
	documents []*document
	sum       uint64 // of pages and golds
}

// openPackage opens the named package below dir: a folder or an archive.
func openPackage(dir, name string) (*gold.Package, error) {
	for _, suffix := range []string{"", ".tar.xz", ".tar.gz", ".tar"} {
		path := filepath.Join(dir, name+suffix)
		if _, err := os.Stat(path); err == nil {
			return gold.Open(path, gold.Limits{})
		}
	}
	return nil, fmt.Errorf("open package %s: there is no folder and no archive of that name in %s", name, dir)
}

// read reads a package, its pages decoded to UTF-8.
func read(ctx context.Context, dir, name string) (*corpus, error) {
	p, err := openPackage(dir, name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	c := &corpus{info: p.Info}
	sum := fnv.New64a()
	var decoder payload.Decoder
	var pg page.Page
	for d, err := range p.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		sum.Write(d.HTML)
		doc := decoder.Decode(payload.Message{Kind: payload.Resource, ContentType: p.ContentType(d), Block: d.HTML})
		if doc.Outcome != payload.Page {
			continue
		}
		x := &document{
			pkg: p.Info.Name, id: d.ID, url: d.Gold.URL, kind: d.Gold.PageType, language: d.Gold.Language,
			html: bytes.Clone(doc.HTML), known: d.Gold.Text != nil,
			with: slices.Clone(d.Gold.With), without: slices.Clone(d.Gold.Without),
		}
		if x.known {
			x.gold = *d.Gold.Text
			sum.Write([]byte(x.gold))
		}
		for _, field := range []string{"defect", "gold_missing"} {
			if v, ok := d.Gold.Meta[field]; ok && string(v) != "false" && string(v) != "null" {
				x.spoiled = true
			}
		}
		pg.Parse(x.html, page.Options{})
		if x.language == "" {
			x.language = string(pg.Lang())
		}
		x.domain = domainOf(&pg, x)
		c.documents = append(c.documents, x)
	}
	c.sum = sum.Sum64()
	return c, nil
}

// domainOf is the registered domain of a page, parsed into pg, by its address or by
// the one it gives itself. A page without any is a domain of its own.
func domainOf(pg *page.Page, d *document) string {
	if d.url != "" {
		if s := website.Domain(d.url); s != "" && s != website.None {
			return s
		}
	}
	for n, tag := range pg.Tree.Tag {
		if tag == html.TagLink {
			if rel, _ := pg.Attr(html.Node(n), "rel"); strings.EqualFold(string(rel), "canonical") {
				href, _ := pg.Attr(html.Node(n), "href")
				if s := website.Domain(string(href)); s != "" && s != website.None {
					return s
				}
			}
		}
	}
	if s := website.Domain(string(pg.Meta("og:url"))); s != "" && s != website.None {
		return s
	}
	return d.pkg + "/" + d.id
}

// hashOf decides folds.
func hashOf(domain string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(domain))
	return h.Sum64()
}

// folds that pages are held out in, and that the pages of a held-out fold are
// divided into for what is learned within the others.
const (
	folds      = 4
	innerFolds = 5
)

func (d *document) fold() int  { return int(hashOf(d.domain) % folds) }
func (d *document) inner() int { return int(hashOf(d.domain) >> 20 % innerFolds) }

// mayShip are beginnings of licences under which a model that was trained on a
// package may be part of a program under Apache-2.0.
var mayShip = []string{"CC-BY-4.0", "CC-BY-3.0", "CC0", "Apache-2.0", "MIT", "BSD", "Public domain"}

// mayTrain says why nothing may be trained on a package, nil if it may.
func mayTrain(info gold.Info) error {
	if info.HeldOut {
		return fmt.Errorf("train on package %s: it is marked held out, and may only be measured on", info.Name)
	}
	for _, l := range mayShip {
		if strings.HasPrefix(strings.ToLower(info.License), strings.ToLower(l)) {
			return nil
		}
	}
	return fmt.Errorf("train on package %s: its licence (%s) is none of those under which the model may be shipped: %s",
		info.Name, info.License, strings.Join(mayShip, ", "))
}
