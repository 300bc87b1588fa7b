package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/markusmobius/go-trafilatura"
	nethtml "golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
)

// markdownPages is how many pages are compared, in turn from each type of pages.
const markdownPages = 50

const markdownIntroduction = `
## Markdown beside trafilatura's

Which elements of a page are in the Markdown of Winnow and which in that of trafilatura, counted by element
(` + "`go -C eval run ./reproduce --markdown --packages DIR`" + ` makes this section alone): 50 pages of the package wcxb-dev, the
first ones of each of its seven types in turn, of those that hold at least 95 % of the words of their gold.

- "In the gold" are elements of the page of which at least half of the letters are in the gold. An image counts if
  gold stands on both sides of it.
- "Written" is our Markdown of the gold itself, without any extractor: what it lacks is lost by our writer.
- "Winnow" is the Markdown of the extractor ` + "`winnow`" + `, read by another's reader of CommonMark (goldmark, with GitHub's
  tables). "` + "`trafilatura`" + `" is the same of that program: its text is found on the page, and the page's markup there
  is written.
- "Theirs" are the elements of the tree that go-trafilatura 1.12.2 returns with links, images and tables: its Markdown
  is written of this tree, and an element that the tree lacks cannot be in it. The Python program could not be
  installed where this was measured.
- An element is kept if the output has one of the same kind with the same letters, or one of which the shorter
  text is part of the longer and at least two thirds of it.
- "Besides" are elements of the output whose letters the gold does not have in a row. The gold leaves out headings and
  links that some would keep, so this is no plain count of errors; the addresses of images are never in it.

The model of winnow that is shipped was trained on this package, so its columns flatter it: on pages it has not
seen it keeps less. "Written" and the two columns of trafilatura do not depend on that.

No page of the package has MathML or another source of formulas. Of the 66 formulas of the page wikipedia-3 of the
package readability, Winnow's Markdown has 64 as their TeX source; trafilatura's tree has none of them, nor their images.

In words: trafilatura keeps 77 of 100 headings and items of the gold, few of its links and images, and puts fewer
paragraphs besides the gold. Through Winnow's writer, the same extractor keeps twice as many links. What the writer itself
loses are links around several blocks, of which one has the link, emphasis inside emphasis, and images outside the text
of the gold. This comparison showed that tables with header cells were written as paragraphs if a cell had several, that
images were missing in texts of extractors that select text, and that emphasis between punctuation and a word was not
read as such: all three are mended.

A paragraph in an item, a cell or a heading is not counted, nor is a table without two cells side by side or with
headings, lists or tables in it: it is one for layout.

`

// tally counts the elements of one kind.
type tally struct {
	gold   int // in the main content
	kept   map[string]int
	beside map[string]int
	both   int // kept by winnow and by theirs
}

// writeMarkdown compares the Markdown of winnow with that of trafilatura on pages of the
// package wcxb-dev in the folder dir.
func writeMarkdown(w io.Writer, dir string, explain io.Writer) error {
	if dir == "" {
		_, err := fmt.Fprint(w, markdownIntroduction, "\nThe packages were not given to this run of `reproduce`, so the figures are missing.\n")
		return err
	}
	c, err := newMarkdownComparison(explain)
	if err != nil {
		return err
	}
	pages, err := c.choose(filepath.Join(dir, "wcxb-dev.tar.xz"))
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := c.page(p); err != nil {
			return fmt.Errorf("page %s: %w", p.id, err)
		}
	}
	_, err = io.WriteString(w, markdownIntroduction+c.table())
	return err
}

// markdownComparison counts elements over pages.
type markdownComparison struct {
	driver  *driver.Driver
	aligner align.Aligner
	writer  *markup.Writer
	tallies map[string]*tally
	explain io.Writer // gets the elements that our Markdown of the gold lacks; nil for none
}

func newMarkdownComparison(explain io.Writer) (*markdownComparison, error) {
	chosen, err := choose.Extractors(programs.Extractors(), "winnow,trafilatura")
	if err != nil {
		return nil, err
	}
	d, err := driver.New(driver.Config{Extractors: chosen, Align: new(align.Aligner).Text, Isolate: process.New(process.Options{}).Run, SuperlinearBytes: 64 << 20})
	if err != nil {
		return nil, err
	}
	c := &markdownComparison{driver: d, writer: markup.NewWriter(), tallies: map[string]*tally{}, explain: explain}
	for _, kind := range kinds {
		c.tallies[kind] = &tally{kept: map[string]int{}, beside: map[string]int{}}
	}
	return c, nil
}

// goldPage is a page with its main content.
type goldPage struct {
	id, url string
	html    []byte
	gold    string
}

// choose returns the first pages of each type in turn, of those that hold at least 95 %
// of the words of their gold.
func (c *markdownComparison) choose(archive string) ([]goldPage, error) {
	p, err := gold.Open(archive, gold.Limits{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	src := source.NewPackage(context.Background(), "wcxb-dev", p)
	defer src.Close()
	byType := map[string][]goldPage{}
	var pg page.Page
	var words align.Page
	var matches align.Matches
	for at, err := range source.Pages(context.Background(), "wcxb-dev", src) {
		if err != nil {
			return nil, err
		}
		g := at.Gold
		if g == nil || g.Text == nil || *g.Text == "" || len(byType[g.PageType]) >= markdownPages/7+1 {
			continue
		}
		pg.Parse(at.HTML, page.Options{})
		words.Fill(&pg.Body().Table)
		c.aligner.Align(&matches, &words, []byte(*g.Text))
		if matches.Coverage() < .95 {
			continue
		}
		byType[g.PageType] = append(byType[g.PageType], goldPage{g.ID, at.Address(), bytes.Clone(at.HTML), *g.Text})
	}
	var types []string
	for t := range byType {
		types = append(types, t)
	}
	slices.Sort(types)
	var chosen []goldPage
	for i := 0; len(chosen) < markdownPages; i++ {
		before := len(chosen)
		for _, t := range types {
			if i < len(byType[t]) && len(chosen) < markdownPages {
				chosen = append(chosen, byType[t][i])
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("%s: only %d pages have all of their gold", archive, before)
		}
	}
	return chosen, nil
}

func (c *markdownComparison) page(p goldPage) error {
	res, err := c.driver.Page(context.Background(), driver.Input{HTML: p.html, URL: p.url})
	if err != nil {
		return err
	}
	var main page.Selection
	c.aligner.Text(&main, res.Page.Body(), p.gold)
	all := elementsOf(res.Page, &main)
	kept := map[string][]bool{}
	add := func(system string, output []element) {
		k, beside := keep(all, output, p.gold)
		kept[system] = k
		for kind, n := range beside {
			c.tallies[kind].beside[system] += n
		}
	}
	ours := func(system string, s *page.Selection) error {
		text, whole := c.writer.Markdown(res.Page, s, p.url, markup.Masking{})
		if !whole {
			return errors.New("its Markdown is cut")
		}
		output, err := elementsOfMarkdown(text)
		add(system, output)
		return err
	}
	if err := ours("gold", &main); err != nil {
		return err
	}
	for i := range res.Extractions {
		x := &res.Extractions[i]
		if err := ours(x.Extractor.Name, &x.Selection); err != nil {
			return err
		}
	}
	output, err := trafilaturaElements(p)
	if err != nil {
		return err
	}
	add("theirs", output)
	for i, e := range all {
		if !e.gold {
			continue
		}
		t := c.tallies[e.kind]
		t.gold++
		for system, k := range kept {
			if k[i] {
				t.kept[system]++
			}
		}
		if kept["winnow"][i] && kept["theirs"][i] {
			t.both++
		}
		if c.explain != nil && !kept["gold"][i] {
			fmt.Fprintf(c.explain, "%s\t%s\t%.80s\n", p.id, e.kind, e.key)
		}
	}
	return nil
}

// trafilaturaElements returns the elements of the tree that trafilatura returns with
// links, images and tables.
func trafilaturaElements(p goldPage) ([]element, error) {
	address, err := url.Parse(p.url)
	if err != nil {
		address = nil
	}
	result, err := trafilatura.Extract(bytes.NewReader(p.html), trafilatura.Options{
		OriginalURL: address, EnableFallback: true, ExcludeComments: true, IncludeLinks: true, IncludeImages: true, HtmlDateMode: trafilatura.Disabled,
	})
	if err != nil {
		if strings.Contains(err.Error(), "not long enough") {
			return nil, nil // it finds no main content
		}
		return nil, err
	}
	var out bytes.Buffer
	if err := nethtml.Render(&out, result.ContentNode); err != nil {
		return nil, err
	}
	var tree page.Page
	tree.Parse(out.Bytes(), page.Options{})
	return elementsOf(&tree, nil), nil
}

func (c *markdownComparison) table() string {
	var b strings.Builder
	b.WriteString("| element | in the gold | written | Winnow | `trafilatura` | theirs | Winnow and theirs | Winnow alone | theirs alone | besides: Winnow | besides: theirs |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, kind := range kinds {
		t := c.tallies[kind]
		w, o := t.kept["winnow"], t.kept["theirs"]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", kind, t.gold, t.kept["gold"], w, t.kept["trafilatura"], o, t.both, w-t.both, o-t.both, t.beside["winnow"], t.beside["theirs"])
	}
	return b.String()
}
