package library

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"codeberg.org/readeck/go-readability/v2"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
	"github.com/ulikunitz/xz"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// answer is what a library gives a program that calls it directly: a text field
// with white space of its own, and the nodes that the answers render.
type answer struct {
	text string
	node *html.Node
}

// called calls each library directly on a parsed page.
var called = map[string]func(doc *html.Node, page *url.URL) (answer, error){
	"trafilatura":           callTrafilatura(trafilatura.Balanced, true),
	"trafilatura-fast":      callTrafilatura(trafilatura.Balanced, false),
	"trafilatura-precision": callTrafilatura(trafilatura.FavorPrecision, true),
	"trafilatura-recall":    callTrafilatura(trafilatura.FavorRecall, true),
	"readability": func(doc *html.Node, page *url.URL) (answer, error) {
		article, err := readability.FromDocument(doc, page)
		if err != nil || article.Node == nil {
			return answer{}, err
		}
		var text strings.Builder
		err = article.RenderText(&text)
		return answer{text.String(), article.Node}, err
	},
	"domdistiller": func(doc *html.Node, page *url.URL) (answer, error) {
		result, err := distiller.Apply(doc, &distiller.Options{OriginalURL: page})
		if err != nil {
			return answer{}, err
		}
		return answer{result.Text, result.Node}, nil
	},
}

func callTrafilatura(focus trafilatura.ExtractionFocus, fallback bool) func(*html.Node, *url.URL) (answer, error) {
	return func(doc *html.Node, page *url.URL) (answer, error) {
		result, err := trafilatura.ExtractDocument(doc, trafilatura.Options{
			OriginalURL: page, Focus: focus, EnableFallback: fallback, ExcludeComments: true,
			HtmlDateMode: trafilatura.Disabled}) // dates are not compared
		if err != nil && strings.Contains(err.Error(), "not long enough") {
			return answer{}, nil
		} else if err != nil {
			return answer{}, err
		}
		return answer{result.ContentText, result.ContentNode}, nil
	}
}

// explained are the pages on which a library's text field and its nodes differ
// by more than white space, with the reason. The answers follow the nodes.
var explained = map[string]string{
	"trafilatura-fast wcxb-dev/0025.html":                                twice,
	"trafilatura-fast wcxb-dev/0072.html":                                twice,
	"trafilatura-fast wcxb-dev/0073.html":                                twice,
	"trafilatura-fast wcxb-dev/0074.html":                                twice,
	"trafilatura-fast wcxb-dev/0080.html":                                twice,
	"trafilatura-fast wcxb-dev/0148.html":                                twice,
	"trafilatura-fast dragnet/143.html":                                  twice,
	"trafilatura-fast dragnet/30.html":                                   twice,
	"trafilatura-fast l3s-gn1/209c7877-b79d-4cc5-aeb9-d8c2ddd11466.html": replaced,
	"trafilatura readability/js-link-replacement.html":                   replaced,
	"trafilatura-fast readability/js-link-replacement.html":              replaced,
	"trafilatura-recall readability/js-link-replacement.html":            replaced,
	"readability wcxb-dev/0046.html":                                     unseen,
	"readability wcxb-dev/0073.html":                                     unseen,
	"readability wcxb-dev/0085.html":                                     unseen,
	"domdistiller cleanportaleval/tv.msnbc.com_news_25.html":             embedded,
	"domdistiller cleanportaleval/washingtonpost.com_blog1_10.html":      embedded,
	"domdistiller readability/001.html":                                  embedded,
	"domdistiller readability/aktualne.html":                             embedded,
}

const (
	twice    = "its text field is made before nodes that were already taken with their parents are removed, and says them twice"
	replaced = "its text field is the page's whole text, taken as a last resort, while its nodes keep the paragraphs found before"
	unseen   = "its text field leaves out svg, video and what is marked aria-hidden, which are in its nodes"
	embedded = "its text field leaves out embedded posts, which are in its nodes"
)

// textOf joins all text below n.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// withoutSpace leaves out white space.
func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// page is the source of a page, decoded.
type page struct{ id, html string }

// pagesOf returns the first pages of a gold package.
func pagesOf(t *testing.T, name string, most int) (pages []page) {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(x); len(pages) < most; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") || strings.HasSuffix(h.Name, ".gold.html") {
			continue
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		encoding, _, _ := charset.DetermineEncoding(raw, "text/html")
		decoded, err := encoding.NewDecoder().Bytes(bytes.TrimPrefix(raw, []byte("\ufeff")))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page{h.Name, string(decoded)})
	}
	return pages
}

// TestLibraries compares the answers with the libraries called directly
// on 100 real pages, or on 500 if WINNOW_LONG_TESTS is set: the texts must be
// equal but for white space, or the difference explained.
func TestLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("six libraries on a hundred pages take a quarter of a minute of processor time")
	}
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no packages")
	}
	long := os.Getenv("WINNOW_LONG_TESTS") != ""
	var pages []page
	want := 0
	for _, pkg := range []struct {
		name string
		most int
	}{{"wcxb-dev", 150}, {"dragnet", 120}, {"l3s-gn1", 90}, {"cleanportaleval", 71}, {"readability", 69}} {
		if !long {
			pkg.most = 20
		}
		want += pkg.most
		pages = append(pages, pagesOf(t, filepath.Join(shared, "packages", pkg.name+".tar.xz"), pkg.most)...)
	}
	if len(pages) != want {
		t.Errorf("%d pages, want %d", len(pages), want)
	}
	for _, e := range All {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			differing := map[string]bool{}
			for _, p := range pages {
				name := e.Name + " " + p.id
				ours, err := e.Extract(p.html, "")
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				doc, err := parse(p.html)
				if err != nil {
					t.Fatal(err)
				}
				theirs, err := called[e.Name](doc, pageURL(""))
				if err != nil {
					t.Fatalf("%s: called directly: %v", name, err)
				}
				at, differ := difference(withoutSpace(ours), withoutSpace(theirs.text))
				if !differ {
					continue
				}
				differing[name] = true
				if explained[name] == "" {
					t.Errorf("%s: %s", name, at)
				} else if at, differ := difference(withoutSpace(ours), withoutSpace(textOf(theirs.node))); differ {
					t.Errorf("%s: not the text of the library's nodes: %s", name, at)
				}
			}
			for name, why := range explained {
				if long && strings.HasPrefix(name, e.Name+" ") && !differing[name] {
					t.Errorf("%s: no difference any more; it was: %s", name, why)
				}
			}
		})
	}
}

// difference shows where two texts part.
func difference(a, b string) (string, bool) {
	if a == b {
		return "", false
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	near := func(s string) string { return s[max(0, min(len(s), i-20)):min(len(s), i+40)] }
	return fmt.Sprintf("%d bytes, the library %d, apart at %d: %q, the library %q", len(a), len(b), i, near(a), near(b)), true
}
