package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// content holds what a page offers and what it asks for.
type content struct {
	ids     []string
	targets []string // of links and images
	found   []string // names of elements
}

func read(t *testing.T, file string) (c content) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		c.found = append(c.found, n.Data)
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				c.ids = append(c.ids, a.Val)
			case "href", "src":
				c.targets = append(c.targets, a.Val)
			}
		}
	}
	return c
}

// Every link within the site leads to a page, and to a heading of it if it names one. No
// page has a script, and none loads anything from elsewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	out := t.TempDir()
	if _, err := build("../..", out); err != nil {
		t.Fatal(err)
	}
	pages := map[string]content{}
	err := filepath.WalkDir(out, func(file string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".html" {
			pages[file] = read(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < len(documents) {
		t.Errorf("%d pages for %d documents", len(pages), len(documents))
	}
	links := 0
	for file, c := range pages {
		for _, name := range []string{"script", "iframe", "link", "object", "embed", "form"} {
			if slices.Contains(c.found, name) {
				t.Errorf("%s has a %s", file, name)
			}
		}
		for _, target := range c.targets {
			u, err := url.Parse(target)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if u.IsAbs() {
				if u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" {
					t.Errorf("%s: link to %s", file, target)
				}
				continue
			}
			links++
			to := file
			if u.Path != "" {
				to = filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: a link leads nowhere: %v", file, err)
			} else if u.Fragment != "" && !slices.Contains(pages[to].ids, u.Fragment) {
				t.Errorf("%s: %s has no heading %s", file, to, u.Fragment)
			}
		}
	}
	if links < len(documents)*len(documents) {
		t.Errorf("%d links within the site", links)
	}
}

// Every Markdown file of the documentation is a page of the site.
func TestEveryDocumentIsAPage(t *testing.T) {
	listed := map[string]bool{}
	for _, d := range documents {
		listed[d.file] = true
	}
	err := filepath.WalkDir("../../docs", func(file string, e fs.DirEntry, err error) error {
		switch rel, _ := filepath.Rel("../..", file); {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return filepath.SkipDir
		case filepath.Ext(file) == ".md" && !listed[filepath.ToSlash(rel)]:
			t.Errorf("%s is not in the list of documents", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnchors(t *testing.T) {
	a := anchors{}
	for _, want := range [][2]string{{"Adding an extractor", "adding-an-extractor"}, {"What `run` does, twice", "what-run-does-twice"}, {"Größe_1 – 2", "größe_1--2"}, {"Adding an extractor", "adding-an-extractor-1"}} {
		if got := string(a.Generate([]byte(want[0]), 0)); got != want[1] {
			t.Errorf("%s: %s, want %s", want[0], got, want[1])
		}
	}
}

// A link that leads nowhere, or out of the repository, is an error that names the page.
func TestBrokenLinks(t *testing.T) {
	root := t.TempDir()
	for text, want := range map[string]string{"[a](nowhere.md)": "leads nowhere", "[a](../../etc/passwd)": "leaves the repository"} {
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := build(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "README.md") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
