package pages

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// ErrFound ends the reading of an input when the page that was named is found and no
// other page can have the same name.
var ErrFound = errors.New("found")

// Wanted is a page that a user names: by its id, by package/id, or by its URL. Ids
// repeat across packages, and URLs repeat in a crawl.
type Wanted struct{ Package, Doc string }

// Means reports whether the user may mean the page.
func (w Wanted) Means(p *Page) bool {
	if w.Package != "" && w.Package != p.Package {
		return false
	}
	return w.Doc == "" || w.located(p) || w.Doc == p.ID || w.whole(p) || w.Doc == p.Address()
}

// located reports whether the id is the location of a page that has no gold.
func (w Wanted) located(p *Page) bool {
	return p.Gold == nil && (w.Doc == p.ID && !p.Whole || slices.Contains(p.Other, w.Doc))
}

// whole reports whether the name is the package and the id of the page.
func (w Wanted) whole(p *Page) bool { return p.Package != "" && w.Doc == p.Package+"/"+p.ID }

// Unique reports whether the input has no other page of this name.
func (w Wanted) Unique(p *Page, single bool) bool {
	return single && w.located(p) || w.whole(p) || p.Gold != nil && w.Package != "" && w.Doc == p.ID
}

// IsSingle reports whether an input is one file, and no list, pattern or folder.
func IsSingle(name string) bool {
	if blob.IsList(name) || strings.ContainsAny(name, "*?[") {
		return false
	}
	if strings.Contains(name, "://") {
		return !strings.HasSuffix(name, "/")
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// MostCandidates is the number of pages that an error lists.
const MostCandidates = 10

// Candidates collects the pages that have the same name.
type Candidates struct {
	N     int // number of pages
	lines []string
}

func (c *Candidates) Add(p *Page) { c.AddNames(p.Package, p.ID, p.Address()) }

func (c *Candidates) AddNames(pkg, id, url string) {
	if c.N++; c.N > MostCandidates {
		return
	}
	line := "--doc " + id
	if pkg != "" {
		line = "--package " + pkg + " " + line
	}
	if url != "" {
		line += "   " + url
	}
	c.lines = append(c.lines, "  "+service.Printable(line))
}

// Err returns an error that lists the pages.
func (c *Candidates) Err(doc, input string) error {
	lines := strings.Join(c.lines, "\n")
	if c.N > len(c.lines) {
		lines += fmt.Sprintf("\n  and %d more", c.N-len(c.lines))
	}
	return service.Usagef("%d pages of %s are called %s: name one of them\n%s", c.N, input, doc, lines)
}
