package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// documents are the pages of the site, in the order of its navigation.
var documents = []struct{ file, name string }{
	{"README.md", "Winnow"},
	{"docs/tutorials/keeper.md", "Tutorial: keeper of a crawl"},
	{"docs/tutorials/search.md", "Tutorial: search engineer"},
	{"docs/tutorials/research.md", "Tutorial: researcher"},
	{"docs/tables.md", "Tables"},
	{"docs/facts.md", "Facts"},
	{"algorithms/README.md", "Extractors and scorers"},
	{"eval/quality.md", "Quality and speed"},
	{"docs/reliability.md", "Reliability"},
	{"eval/scale.md", "Scale"},
	{"eval/reproduction.md", "Reproduction of papers"},
	{"docs/models/winnow.md", "Model: winnow"},
	{"docs/models/crf.md", "Model: crf"},
	{"docs/models/web2text.md", "Model: web2text"},
	{"deploy/README.md", "Clusters"},
	{"docs/glossary.md", "Glossary"},
	{"CONTRIBUTING.md", "Contributing"},
	{"SECURITY.md", "Security"},
	{"CHANGELOG.md", "Changelog"},
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	style string

	page = template.Must(template.New("page").Parse(pageHTML))
)

// mostSource bounds the size of a file of the repository that is shown as a page.
const mostSource = 256 << 10

// site writes the pages of the repository below root into out. Pages that others link to
// are added to the queue, each once.
type site struct {
	root, out string
	queue     []string // paths of the repository, with slashes
	seen      map[string]bool
}

// build returns the number of pages.
func build(root, out string) (int, error) {
	s := &site{root: root, out: out, seen: map[string]bool{}}
	for _, d := range documents {
		s.add(d.file)
	}
	for i := 0; i < len(s.queue); i++ {
		if err := s.write(s.queue[i]); err != nil {
			return i, err
		}
	}
	return len(s.queue), nil
}

func (s *site) add(file string) {
	if !s.seen[file] {
		s.seen[file] = true
		s.queue = append(s.queue, file)
	}
}

// write writes the page of a file or folder of the repository.
func (s *site) write(file string) error {
	from := filepath.Join(s.root, filepath.FromSlash(file))
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return s.listing(file)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	switch {
	case s.target(file) == file: // an image, or something that no page can show
		return s.save(file, data)
	case path.Ext(file) == ".md":
		return s.markdown(file, data)
	}
	return s.page(file, path.Base(file), template.HTML("<h1>"+template.HTMLEscapeString(file)+"</h1><pre>"+template.HTMLEscapeString(string(data))+"</pre>"))
}

// target returns the path in the site of a file or folder of the repository.
func (s *site) target(file string) string {
	from := filepath.Join(s.root, filepath.FromSlash(file))
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return file
	case info.IsDir():
		return path.Join(file, "index.html")
	case path.Base(file) == "README.md":
		return path.Join(path.Dir(file), "index.html")
	case path.Ext(file) == ".md":
		return strings.TrimSuffix(file, ".md") + ".html"
	}
	if data, err := os.ReadFile(from); err != nil || len(data) > mostSource || !utf8.Valid(data) || path.Ext(file) == ".svg" {
		return file
	}
	return file + ".html"
}

// listing writes the page of a folder: its README, or the names in it.
func (s *site) listing(dir string) error {
	from := filepath.Join(s.root, filepath.FromSlash(dir))
	if _, err := os.Stat(filepath.Join(from, "README.md")); err == nil {
		s.add(path.Join(dir, "README.md"))
		return nil
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1><ul>", template.HTMLEscapeString(dir))
	for _, e := range entries {
		name := template.HTMLEscapeString(e.Name())
		if e.IsDir() {
			fmt.Fprintf(&b, "<li>%s/</li>", name)
			continue
		}
		file := path.Join(dir, e.Name())
		s.add(file)
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, (&url.URL{Path: path.Base(s.target(file))}).String(), name)
	}
	b.WriteString("</ul>")
	return s.page(dir, dir, template.HTML(b.String()))
}

// markdown writes the page of a Markdown file.
func (s *site) markdown(file string, data []byte) error {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	doc := md.Parser().Parse(text.NewReader(data), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var err error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination, err = s.link(file, n.Destination)
		case *ast.Image:
			n.Destination, err = s.link(file, n.Destination)
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := md.Renderer().Render(&body, data, doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	// A wide table scrolls by itself, and the page does not.
	shown := strings.NewReplacer("<table>", `<div class="wide" tabindex="0" role="region" aria-label="Table"><table>`, "</table>", "</table></div>").Replace(body.String())
	title := file
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			title = strings.ReplaceAll(string(h.Lines().Value(data)), "`", "")
			break
		}
	}
	return s.page(file, title, template.HTML(shown))
}

// link returns the target of a link of a page, relative to that page.
func (s *site) link(file string, target []byte) ([]byte, error) {
	u, err := url.Parse(string(target))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if u.IsAbs() || u.Host != "" || u.Path == "" {
		return target, nil
	}
	to := path.Join(path.Dir(file), u.Path)
	if strings.HasPrefix(to, "..") || path.IsAbs(u.Path) {
		return nil, fmt.Errorf("%s: the link to %s leaves the repository", file, u.Path)
	}
	if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(to))); err != nil {
		return nil, fmt.Errorf("%s: a link leads nowhere: %w", file, err)
	}
	s.add(to)
	u.Path = s.relative(file, to)
	return []byte(u.String()), nil
}

// relative returns the way from the page of a file to that of another.
func (s *site) relative(file, to string) string {
	rel, err := filepath.Rel(path.Dir(s.target(file)), s.target(to))
	if err != nil { // both are below the root
		panic(err)
	}
	return filepath.ToSlash(rel)
}

// entry is a link of the navigation.
type entry struct {
	Target, Name string
	Here         bool
}

func (s *site) page(file, title string, body template.HTML) error {
	sum := sha256.Sum256([]byte(style))
	data := struct {
		Title, Policy string
		Style         template.CSS
		Nav           []entry
		Body          template.HTML
	}{title, "default-src 'none'; img-src 'self' file:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'", template.CSS(style), nil, body}
	for _, d := range documents {
		data.Nav = append(data.Nav, entry{(&url.URL{Path: s.relative(file, d.file)}).String(), d.name, d.file == file})
	}
	var b bytes.Buffer
	if err := page.Execute(&b, &data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return s.save(s.target(file), b.Bytes())
}

func (s *site) save(name string, data []byte) error {
	to := filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
