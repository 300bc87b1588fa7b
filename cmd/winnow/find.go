package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// errFound ends the reading of an input when the page that was named is found and no
// other page can have the same name.
var errFound = errors.New("found")

// wanted is a page that a user names: by its id, by package/id, or by its URL. Ids
// repeat across packages, and URLs repeat in a crawl.
type wanted struct{ pkg, doc string }

// means reports whether the user may mean the page.
func (w wanted) means(p *sourcePage) bool {
	if w.pkg != "" && w.pkg != p.Package {
		return false
	}
	return w.doc == "" || w.located(p) || w.doc == p.ID || w.whole(p) || w.doc == p.Address()
}

// located reports whether the id is the location of a page that has no gold.
func (w wanted) located(p *sourcePage) bool {
	return p.Gold == nil && (w.doc == p.ID && !p.Whole || slices.Contains(p.Other, w.doc))
}

// whole reports whether the name is the package and the id of the page.
func (w wanted) whole(p *sourcePage) bool { return p.Package != "" && w.doc == p.Package+"/"+p.ID }

// unique reports whether the input has no other page of this name.
func (w wanted) unique(p *sourcePage, single bool) bool {
	return single && w.located(p) || w.whole(p) || p.Gold != nil && w.pkg != "" && w.doc == p.ID
}

// isSingle reports whether an input is one file, and no list, pattern or folder.
func isSingle(name string) bool {
	if blob.IsList(name) || strings.ContainsAny(name, "*?[") {
		return false
	}
	if strings.Contains(name, "://") {
		return !strings.HasSuffix(name, "/")
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// mostCandidates is the number of pages that an error lists.
const mostCandidates = 10

// candidates collects the pages that have the same name.
type candidates struct {
	lines []string
	n     int
}

func (c *candidates) add(p *sourcePage) { c.addNames(p.Package, p.ID, p.Address()) }

func (c *candidates) addNames(pkg, id, url string) {
	if c.n++; c.n > mostCandidates {
		return
	}
	line := "--doc " + id
	if pkg != "" {
		line = "--package " + pkg + " " + line
	}
	if url != "" {
		line += "   " + url
	}
	c.lines = append(c.lines, "  "+printable(line))
}

// err returns an error that lists the pages.
func (c *candidates) err(doc, input string) error {
	lines := strings.Join(c.lines, "\n")
	if c.n > len(c.lines) {
		lines += fmt.Sprintf("\n  and %d more", c.n-len(c.lines))
	}
	return service.Usagef("%d pages of %s are called %s: name one of them\n%s", c.n, input, doc, lines)
}
