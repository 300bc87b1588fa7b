// Package corpus is what the commands that train learned extractors share: it reads
// gold test packages (pages in UTF-8 with their gold), finds which texts of a page are
// its gold, measures how well an extractor answers, keeps the models of the folds
// (folds.go), and writes model cards (card.go). It is not for the extractors themselves.
//
// This package is internal to Winnow and may change in any release.
package corpus

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
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/payload"
)

// Document is a page with its gold.
type Document struct {
	Package, ID   string
	URL           string
	Domain        string // registered domain of the page, or a unique name
	Type          string // type of the page, if the package has it: "article", "forum" …
	Language      string
	HTML          []byte // UTF-8
	Gold          string
	HasText       bool // whether there is a gold text, Gold
	With, Without []string
	Unsound       bool // the package says that its gold is defective or missing
}

// Fold returns the number, below n, of the fold in which the page is held out. Pages of
// one registered domain are in the same fold.
func (d *Document) Fold(n int) int { return int(d.hash() % uint64(n)) }

// Inner divides the pages of one fold further, into n parts.
func (d *Document) Inner(n int) int { return int(d.hash() >> 20 % uint64(n)) }

func (d *Document) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(d.Domain))
	return h.Sum64()
}

// Package is a gold test package that was read.
type Package struct {
	Info      gold.Info
	Documents []*Document // in the order of their ids
}

// Read reads the named package below dir, which is a folder or an archive. Pages
// without a gold text, and those whose gold the package calls defective, are left out.
func Read(ctx context.Context, dir, name string) (*Package, error) {
	p, err := ReadAll(ctx, dir, name)
	if err != nil {
		return nil, err
	}
	p.Documents = slices.DeleteFunc(p.Documents, func(d *Document) bool { return !d.HasText || d.Unsound })
	return p, nil
}

// ReadAll does the same as Read, but includes the pages that Read leaves out. It
// removes the element that CleanEval put around pages (gold.Unwrap).
func ReadAll(ctx context.Context, dir, name string) (*Package, error) {
	p, err := open(dir, name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	c := &Package{Info: p.Info}
	var decoder payload.Decoder
	var pg page.Page
	for d, err := range p.Documents(ctx) {
		if err != nil {
			return nil, fmt.Errorf("read package %s: %w", name, err)
		}
		doc := decoder.Decode(payload.Message{Kind: payload.Resource, ContentType: p.ContentType(d), Block: gold.Unwrap(d.HTML)})
		if doc.Outcome != payload.Page {
			continue
		}
		x := &Document{
			Package: p.Info.Name, ID: d.ID, URL: d.Gold.URL, Type: d.Gold.PageType, Language: d.Gold.Language,
			HTML: bytes.Clone(doc.HTML), HasText: d.Gold.Text != nil,
			With: slices.Clone(d.Gold.With), Without: slices.Clone(d.Gold.Without),
			Unsound: marked(d, "defect") || marked(d, "gold_missing"),
		}
		if x.HasText {
			x.Gold = *d.Gold.Text
		}
		pg.Parse(x.HTML, page.Options{})
		if x.Language == "" {
			x.Language = string(pg.Lang())
		}
		x.Domain = domainOf(&pg, x)
		c.Documents = append(c.Documents, x)
	}
	return c, nil
}

// domainOf returns the registered domain of a page, parsed into pg. It uses the page's
// address, or the address that the page states. A page without any address is a domain
// of its own.
func domainOf(pg *page.Page, d *Document) string {
	known := func(url string) (string, bool) {
		s := website.Domain(url)
		return s, s != "" && s != website.None
	}
	if s, ok := known(d.URL); ok {
		return s
	}
	for n, tag := range pg.Tree.Tag {
		if tag == html.TagLink {
			if rel, _ := pg.Attr(html.Node(n), "rel"); strings.EqualFold(string(rel), "canonical") {
				href, _ := pg.Attr(html.Node(n), "href")
				if s, ok := known(string(href)); ok {
					return s
				}
			}
		}
	}
	if s, ok := known(string(pg.Meta("og:url"))); ok {
		return s
	}
	return d.Package + "/" + d.ID
}

func open(dir, name string) (*gold.Package, error) {
	for _, suffix := range []string{"", ".tar.xz", ".tar.gz", ".tar"} {
		path := filepath.Join(dir, name+suffix)
		if _, err := os.Stat(path); err == nil {
			return gold.Open(path, gold.Limits{})
		}
	}
	return nil, fmt.Errorf("open package %s: there is no folder and no archive of that name in %q", name, dir)
}

func marked(d *gold.Document, field string) bool {
	v, ok := d.Gold.Meta[field]
	return ok && string(v) != "false" && string(v) != "null"
}

// Digest returns a hash of pages and their golds, in order.
func Digest(documents []*Document) uint64 {
	sum := fnv.New64a()
	for _, d := range documents {
		for _, part := range [][]byte{d.HTML, []byte(d.Gold)} {
			fmt.Fprintf(sum, "%d ", len(part))
			sum.Write(part)
		}
	}
	return sum.Sum64()
}

// shippable are beginnings of the licences under which a model that was trained on
// a package may be part of a program under Apache-2.0.
var shippable = []string{"CC-BY-4.0", "CC-BY-3.0", "CC0", "Apache-2.0", "MIT", "BSD", "Public domain"}

// MayShip returns the reason why a model that was trained on a package may not be part
// of the program, or nil if it may.
func MayShip(info gold.Info) error {
	for _, l := range shippable {
		if len(info.License) >= len(l) && strings.EqualFold(info.License[:len(l)], l) {
			return nil
		}
	}
	return fmt.Errorf("train on package %s: a model of it may not be shipped, because its licence (%s) is none of %s",
		info.Name, info.License, strings.Join(shippable, ", "))
}

// MayTrain returns the reason why a package may not be used for training, or nil if it
// may.
func MayTrain(info gold.Info) error {
	if info.HeldOut {
		return fmt.Errorf("train on package %s: it is marked held out, and may only be measured on", info.Name)
	}
	return nil
}

// ToTrain reads the package name below dir, if a model may be trained on it: not on
// one that is held out; and if the model is not private, not on one whose licence
// keeps it from being shipped. shipped is the file of the program's own model, which no private one
// may replace.
func ToTrain(ctx context.Context, dir, name string, private bool, out, shipped string) (*Package, error) {
	if private && filepath.Clean(out) == filepath.Clean(shipped) {
		return nil, fmt.Errorf("write model %s: it is the file that the program ships; name another --out with --private", out)
	}
	p, err := Read(ctx, dir, name)
	if err != nil {
		return nil, err
	}
	err = MayTrain(p.Info)
	if err == nil && !private {
		if err = MayShip(p.Info); err != nil {
			err = fmt.Errorf("%w; to train one that stays where it is made, give --private and an --out outside of the source", err)
		}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
