package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
)

// errFound ends the reading of an input when the page that was named is found and no
// other page can have the same name.
var errFound = errors.New("found")

// Wanted is a page that a user names: by its id, by package/id, or by its URL. Ids
// repeat across packages, and URLs repeat in a crawl.
type Wanted struct{ Package, Doc string }

// Register adds the flags to a command.
func (w *Wanted) Register(f *pflag.FlagSet) {
	f.StringVar(&w.Doc, "doc", "", "id of the page, package/id, or its URL")
	f.StringVar(&w.Package, "package", "", "package of the page, where ids repeat across packages")
}

// Find calls do for the page of an input that the user means, and refuse as Each does. It
// returns an error, after do may have been called, if there is no such page or if there
// are several.
func (w Wanted) Find(ctx context.Context, in *source.Inputs, name string, f source.Format, refuse func(where, why string), do func(*Page) error) error {
	input, seen, first := blob.PublicURL(name), 0, ""
	var same Candidates
	single := isSingle(name)
	err := Each(ctx, in, name, f, refuse, func(p *Page) error {
		seen++
		if !w.means(p) {
			return nil
		}
		if w.Doc == "" && same.N > 0 {
			return service.Usagef("%s holds several pages: name one with --doc, for example --doc %s", input, first)
		}
		if same.Add(p); same.N > 1 {
			return nil
		}
		first = p.ID
		if err := do(p); err != nil {
			return err
		}
		if w.unique(p, single) {
			return errFound
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errFound):
		return err
	case same.N > 1:
		return same.Err(w.Doc, input)
	case same.N == 1:
		return nil
	case w.Doc != "" && w.Package != "":
		return fmt.Errorf("no page %s of package %s among the %d of %s: names are in the tables of a run, columns package and doc_id", w.Doc, w.Package, seen, input)
	case w.Package != "":
		return fmt.Errorf("no page of package %s among the %d of %s", w.Package, seen, input)
	case w.Doc != "":
		return fmt.Errorf("no page %s among the %d of %s: ids are in the tables of a run, column doc_id", w.Doc, seen, input)
	}
	return fmt.Errorf("%s holds no page", input)
}

// means reports whether the user may mean the page.
func (w Wanted) means(p *Page) bool {
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

// unique reports whether the input has no other page of this name.
func (w Wanted) unique(p *Page, single bool) bool {
	return single && w.located(p) || w.whole(p) || p.Gold != nil && w.Package != "" && w.Doc == p.ID
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
