// Structure counts how much of a page's structure is in the Markdown of extractors: code in
// fences, formulas as TeX, headings, and cells of tables. It reads gold packages and looks
// only at what the gold has: an element is counted if its letters are in the gold text.
//
//	go run ./structure --packages DIR [--extractors winnow,plain] [--missing] [NAME …]
//
// "Kept" is an element that is in the Markdown as what it is; "anywhere" is one whose letters
// are in it in any form. The elements of a page are read with another HTML parser than
// Winnow's, and the Markdown with another's reader, so that a fault of ours is not hidden by
// itself. The packages have no gold with structure: the page's own markup takes its place.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
)

func main() {
	dir := flag.String("packages", "", "folder of gold packages, as archives")
	names := flag.String("extractors", "winnow,plain", "extractors to compare")
	missing := flag.Bool("missing", false, "list the elements that are not kept")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"wcxb-dev", "cleaneval-final", "readability", "multilingual-dev", "forums-dev"}
	}
	if err := run(os.Stdout, *dir, packages, *names, *missing); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// count has what became of the elements of one kind.
type count struct{ gold, kept, anywhere int }

func run(w io.Writer, dir string, packages []string, names string, missing bool) error {
	extractors, err := choose.Extractors(suite.Extractors(), names)
	if err != nil {
		return err
	}
	d, err := driver.New(driver.Config{Extractors: extractors})
	if err != nil {
		return err
	}
	counts := map[string]*count{} // by extractor and kind
	pages := map[string]int{}     // by kind
	writer := markup.NewWriter()
	for _, name := range packages {
		p, err := gold.Open(filepath.Join(dir, name+".tar.xz"), gold.Limits{})
		if err != nil {
			return err
		}
		defer p.Close()
		src := source.NewPackage(context.Background(), name, p)
		defer src.Close()
		for at, err := range source.Pages(context.Background(), name, src) {
			if err != nil {
				return err
			}
			g := at.Gold
			if g == nil || g.Text == nil {
				continue
			}
			elements, err := elementsOf(bytes.Clone(at.HTML), *g.Text)
			if err != nil {
				return err
			}
			if len(elements) == 0 {
				continue
			}
			seen := map[string]bool{}
			for _, e := range elements {
				if !seen[e.kind] {
					seen[e.kind] = true
					pages[e.kind]++
				}
			}
			res, err := d.Page(context.Background(), driver.Input{HTML: at.HTML, URL: at.Address()})
			if err != nil {
				return err
			}
			for i := range res.Extractions {
				x := &res.Extractions[i]
				text, _ := writer.Markdown(res.Page, &x.Selection, at.Address(), markup.Masking{})
				out := readMarkdown(text)
				for _, e := range elements {
					c := counts[x.Extractor.Name+" "+e.kind]
					if c == nil {
						c = new(count)
						counts[x.Extractor.Name+" "+e.kind] = c
					}
					kept, anywhere := out.has(&e)
					c.gold++
					if kept {
						c.kept++
					}
					if anywhere {
						c.anywhere++
					}
					if missing && !kept {
						fmt.Fprintf(w, "%s/%s\t%s\t%s\tanywhere %v\t%.70q\n", name, g.ID, x.Extractor.Name, e.kind, anywhere, e.text)
					}
				}
			}
		}
	}
	fmt.Fprintln(w, "| element | pages | in the gold | extractor | kept, % | anywhere, % |\n|---|--:|--:|---|--:|--:|")
	for _, kind := range kinds {
		for _, e := range extractors {
			c := counts[e.Name+" "+kind]
			if c == nil {
				continue
			}
			share := func(n int) float64 { return 100 * float64(n) / float64(c.gold) }
			fmt.Fprintf(w, "| %s | %d | %d | `%s` | %.1f | %.1f |\n", kind, pages[kind], c.gold, e.Name, share(c.kept), share(c.anywhere))
		}
	}
	return nil
}
