// Command generate makes the example crawl: a WARC file as a crawler leaves
// it, of five small sites that do not exist, with gold after every page that
// has an article.
//
//	sites/SITE/NAME.txt    what a page is about: our own texts, in blocks
//	sites/SITE/LAYOUT.tmpl the site around it: navigation, advertising, comments …
//
//	text + layout -> page (in the site's charset)      text -> gold, one line a block
//
// Page and gold are made of the same text, so the gold is exact by
// construction, and a test proves that every page has its gold in it.
// crawl.parquet lists the responses of the crawl as Common Crawl's columnar index does.
// The output depends on these files alone: the same bytes every time.
//
//	go run ./examples/generate -out examples
//
// With -sites it makes another crawl instead, of so many invented sites, of any
// size: for runs that learn what sites have in common.
//
//	go run ./examples/generate -sites 2000 -pages 100 -files 8 -out FOLDER
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/pipeline/source/ccindex"
)

func main() {
	out := flag.String("out", "examples", "folder to write crawl.warc.gz, crawl.parquet, page.html and page.txt to")
	sites := flag.Int("sites", 0, "make a crawl of so many invented sites instead")
	pages := flag.Int("pages", 100, "of each invented site")
	inFiles := flag.Int("files", 8, "that invented sites are spread over")
	flag.Parse()
	write := generate
	if *sites > 0 {
		write = func(folder string) error {
			m, err := newMany(*sites, *pages, *inFiles)
			if err != nil {
				return err
			}
			return m.write(folder)
		}
	}
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes the example files to the folder out.
func generate(out string) error {
	files, err := examples()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// examples returns the example files: the crawl, and one page of it with its
// gold for those who want to try a single page.
func examples() (map[string][]byte, error) {
	sites, err := loadSites()
	if err != nil {
		return nil, err
	}
	var crawl bytes.Buffer
	if err := writeCrawl(&crawl, sites); err != nil {
		return nil, err
	}
	rows, err := ccindex.Rows(bytes.NewReader(crawl.Bytes()), "crawl.warc.gz")
	if err != nil {
		return nil, err
	}
	var table bytes.Buffer
	if err := ccindex.Write(&table, rows, 40); err != nil {
		return nil, err
	}
	single, err := sites[0].page("rain-garden")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"crawl.warc.gz": crawl.Bytes(),
		"crawl.parquet": table.Bytes(),
		"page.html":     single.html,
		"page.txt":      []byte(single.gold + "\n"),
	}, nil
}
