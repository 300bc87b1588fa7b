package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// many is a crawl of many sites at once, as broad crawls are: one page of each
// site in turn, over several files. Every site has a layout, a menu, a sidebar
// and a footer of its own and articles that no other page has, with gold.
//
// The content of a page depends only on its numbers. The words are those of the example
// texts.
type many struct {
	sites, pages, files int
	words               []string
}

// newMany collects the vocabulary.
func newMany(sites, pages, files int) (*many, error) {
	if sites < 1 || pages < 1 || files < 1 {
		return nil, fmt.Errorf("%d sites of %d pages in %d files: all must be positive", sites, pages, files)
	}
	examples, err := loadSites()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, s := range examples {
		for _, d := range s.docs {
			for _, w := range strings.FieldsFunc(d.gold(), func(r rune) bool { return !('a' <= r && r <= 'z') }) {
				if len(w) > 2 {
					seen[w] = true
				}
			}
		}
	}
	m := &many{sites: sites, pages: pages, files: files}
	for w := range seen {
		m.words = append(m.words, w)
	}
	slices.Sort(m.words)
	return m, nil
}

// write writes the crawl to a folder: many-000.warc.gz and so on.
func (m *many) write(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var out []*manyFile
	defer func() {
		for _, f := range out {
			f.file.Close()
		}
	}()
	for i := range m.files {
		f, err := newManyFile(filepath.Join(folder, fmt.Sprintf("many-%03d.warc.gz", i)))
		if err != nil {
			return err
		}
		out = append(out, f)
	}
	for page := range m.pages {
		for site := range m.sites {
			if err := m.page(out[(page+site)%m.files].w, site, page); err != nil {
				return err
			}
		}
	}
	for _, f := range out {
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

type manyFile struct {
	file *os.File
	buf  *bufio.Writer
	w    *write.Writer
}

func newManyFile(name string) (*manyFile, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(file, 256<<10)
	return &manyFile{file, buf, write.NewWriter(io.Writer(buf))}, nil
}

func (f *manyFile) close() error {
	if err := f.buf.Flush(); err != nil {
		return err
	}
	return f.file.Close()
}

// page writes a page and its gold.
func (m *many) page(w *write.Writer, site, page int) error {
	title, paragraphs := m.article(site, page)
	host := fmt.Sprintf("www.site-%05d.example", site)
	url := fmt.Sprintf("http://%s/%s/%d.html", host, m.section(site, page%sections), page)
	id := write.ID("many", fmt.Sprint(site), fmt.Sprint(page))
	// Pages of one site follow each other after a few seconds.
	when := time.Date(2024, 4, 12, 6, 0, 0, 0, time.UTC).Add(time.Duration(page*m.sites+site) * 10 * time.Millisecond)
	block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
		[]byte(m.html(site, page, title, paragraphs)))
	if err != nil {
		return err
	}
	if err := w.Write(&write.Record{Type: "response", ID: id, Date: when, TargetURI: url, ContentType: "application/http; msgtype=response", Block: block}); err != nil {
		return err
	}
	text := title + "\n" + strings.Join(paragraphs, "\n")
	g := &schemas.Gold{Version: schemas.GoldVersion, Package: "many", ID: fmt.Sprintf("%05d-%05d", site, page), URL: url, Text: &text, Language: "en", PageType: "article"}
	return gold.WriteGold(w, g, id, url, when)
}

// chance returns the random generator of a site, or of one of its pages.
func chance(site, page int) *rand.Rand { return rand.New(rand.NewPCG(uint64(site), uint64(page))) }

// phrase returns n random words.
func (m *many) phrase(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = m.words[r.IntN(len(m.words))]
	}
	s := strings.Join(words, " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// article returns the title and the paragraphs of a page.
func (m *many) article(site, page int) (string, []string) {
	r := chance(site, 1+page)
	title := m.phrase(r, 4+r.IntN(6))
	paragraphs := make([]string, 3+r.IntN(8))
	for i := range paragraphs {
		var b strings.Builder
		for range 2 + r.IntN(4) {
			b.WriteString(m.phrase(r, 6+r.IntN(14)))
			b.WriteString(". ")
		}
		paragraphs[i] = strings.TrimSpace(b.String())
	}
	return title, paragraphs
}

const sections = 9

func (m *many) section(site, i int) string {
	return strings.ReplaceAll(strings.ToLower(m.phrase(chance(site, -1-i), 2)), " ", "-")
}

// html returns the page: the article inside the site's frame.
func (m *many) html(site, page int, title string, paragraphs []string) string {
	r := chance(site, -100) // for the frame, which is the same on every page
	var b strings.Builder
	name := m.phrase(r, 2)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=en><head><title>%s - %s</title><link rel=stylesheet href=/s.css></head>\n<body>\n", html.EscapeString(title), name)
	fmt.Fprintf(&b, "<header id=top><a class=logo href=/><img src=/logo.png alt=\"%s\"></a><p class=claim>%s</p></header>\n<nav><ul>\n", name, m.phrase(r, 7))
	for i := range sections {
		// The menu leads to the first page of each section.
		fmt.Fprintf(&b, "<li><a href=\"/%s/%d.html\">%s</a></li>\n", m.section(site, i), i, m.phrase(r, 1+r.IntN(2)))
	}
	b.WriteString("</ul></nav>\n")
	side := m.sidebar(site, page)
	frame := site % 3
	switch frame {
	case 0:
		b.WriteString("<main><article>\n")
	case 1:
		b.WriteString("<div id=wrap><div class=\"col main\">\n")
	case 2:
		b.WriteString("<table width=\"100%\"><tr><td class=left>" + side + "</td><td>\n")
	}
	fmt.Fprintf(&b, "<h1>%s</h1>\n", html.EscapeString(title))
	for _, p := range paragraphs {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
	}
	switch frame {
	case 0:
		b.WriteString("</article></main>\n<aside>" + side + "</aside>\n")
	case 1:
		b.WriteString("</div><div class=\"col side\">" + side + "</div></div>\n")
	case 2:
		b.WriteString("</td></tr></table>\n")
	}
	fmt.Fprintf(&b, "<footer><p>Copyright 2024 %s. %s.</p><p><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a> <a href=/contact>Contact</a></p></footer>\n</body></html>\n",
		name, m.phrase(r, 14))
	return b.String()
}

// sidebar returns the part beside every article, with a list that differs between
// pages.
func (m *many) sidebar(site, page int) string {
	r := chance(site, -200)
	var b strings.Builder
	fmt.Fprintf(&b, "<h3>%s</h3><p>%s.</p><h3>%s</h3><ul>\n", m.phrase(r, 2), m.phrase(r, 18), m.phrase(r, 2))
	for i := range 5 {
		other := (page + 1 + i*7) % m.pages
		title, _ := m.article(site, other)
		fmt.Fprintf(&b, "<li><a href=\"/%s/%d.html\">%s</a></li>\n", m.section(site, other%sections), other, html.EscapeString(title))
	}
	b.WriteString("</ul>")
	return b.String()
}
